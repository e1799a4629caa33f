"""The SQL for engines that no test reaches, as a person read it, and run where it can be."""

import json
import os
import random
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from dpviz.data.counting.count_expression import people_per_item_expression
from tests.data.counting.test_counting import oracle
from tests.data.counting.test_databases import HOSTILE

ibis = pytest.importorskip("ibis")

WRITTEN = Path(__file__).parent / "sql"


def said(dialect: str, **told: Any) -> str:
    log = ibis.table({"who": "string", "what": "string"}, name="log")
    return str(
        ibis.to_sql(
            people_per_item_expression(log, "who", "what", engine=dialect, **told), dialect=dialect
        )
    )


@pytest.mark.parametrize("dialect", ["bigquery", "snowflake", "trino"])
def test_the_sql_is_what_was_read(dialect: str) -> None:
    """To take another for read: DPVIZ_WRITE_SQL=1; letters beyond ASCII are written by their
    numbers.
    """
    queries = [said(dialect), said(dialect, contributions=2)]
    now = "\n\n".join(queries).replace("\\", "\\\\")
    now = "".join(c if c == "\n" or " " <= c <= "~" else f"\\u{ord(c):04x}" for c in now) + "\n"
    path = WRITTEN / f"{dialect}.sql"
    if os.environ.get("DPVIZ_WRITE_SQL"):
        path.write_text(now, encoding="ascii")
    assert path.read_text(encoding="ascii") == now


@pytest.mark.long
def test_clickhouse_counts_by_its_sql() -> None:
    sessions = pytest.importorskip(
        "chdb.session", reason="chdb is not installed: no ClickHouse to ask"
    )
    draw, texts = random.Random(2), [text or "" for text in HOSTILE]
    rows = [(draw.choice(texts), draw.choice(texts)) for _ in range(400)]
    session = sessions.Session()
    try:
        session.query("CREATE DATABASE here; USE here")
        columns = "who Nullable(String), what Nullable(String)"
        session.query(f"CREATE TABLE log ({columns}) ENGINE = Memory")
        coded = [[cell.encode().hex() for cell in row] for row in rows]
        values = ", ".join(f"(unhex('{who}'), unhex('{what}'))" for who, what in coded)
        session.query(f"INSERT INTO log VALUES {values}")
        result = session.query(said("clickhouse"), "JSONEachRow").data()
    finally:
        session.close()
    counted = [json.loads(line) for line in str(result).splitlines()]
    there = [(unicodedata.normalize("NFC", row["item"]), int(row["score"])) for row in counted]
    scores = {item: score for item, score in there if item and score}
    assert scores == oracle(rows)[0]
