"""How counting grows with the log, and beside the engine's own distinct-then-count, in one run and
in alternation.

    python -m tests.benchmarks.bench_engines duckdb 1e6 1e7 1e8 [--folder DIR] [--memory 1GB]
    python -m tests.benchmarks.bench_engines spark 5e6 --workers 1 2 4 [--folder DIR]

`duckdb` counts a folder of Parquet in thirty folders a day, each count a process of its own,
start-up included. `spark` counts the same in PySpark's local mode, with so many threads, inside one
session that is warm: processor time is that of its Java process and of Python. Both check the
counts against the engine's own, and end with 1 where one differs or ours takes more than 2.5 times
the processor time where that is more than three seconds: below, starting up is most of it.
"""

import argparse
import csv
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MOST = 2.5
SHORT = 3.0  # seconds, below which starting up is most of it
DAYS = 30
MAKE = """
COPY (
    SELECT 'user ' || (hash(i) % {people}) AS person,
           'item ' || CAST(20000 * pow((hash(i + 7) % 1000000) / 1000000.0, 3) AS INTEGER) AS item,
           '2024-01-' || lpad(CAST(i % {days} + 1 AS VARCHAR), 2, '0') AS day
    FROM range({rows}) AS r(i)
) TO '{path}' (FORMAT parquet, PARTITION_BY day)
"""
PAIRS = "SELECT item, count(*) FROM (SELECT DISTINCT person, item FROM {log}) GROUP BY item"
OWN = """
import csv, duckdb, sys
path, memory, folder, output, query = sys.argv[1:]
duckdb.execute("SET enable_progress_bar = false; SET preserve_insertion_order = false")
duckdb.execute("SET memory_limit = '" + memory + "'; SET temp_directory = '" + folder + "'")
with open(output, "w") as file:
    csv.writer(file).writerows([("item", "score"), *duckdb.sql(query).fetchall()])
"""
Times = tuple[float, float]


def main() -> int:
    """Print a row a size, or a row a number of workers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("engine", choices=["duckdb", "spark"])
    parser.add_argument("rows", nargs="+", type=float)
    parser.add_argument("--workers", nargs="+", type=int, default=[2])
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--folder")
    parser.add_argument(
        "--log", help=argparse.SUPPRESS
    )  # of one number of workers, in a process of its own
    args = parser.parse_args()
    if args.log is not None:
        print(json.dumps(in_spark(args.log, args.workers[0], args.pairs)))
        return 0
    missed = 0
    for rows in map(int, args.rows):
        with tempfile.TemporaryDirectory(dir=args.folder) as folder:
            log = made(Path(folder) / "log", rows)
            if args.engine == "duckdb":
                missed += report(
                    f"{rows:>11,} rows", *in_duckdb(log, Path(folder), args.memory, args.pairs)
                )
            for workers in args.workers if args.engine == "spark" else ():
                own = [
                    sys.executable,
                    "-m",
                    "tests.benchmarks.bench_engines",
                    "spark",
                    "1",
                    "--log",
                    str(log),
                ]
                more = ["--workers", str(workers), "--pairs", str(args.pairs)]
                ran = subprocess.run(
                    [*own, *more], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
                )
                found = json.loads(ran.stdout.splitlines()[-1])
                missed += report(f"{rows:>11,} rows, {workers} threads", *found)
    return int(bool(missed))


def report(what: str, times: list[tuple[Times, Times]], same: bool, peak: float) -> bool:
    """Print the medians; whether the counts differ, or ours took too long."""
    (cpu, wall), (our_cpu, our_wall) = (
        tuple(statistics.median(pair[which][unit] for pair in times) for unit in (0, 1))
        for which in (0, 1)
    )
    ratio = statistics.median(ours[0] / own[0] for own, ours in times)
    print(
        f"{what}: own {cpu:7.1f} s of processor, {wall:7.1f} s; ours {our_cpu:7.1f} s,"
        f" {our_wall:7.1f} s; {ratio:.2f} times the processor time; peak {peak / 1e9:.2f} GB;"
        f" counts {'agree' if same else 'DIFFER'}",
        flush=True,
    )
    return not same or (ratio > MOST and cpu > SHORT)


def made(path: Path, rows: int) -> Path:
    """The log, in a folder a day: a person for ten rows, most pairs distinct, so that nothing is
    merged early.
    """
    import duckdb

    duckdb.sql(
        "SET memory_limit = '1GB'; SET preserve_insertion_order = false; SET enable_progress_bar ="
        " false"
    )
    duckdb.sql(MAKE.format(rows=rows, path=path, people=rows // 10, days=DAYS))
    return path


def in_duckdb(
    log: Path, folder: Path, memory: str, pairs: int
) -> tuple[list[tuple[Times, Times]], bool, float]:
    """Times of DuckDB's own and of `dpviz count`, whether the counts agree, and the largest memory."""
    outputs = folder / "own.csv", folder / "ours.csv"
    query = PAIRS.format(log=f"read_parquet('{log}/*/*.parquet', hive_partitioning = true)")
    own = [sys.executable, "-c", OWN, str(log), memory, str(folder), str(outputs[0]), query]
    ours = [
        sys.executable,
        "-m",
        "dpviz",
        "count",
        str(log),
        "--person-column",
        "person",
        "--item-column",
        "item",
    ]
    ours += ["--memory", memory, "--temporary", str(folder), "-o", str(outputs[1])]
    times = [(child(own), child(ours)) for _ in range(pairs)]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    scores = []
    for output in outputs:
        with output.open(newline="", encoding="utf-8") as file:
            scores.append({row["item"]: int(row["score"]) for row in csv.DictReader(file)})
    return times, scores[0] == scores[1], float(peak)


def child(command: list[str]) -> Times:
    """(processor seconds, seconds) of a process."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        time.perf_counter() - start,
    )


def in_spark(log: str, workers: int, pairs: int) -> tuple[list[tuple[Times, Times]], bool, float]:
    """The same inside one session of local mode, after one round that is not counted."""
    from pyspark.sql import SparkSession

    from dpviz.data.counting import count_in_engine

    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "4g",
    }
    settings |= {"spark.sql.shuffle.partitions": "8", "spark.ui.showConsoleProgress": "false"}
    builder = SparkSession.builder.master(f"local[{workers}]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    java = Path(f"/proc/{session._jvm.java.lang.ProcessHandle.current().pid()}")  # type: ignore[union-attr]

    def own() -> dict[str, int]:
        return dict(
            session.sql(PAIRS.format(log=f"parquet.`{log}`")).toPandas().itertuples(index=False)
        )

    def ours() -> dict[str, int]:
        table = count_in_engine("pyspark://", f"parquet.{log}", "person", "item").table
        return dict(table.itertuples(index=False))

    def timed(run: Callable[[], Any]) -> Times:
        cpu, start = spent(java), time.perf_counter()
        run()
        return spent(java) - cpu, time.perf_counter() - start

    same = own() == ours()
    times = [(timed(own), timed(ours)) for _ in range(pairs)]
    peak = next(
        int(line.split()[1]) * 1024
        for line in (java / "status").read_text().splitlines()
        if "VmHWM" in line
    )
    session.stop()
    return times, same, float(peak)


def spent(java: Path) -> float:
    """Processor seconds of the Java process and of this one."""
    ticks = (java / "stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK") + time.process_time()


if __name__ == "__main__":
    sys.exit(main())
