"""The library under thousands of random score vectors and parameters, sound and unsound.

    python -m tests.benchmarks.fuzz_library [CASES] [SEED]

Every case has to end in a law that adds up or in one sentence; the first that does not stops the
run.
"""

import sys
import time
from collections import Counter

import numpy as np

from tests.fuzz import try_one


def main() -> None:
    """Run the cases and say what became of them."""
    cases, seed = (int(word) for word in [*sys.argv[1:3], *["10000", "1"][len(sys.argv) - 1 :]])
    seen: Counter[str] = Counter()
    start = time.perf_counter()
    for case in range(cases):
        try:
            seen[try_one(np.random.default_rng([seed, case]))] += 1
        except AssertionError:
            print(f"case {case} of seed {seed} failed")
            raise
    took = time.perf_counter() - start
    print(
        f"{cases:,} cases in {took:.0f} s: {seen['law']:,} laws that add up, {seen['refused']:,}"
        " refused"
    )


if __name__ == "__main__":
    main()
