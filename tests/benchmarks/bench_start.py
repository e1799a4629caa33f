"""What starting costs: processor time and modules of imports and commands.

    python -m tests.benchmarks.bench_start [--repeat 3]

Each in a process of its own.
"""

import argparse
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ("distribution", "--example", "class_trip")


def command(*argv: str) -> str:
    """The code of `python -m dpviz argv`."""
    return (
        f"import runpy; sys.argv = ['dpviz', *{argv}]; runpy.run_module('dpviz',"
        " run_name='__main__')"
    )


def cost(code: str, repeat: int) -> tuple[float, int]:
    """Processor time in seconds, best of a few processes, and the number of modules at the end."""
    counted = (
        "import atexit, sys; atexit.register(lambda: print(len(sys.modules), file=sys.stderr));"
        f" {code}"
    )
    best, modules = float("inf"), 0
    for _ in range(repeat):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, "-c", counted], cwd=ROOT, capture_output=True, text=True, check=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        modules = int(done.stderr.split()[-1])
    return best, modules


def main() -> None:
    """Everything, one line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3)
    repeat = parser.parse_args().repeat
    rows = {
        "Python alone": "pass",
        "import numpy": "import numpy",
        "import pandas": "import pandas",
        "import dpviz": "import dpviz",
        "every public name": "from dpviz import *",
        "--version": command("--version"),
        "--help": command("--help"),
        "distribution --help": command("distribution", "--help"),
        " ".join(EXAMPLE): command(*EXAMPLE),
    }
    print(f"{'':42}{'processor ms':>14}{'modules':>9}")
    for told, code in rows.items():
        time, modules = cost(code, repeat)
        print(f"{told:42}{1000 * time:14.0f}{modules:9,}", flush=True)


if __name__ == "__main__":
    main()
