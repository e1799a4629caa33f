"""The true error of every exact law over the stated one, from the ball-arithmetic oracle.

Run from the project's folder:
    python -m tests.benchmarks.true_error [--cases N] [--large] [--data DATA]
N cases of each law and noise (default 60; "walks" and candidates too). `--large` takes scores up to
1e15 and Δ that is no power of two. With DATA, a folder that holds netflix.csv (17,770 counts), real
counts are added. Ends with 1 if a figure lies outside its stated error, after printing the worst
case of each such law.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np

from dpviz import Canonical, OneShot, Scores
from tests.oracle.cases import VARIANTS, top_k_cases
from tests.oracle.compare import Gap, gap, outside, top_k_gaps
from tests.oracle.races import exact_top
from tests.oracle.top_k import truth
from tests.oracle.walk_cases import CHOICES, WALKS, walk_gaps

REAL = "netflix.csv"


def top_k_rows(count: int, large: bool) -> Iterator[tuple[str, int, list[Gap]]]:
    """(law and noise, cases, gaps)."""
    for law, variants in VARIANTS.items():
        for variant in variants:
            gaps = [
                g
                for c in top_k_cases(law, variant, count, large=large)
                for g in top_k_gaps(c.mechanism, c.scores)
            ]
            yield f"{law}, {variant}", count, gaps


def other_rows(count: int) -> Iterator[tuple[str, int, list[Gap]]]:
    """Sparse vectors, large margin, candidates."""
    for law in (*WALKS, *CHOICES):
        yield law, count, list(walk_gaps(law, count, seed=0))


def real_rows(data: Path) -> Iterator[tuple[str, int, list[Gap]]]:
    """TOP on real counts: canonical at k = 10 in closed form, one-shot at k = 1000 as one integral."""
    scores = Scores(np.loadtxt(data / REAL), monotonic=True)
    small = Canonical(epsilon=0.05, k=10)
    top = truth(small, scores).within([(10, 10)])[0]
    dist = small.distribution(scores)
    yield "canonical, gumbel, netflix k=10", 1, [gap("top", dist.top, top, dist.error, small)]
    one_shot = OneShot(epsilon=64.4, k=1000, noise="exponential")
    levels = truth(one_shot, scores).levels  # type: ignore[attr-defined]
    dist_ = one_shot.distribution(scores)
    true = exact_top("exponential", levels, 1000)
    yield (
        "one-shot, exponential, netflix k=1000",
        1,
        [gap("top", dist_.top, true, dist_.error, one_shot)],
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--data", type=Path)
    told = parser.parse_args()
    print(
        "| law | cases | figures | largest true error | stated there | median ratio | largest"
        " ratio |"
    )
    print("|---|---|---|---|---|---|---|")
    beyond: list[Gap] = []
    rows = [top_k_rows(told.cases, told.large)] + ([] if told.large else [other_rows(told.cases)])
    if told.data and (told.data / REAL).exists():
        rows.append(real_rows(told.data))
    else:
        print(f"without {REAL}: no real counts", file=sys.stderr)
    for part in rows:
        for name, cases, gaps in part:
            stated = [g for g in gaps if g.bound > 0 and g.figure != "mass not listed"]
            worst, steepest = max(stated, key=lambda g: g.error), max(stated, key=lambda g: g.ratio)
            print(
                f"| {name} | {cases} | {len(stated):,} | {worst.error:.1e} | {worst.bound:.1e} |"
                f" {median(g.ratio for g in stated):.1e} | {steepest.ratio:.2g} |",
                flush=True,
            )
            wrong = outside(iter(gaps))
            beyond += sorted(wrong, key=lambda g: -g.ratio)[:1]
    for g in beyond:
        print(
            f"outside: {g.figure} = {g.told!r}, true {g.true!r}, off {g.error:.3g} > {g.bound:.3g}:"
            f" {g.case}"
        )
    return 1 if beyond else 0


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
