"""Counting an event log that outgrows memory: 50 million rows of Parquet, within 2 GB.

python tests/benchmarks/bench_count.py [--rows N] [--folder DIR] [--memory 1GB]

Also processor time and wall as multiples of what DuckDB takes to make pairs distinct and count them
by item, with the same memory, each a process of its own, in alternation, three pairs.

Makes the file with DuckDB (texts for people and items, most pairs distinct, so that nothing is
merged early) and counts it with `python -m dpviz count`.
"""

import argparse
import csv
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAKE = """
COPY (
    SELECT 'user ' || (hash(i) % 5000000) AS person,
           'item ' || CAST(20000 * pow((hash(i + 7) % 1000000) / 1000000.0, 3) AS INTEGER) AS item
    FROM range({rows}) AS r(i)
) TO '{path}' (FORMAT parquet)
"""
OWN = """
import duckdb, sys
path, memory, folder = sys.argv[1:]
duckdb.execute("SET enable_progress_bar = false; SET preserve_insertion_order = false")
duckdb.execute("SET memory_limit = '" + memory + "'")
duckdb.execute("SET temp_directory = '" + folder + "'")
pairs = "SELECT DISTINCT person, item FROM read_parquet('" + path + "')"
duckdb.sql("SELECT item, count(*) FROM (" + pairs + ") GROUP BY item").fetchall()
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--folder")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        path, output = Path(folder) / "log.parquet", Path(folder) / "scores.csv"
        make(path, args.rows)
        own = [sys.executable, "-c", OWN, str(path), args.memory, folder]
        options = f"--person-column person --item-column item --memory {args.memory}".split()
        command = [sys.executable, "-m", "dpviz", "count", str(path), *options]
        ours = [*command, "--temporary", folder, "-o", str(output)]
        pairs_run = [(measured(own), measured(ours)) for _ in range(3)]
        seconds = min(wall for _, (_, wall) in pairs_run)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * (
            1 if sys.platform == "darwin" else 1024
        )
        with output.open(newline="", encoding="utf-8") as file:
            scores = {row["item"]: int(row["score"]) for row in csv.DictReader(file)}
        size, pairs = path.stat().st_size / 1e6, sum(scores.values())
        print(f"{args.rows:,} rows, {size:,.0f} MB, {len(scores):,} items, {pairs:,} pairs")
        print(f"counted in {seconds:.1f} s with a peak of {peak / 1e9:.2f} GB")
        for (processor, wall), (our_processor, our_wall) in pairs_run:
            print(
                f"{our_processor / processor:.2f} times the processor time of DuckDB's own"
                f" distinct-then-count ({processor:.1f} s), {our_wall / wall:.2f} times the wall"
                f" ({wall:.1f} s)"
            )


def measured(command: list[str]) -> tuple[float, float]:
    """(processor seconds, seconds) of a process."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return processor, time.perf_counter() - start


def make(path: Path, rows: int) -> None:
    """The log, written by this process: only the memory of child processes is measured."""
    import duckdb

    duckdb.sql("SET memory_limit = '1GB'; SET preserve_insertion_order = false")
    duckdb.sql(MAKE.format(rows=rows, path=path))


if __name__ == "__main__":
    main()
