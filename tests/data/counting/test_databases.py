"""Databases give what sets in plain Python give, and say in one sentence what is wrong."""

import os
import random
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dpviz import ParameterError
from dpviz.data.counting import count_files, count_in_engine, engine
from dpviz.data.reading import IngestError
from tests.data.counting.databases import (
    MARIADB,
    PASSWORD,
    POSTGRES,
    Database,
    duckdb_at,
    mariadb_in,
    mariadb_server,
    postgres_cluster,
    postgres_in,
    sqlite_at,
)
from tests.data.counting.test_counting import alike, found, oracle, quiet, write_json_lines

pytest.importorskip("ibis")
pytestmark = [*quiet, pytest.mark.usefixtures("one_duckdb")]

ROOT = Path(__file__).parents[3]

Rows = list[tuple[Any, Any]]

SERVERS = [
    pytest.param(
        "postgres", marks=pytest.mark.skipif(not POSTGRES, reason="PostgreSQL is not installed")
    ),
    pytest.param("mysql", marks=pytest.mark.skipif(not MARIADB, reason="MariaDB is not installed")),
]
on_servers = pytest.mark.parametrize("database", SERVERS, indirect=True)
on_postgres = pytest.mark.parametrize("database", SERVERS[:1], indirect=True)
on_mariadb = pytest.mark.parametrize("database", SERVERS[1:], indirect=True)
COMPOSED, APART = unicodedata.normalize("NFC", "café"), unicodedata.normalize("NFD", "café")
PEOPLE = [
    *("ann", " ann", "ann\u00a0", "Ann", "ANN", "007", "7", "e\tf", "e f", "", " \u3000", "x'y\"z"),
    *(COMPOSED, APART, None),
]
ITEMS = [
    *("tea", "tea ", "Tea", "TEA", "\u6c34", "%s", "gin\n", "gin", "", "\t "),
    *(COMPOSED, APART, None),
]
HOSTILE = [
    *(*PEOPLE, *ITEMS, "a" * 150),
    *(" NULL", "nan", "-0", "1e5", "0x10", "\\", "\\n", "'", '"', "`", "--", ";", "{}", "?", ":a"),
    *("\ufeff", "\u200d", "\u212b", "\u00c5", "A\u030a", "\u1112\u1161\u11ab", "\ud55c"),
    *("\u0344", "q\u0307\u0323", "q\u0323\u0307"),
    *("\ufb01", "fi", "\u0399\u0308", "\u03aa", "\x1f a\x85", "a\u2028", "\u2003a\u00a0"),
    *("\U0001f468\u200d\U0001f469", "stra\u00dfe", "strasse", "\u0131", "I", "i", "\u0130"),
    *("\u0627\u064e", "\u0958", "\u0915\u093c"),
]


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with postgres_cluster() as url:
        yield url


@pytest.fixture(scope="module")
def mysql() -> Iterator[str]:
    with mariadb_server() as url:
        yield url


@pytest.fixture(params=["duckdb", "sqlite", *["postgres"] * POSTGRES, *["mysql"] * MARIADB])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    if request.param in ("duckdb", "sqlite"):
        return {"duckdb": duckdb_at, "sqlite": sqlite_at}[request.param](tmp_path)
    url = request.getfixturevalue(request.param)
    return {"postgres": postgres_in, "mysql": mariadb_in}[request.param](url)


def expected(rows: Rows) -> tuple[dict[str, int], int]:
    """(distinct people per item, rows left out), from sets."""
    return oracle([(who or "", what or "") for who, what in rows])


def counted(database: Database, table: str, **told: Any) -> dict[str, int]:
    return found(count_in_engine(database.url, table, "who", "what", **{"missing": "skip", **told}))


def test_nulls_blanks_case_and_unicode_forms(database: Database) -> None:
    draw = random.Random(3)
    rows: Rows = [(draw.choice(PEOPLE), draw.choice(ITEMS)) for _ in range(300)]
    counts = count_in_engine(database.url, database.log(rows), "who", "what", missing="skip")
    scores, left_out = expected(rows)
    assert found(counts) == scores
    assert (counts.rows, counts.left_out, counts.engine) == (300, left_out, database.name)
    assert not any("Unicode" in note for note in counts.notes)
    people, items = (sum(not alike(row[side] or "") for row in rows) for side in (0, 1))
    question = f"^{people} of 300 rows have no person, and {items} no item"
    with pytest.raises(IngestError, match=question):
        counted(database, "log", missing="refuse")


BO: Rows = [("bo", "rye")]
ODD: dict[str, Rows] = {
    "person": [("ann", "tea"), (" ann", "tea"), *BO],
    "item": [("ann", "tea"), ("bo", "tea "), *BO],
    "form of a person": [(COMPOSED, "tea"), (APART, "tea"), *BO],
    "form of an item": [("ann", COMPOSED), ("bo", APART), *BO],
    "blank person": [("ann", "tea"), *BO, ("\t ", "tea"), ("bo", "rye\n")],
    "blank item": [("ann", "tea"), *BO, ("cy", "\u3000")],
    "alone": [("ann", "tea"), *BO, (" ann", None)],
}
ALIKE: Rows = [("ann", "tea"), ("ann", "tea"), ("Bo", COMPOSED), ("", "tea"), (None, COMPOSED)]


@pytest.mark.parametrize(
    ("case", "most"), [("alike", None), ("alike", 5), *((case, 5) for case in ODD)]
)
def test_texts_are_made_alike_where_they_are_not(
    database: Database, case: str, most: int | None
) -> None:
    rows = ODD.get(case, [*ALIKE, ("cy", "")])
    table = database.log(rows)
    counts = count_in_engine(database.url, table, "who", "what", missing="skip", contributions=most)
    assert (found(counts), counts.left_out) == expected(rows)
    assert counts.rows == len(rows)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2, 3))]
)
def test_engines_give_what_duckdb_gives(database: Database, seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    texts = draw.sample(HOSTILE, 40)
    rows: Rows = [(draw.choice(texts), draw.choice(texts)) for _ in range(400)]
    table, lines = database.log(rows), write_json_lines(tmp_path / "log.jsonl", rows)
    listed = [*filter(None, texts), "nix"][10:]
    for told in (
        {},
        {"contributions": 3},
        {"items": listed},
        {"items": listed, "contributions": 2},
    ):
        here = count_files([lines], "who", "what", missing="skip", **told)  # type: ignore[arg-type]
        there = count_in_engine(database.url, table, "who", "what", missing="skip", **told)  # type: ignore[arg-type]
        assert there.table.to_dict("list") == here.table.to_dict("list"), told
        assert (there.rows, there.left_out, there.kept) == (400, here.left_out, here.kept), told


@pytest.mark.parametrize(
    ("kind", "values", "labels"),
    [
        ("integer", [1, 1, 2, None], ["1", "2"]),
        ("bigint", [2**53 + 1, 2**53 + 1, 2**53, None], [str(2**53 + 1), str(2**53)]),
        ("double precision", [10.0, 10.0, 2.5, None], ["10", "2.5"]),
        ("real", [10.0, 10.0, 2.5, None], ["10", "2.5"]),
        ("boolean", [True, True, False, None], ["True", "False"]),
        ("date", ["2024-01-02", "2024-01-02", "2024-01-03", None], ["2024-01-02", "2024-01-03"]),
        ("varchar(9)", ["007", " 007", "7", None], ["007", "7"]),
    ],
)
def test_columns_of_every_type(
    database: Database, kind: str, values: list[Any], labels: list[str]
) -> None:
    if kind == "boolean" and database.name in ("sqlite", "mysql"):
        labels = ["1", "0"]  # as numbers
    table = database.log(list(zip(values, values, strict=True)), (kind, kind))
    assert counted(database, table) == dict.fromkeys(labels, 1)
    listed = {"items": [labels[1], "nix"], "contributions": 5}
    assert counted(database, table, **listed) == {labels[1]: 1, "nix": 0}


def test_numbers_that_no_whole_number_holds(database: Database) -> None:
    kinds = ("double precision", "double precision")
    if database.name == "mysql":  # which holds no NaN and nothing infinite
        finite: Rows = [(1.0, 1e100), (2.0, 2.0), (-0.0, 2.0), (3.0, None)]
        assert sorted(counted(database, database.log(finite, kinds)).values()) == [1, 2]
        return
    nan, inf = float("nan"), float("inf")
    rows: Rows = [(1.0, 1e100), (1.0, inf), (2.0, 2.0), (nan, 2.0), (3.0, nan), (-0.0, 2.0)]
    scores = counted(database, database.log(rows, kinds))
    assert scores.pop("2") == 2
    assert sorted(scores.values()) == [1, 1]


def test_sqlite_holds_bytes_and_nul_in_columns_of_text(tmp_path: Path) -> None:
    database = sqlite_at(tmp_path)
    rows: Rows = [("ann", "te\0a"), ("ann", "te a"), ("ann", "rye"), (b"bo", "rye")]
    table = database.log([*rows, (b"bo ", "rye"), ("bo", b"A")])
    assert counted(database, table) == {"te a": 1, "rye": 3, r"\x41": 1}
    assert counted(database, table, items=["te a", "A"]) == {"te a": 1, "A": 0}


LOGINS = {  # by what is wrong with it: an address, and what MariaDB says of it
    "password": ("//tester:hun%20ter2+@{there}", "Access denied for user 'tester'"),
    "port": ("{start}@127.0.0.1:1/{name}", "Can't connect to"),
    "database": ("{start}@{host}/nix", "Unknown database 'nix'"),
    "query": ("//tester@{there}?{option}=hun%20ter2", "nix"),
}


@on_servers
@pytest.mark.parametrize("change", LOGINS)
def test_a_wrong_login_is_told_without_the_password(database: Database, change: str) -> None:
    url, reason = LOGINS[change]
    scheme, _, rest = database.url.partition(":")
    start, _, there = rest.rpartition("@")
    host, _, name = there.rpartition("/")
    option = "sslmode" if scheme == "postgres" else "nix"
    url = url.format(start=start, there=there, host=host, name=name, option=option)
    reason = reason if scheme == "mysql" else ""
    sentence = rf"^Could not connect to {scheme}: [^\n]*{reason}[^\n]*\.$"
    with pytest.raises(IngestError, match=sentence) as refused:
        count_in_engine(f"{scheme}:{url}", "log", "who", "what")
    for secret in (PASSWORD, "p%40", "hun ter2", "hun%20ter2"):
        assert secret not in str(refused.value)


@on_servers
def test_a_moment_is_told_in_utc_wherever_the_server_stands(database: Database) -> None:
    rows: Rows = [("ann", "2024-01-02 03:04:05"), ("bo", "2024-07-02 12:00:00")]  # in Tokyo
    kind, zone = {"postgres": ("timestamptz", "+00"), "mysql": ("timestamp", "")}[database.name]
    moments = (f"2024-01-01 18:04:05{zone}", f"2024-07-02 03:00:00{zone}")
    assert counted(database, database.log(rows, ("text", kind))) == dict.fromkeys(moments, 1)


@on_postgres
def test_equal_numbers_of_several_scales_are_one(database: Database) -> None:
    whats = ["10", "10.0", "10.00", "100", "0.50", "NaN", None]
    rows: Rows = [(who, what) for who in map(Decimal, ("7", "7.0")) for what in whats]
    scores = counted(database, database.log(rows, ("numeric", "numeric")))
    assert scores == {"10": 1, "100": 1, "0.5": 1}


@on_postgres
def test_types_of_postgres(database: Database) -> None:
    database.sql("drop type if exists mood cascade", "create type mood as enum ('sad', 'Glad')")
    for kind, values in {
        "mood": ["sad", "Glad", "sad", None],
        "char(6)": ["a", "b", "a", None],
        "json": ['{"a":1}', '{"a":2}', '{"a":1}', None],
        "jsonb": ['{"a": 1}', '{"a": 2}', '{"a": 1}', None],
        "inet": ["10.0.0.1", "10.0.0.2", "10.0.0.1", None],
        "uuid": [f"{1:032x}", f"{2:032x}", f"{1:032x}", None],
    }.items():
        table = database.log(list(zip(values, values, strict=True)), (kind, kind))
        assert list(counted(database, table, contributions=5).values()) == [1, 1], kind


@on_postgres
def test_an_address_written_wrongly_is_refused_before_it_is_sent(database: Database) -> None:
    host, port = database.url.rpartition("@")[2], r"and the port as a number up to 65535\.$"
    password = "write any of .* in the password as %2F"
    for there, sentence in {
        **{f"{wrong}@{host}": password for wrong in ("hunter/2", "hunter#2", "hunter?2")},
        **{f"{wrong}@{host}": password for wrong in ("12/hunter2", "[hunter2", "hunter@2/3")},
        **{f"hunter2@127.0.0.1:{wrong}/postgres": port for wrong in ("99999", "abc")},
    }.items():
        with pytest.raises(IngestError, match=sentence) as refused:
            count_in_engine(f"postgres://tester:{there}", "log", "who", "what")
        assert "hunter" not in str(refused.value)


@on_postgres
def test_what_may_not_be_read_is_said(database: Database) -> None:
    table = database.log([("a", "b"), ("c", "d")], name="secret")
    database.sql("drop role if exists reader", "create role reader login password 'reading'")
    url = f"postgres://reader:reading@{database.url.rpartition('@')[2]}"
    denied = "postgres could not count the events: permission denied for table secret"
    with pytest.raises(IngestError, match=denied):
        count_in_engine(url, table, "who", "what")


@on_mariadb
def test_without_a_driver_it_says_so(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "MySQLdb", None)
    monkeypatch.setitem(sys.modules, "pymysql", None)
    needs = "^Connecting to MySQL or MariaDB needs a driver: pip install 'PyMySQL"
    with pytest.raises(IngestError, match=needs):
        count_in_engine(database.url, "log", "who", "what")


@on_mariadb
def test_the_driver_in_plain_python_will_do(database: Database, tmp_path: Path) -> None:
    table = database.log([("ann", COMPOSED), ("bo", APART), ("bo", "tea")])
    # before any that is installed
    (tmp_path / "MySQLdb.py").write_text("raise ImportError", encoding="utf-8")
    command = [sys.executable, "-m", "dpviz", "count", "--connect", database.url, "--table", table]
    ran = subprocess.run(
        [*command, "--person-column", "who", "--item-column", "what"],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": f"{tmp_path}:{ROOT}", "PYTHONIOENCODING": "utf-8"},
    )
    assert ran.stdout.split() == ['"item","score"', f'"{COMPOSED}",2', '"tea",1'], ran.stderr
    assert "mysql cannot normalise these texts, so both columns were read by dpviz." in ran.stderr


@on_mariadb
def test_what_is_only_read_needs_the_right_to_read_alone(database: Database) -> None:
    teas: Rows = [("ann", "tea"), (APART, "tea "), (COMPOSED, "tea")]
    rows = [*teas, ("bo", "rye"), ("bo", "gin")]
    table = database.log(rows, name="open_log")
    database.sql(
        "create or replace user reader identified by 'reading'",
        f"grant select on log.{table} to reader",
    )
    url = f"mysql://reader:reading@{database.url.rpartition('@')[2]}"
    counts = count_in_engine(
        url, table, "who", "what", items=["tea", "rye", "nix"], contributions=1
    )
    assert found(counts) == {"tea": 2, "rye": 1, "nix": 0}
    assert (counts.engine, counts.read_over, counts.kept.other_rows) == ("mysql", True, 1)
    database.log(rows, name="secret")
    with pytest.raises(ParameterError, match=r"one of the tables 'open_log', or schema\.table"):
        count_in_engine(url, "secret", "who", "what")


@on_mariadb
@pytest.mark.parametrize("rows", [1, 100])
def test_texts_are_read_over_a_batch_at_a_time(
    database: Database, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpviz.data.counting.row_copy._BATCH", rows)
    draw = random.Random(6)
    log: Rows = [(draw.choice(PEOPLE), draw.choice(ITEMS)) for _ in range(101)]
    assert counted(database, database.log(log)) == expected(log)[0]


@on_mariadb
def test_without_a_database_tables_are_named_in_full(database: Database) -> None:
    table = database.log([("ann", "tea"), ("bo", "tea"), ("bo", "rye")], name="plays")
    nowhere = database.url.rpartition("/")[0]
    with pytest.raises(ParameterError, match=r"one of the tables .*'log\.plays'.*, not 'plays'"):
        count_in_engine(nowhere, table, "who", "what")
    counts = count_in_engine(nowhere.replace("mysql", "mariadb"), "log.plays", "who", "what")
    assert counts.table["score"].tolist() == [2, 1]


@on_mariadb
@pytest.mark.parametrize(
    "kind",
    [
        "varchar(9) character set latin1 collate latin1_german2_ci",
        "varchar(9) character set utf8mb4 collate utf8mb4_unicode_ci",
        "varchar(9) character set utf8mb4 collate utf8mb4_nopad_bin",
        "enum('a', 'A', '\u00e4', '\u00df', 'ss') character set utf8mb4 collate utf8mb4_bin",
    ],
)
def test_texts_of_any_character_set_and_collation(database: Database, kind: str) -> None:
    texts = ["a", "A", "\u00e4", "\u00df", "ss"]
    table = database.log([(who, what) for who in texts for what in texts], (kind, kind))
    assert counted(database, table) == dict.fromkeys(texts, 5)
    assert counted(database, table, contributions=5, items=["a", "\u00df"]) == {"a": 5, "\u00df": 5}


@on_mariadb
@pytest.mark.parametrize(
    ("kind", "values", "labels"),
    [
        ("decimal(6,2)", ["10.00", "0.50", "10", None], ["10.00", "0.50"]),
        ("decimal(6,0)", ["10", "7", "10", None], ["10", "7"]),
        ("bigint unsigned", [2**64 - 1, 1, 2**64 - 1, None], [str(2**64 - 1), "1"]),
        ("bit(3)", [5, 2, 5, None], ["5", "2"]),
        ("year", [2024, 1999, 2024, None], ["2024", "1999"]),
        ("time", ["26:00:00", "01:02:03", "26:00:00", None], ["26:00:00", "01:02:03"]),
        ("datetime", ["2024-01-02 03:04:05"] * 2 + ["2024-01-02 03:04:06", None], None),
        ("timestamp null", ["2024-01-02 03:04:05"] * 2 + ["2024-01-02 03:04:06", None], None),
        ("char(9)", ["007", "7", " 007", ""], ["007", "7"]),
        ("json", ['{"a": 1}', '{"a": 2}', '{"a": 1}', None], ['{"a": 1}', '{"a": 2}']),
        ("uuid", [f"{1:032x}", f"{2:032x}", f"{1:032x}", None], None),
        ("varbinary(4)", [b"\xff\x00", b"A", b"\xff\x00", None], [r"\xff00", r"\x41"]),
    ],
)
def test_types_of_mariadb(
    database: Database, kind: str, values: list[Any], labels: list[str] | None
) -> None:
    table = database.log(list(zip(values, values, strict=True)), (kind, kind))
    for most in (None, 5):
        scores = counted(database, table, contributions=most)
        assert list(scores.values()) == [1, 1]
        assert labels is None or set(scores) == set(labels)
    odd = [*zip(values, ["x", " x", "y", "z"], strict=True)]  # of which both columns are read over
    assert counted(database, database.log(odd, (kind, "text"))) == counted(
        database, database.log([(who, str(what).strip()) for who, what in odd], (kind, "text"))
    )


@on_mariadb
def test_people_who_differ_late(database: Database) -> None:
    rows: Rows = [("a" * 3000 + end, "tea") for end in "xyx"] + [("a" * 3000, "rye")]
    assert counted(database, database.log(rows)) == {"tea": 2, "rye": 1}


@pytest.mark.parametrize("made", [duckdb_at, sqlite_at])
def test_a_view_of_what_is_gone_is_no_wrong_name(made: Any, tmp_path: Path) -> None:
    database = made(tmp_path)
    database.log([("ann", "tea")], name="gone")
    database.sql("create view bad as select * from gone", "drop table gone")
    with pytest.raises(IngestError, match=rf"^{database.name} could not read 'bad': .*gone"):
        counted(database, "bad")


def test_a_wrong_table_says_which_there_are(database: Database) -> None:
    database.log([("a", "b")], name="plays")
    with pytest.raises(ParameterError, match=r"one of the tables .*'plays'.*, not 'nix'"):
        counted(database, "nix")
    with pytest.raises(ParameterError, match="columns 'who', 'what', not 'nix'"):
        count_in_engine(database.url, "plays", "who", "nix")
    if database.name != "sqlite":
        database.sql("create schema if not exists deep")
        database.log([("a", "b"), ("a", "c")], name="deep.songs")
        for table, sentence in {
            "deep.nix": r"table must be one of the tables 'deep\.songs'.*, not 'deep\.nix'",
            "nix.songs": r"there are no tables in 'nix', not 'nix\.songs'",
        }.items():
            with pytest.raises(ParameterError, match=sentence):
                counted(database, table)
        assert counted(database, "deep.songs") == {"b": 1, "c": 1}


def test_an_engine_that_cannot_make_texts_alike_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ibis.common.exceptions import OperationNotDefinedError

    def undefined(*_of: Any, **_told: Any) -> Any:
        raise OperationNotDefinedError("'RegexReplace' is not defined")  # as for mysql

    monkeypatch.setattr(engine, "people_per_item_expression", undefined)
    database = duckdb_at(tmp_path)
    told = "^duckdb has no way to make texts alike .*: write the table as Parquet or CSV"
    with pytest.raises(IngestError, match=told):
        counted(database, database.log([("ann", "tea"), ("bo", "rye")]))
