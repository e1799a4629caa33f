"""Spark in local mode, which is a real Spark. For ./tests/run long."""

import os
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpviz import ParameterError
from dpviz.data.counting import RowFilter, count_files, count_in_engine
from tests.data.counting.test_counting import found, write_json_lines
from tests.data.counting.test_databases import HOSTILE

pytest.importorskip("ibis")
pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'dpviz[spark]'")

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        shutil.which("java") is None, reason="Spark needs Java, which is not installed"
    ),
    pytest.mark.filterwarnings("ignore"),  # of Spark and ibis
    pytest.mark.timeout(1800),
]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1")
    session = builder.config("spark.sql.shuffle.partitions", "4").getOrCreate()
    yield session
    session.stop()


@pytest.mark.parametrize(
    "told", [{}, {"contributions": 3}, {"items": 30}, {"items": 30, "contributions": 2}]
)
def test_spark_gives_what_pandas_gives_and_a_session_stays(
    session: Any, told: dict[str, Any], tmp_path: Path
) -> None:
    draw = random.Random(1)
    texts = draw.sample(HOSTILE, 40)
    rows = [(draw.choice(texts), draw.choice(texts)) for _ in range(400)]
    lines = write_json_lines(tmp_path / "log.jsonl", rows)
    session.createDataFrame(rows, "who string, what string").createOrReplaceTempView("plays")
    told |= {"items": list(filter(None, texts))[:30]} if "items" in told else {}
    by_duckdb = count_files([lines], "who", "what", missing="skip", **told)
    there = count_in_engine("pyspark://", "plays", "who", "what", missing="skip", **told)
    assert there.table.to_dict("list") == by_duckdb.table.to_dict("list")
    assert (there.rows, there.left_out, there.kept) == (400, by_duckdb.left_out, by_duckdb.kept)
    assert there.engine == "pyspark"
    assert not any("Unicode" in note for note in there.notes)
    assert session.sql("select 1").collect() == [(1,)]
    with pytest.raises(ParameterError, match=r"one of the tables .*'plays'.*, not 'nix'"):
        count_in_engine("pyspark://", "nix", "who", "what")


def test_folders_say_columns(session: Any, tmp_path: Path) -> None:
    rows = [("ann", "tea", "2024-01-01"), ("bo", "tea", "2024-01-02"), ("bo", "rye", "2024-01-02")]
    rows += [("cy", "rye", "2024-02-01")]
    frame = session.createDataFrame(rows, "who string, what string, day string")
    frame.write.partitionBy("day").parquet(f"{tmp_path}/plays")
    where = "what LIKE '%e%' OR who = 'bo'"
    january = RowFilter(since="2024-01-01", until="2024-02-01", time="day", where=where)
    place = f"parquet.{tmp_path}/plays"
    by_spark = count_in_engine("pyspark://", place, "who", "what", chosen=january)
    assert found(by_spark) == {"tea": 2, "rye": 1}
    assert found(count_files([f"{tmp_path}/plays"], "who", "what", chosen=january)) == found(
        by_spark
    )


def test_five_million_rows_are_what_plain_sql_counts(session: Any, tmp_path: Path) -> None:
    log = tmp_path / "log"
    rows = session.range(5_000_000).selectExpr(
        "concat('user ', pmod(hash(id), 500000)) AS person",
        "concat('item ', pmod(hash(id + 7), 20000)) AS item",
    )
    rows.write.parquet(str(log))
    plain = dict(
        session.sql(
            "SELECT item, count(*) FROM"
            f" (SELECT DISTINCT person, item FROM parquet.`{log}`) GROUP BY item"
        )
        .toPandas()
        .itertuples(index=False)
    )
    counts = count_in_engine("pyspark://", f"parquet.{log}", "person", "item")
    assert found(counts) == plain
    assert counts.rows == 5_000_000
