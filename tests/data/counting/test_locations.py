"""Logs where they lie: folders, standard input, packed files, addresses, lake tables."""

import csv
import errno
import gzip
import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd
import pyarrow as pa
import pytest

from dpviz import ParameterError
from dpviz.__main__ import main
from dpviz.data.counting import RowFilter, count_files
from dpviz.data.counting.locations import find_log_files
from dpviz.data.reading import IngestError
from tests.data.counting.test_counting import COLUMNS, Rows, events, found, oracle, quiet, write_csv

pytestmark = [*quiet, pytest.mark.usefixtures("one_duckdb")]
DAYS = ("2024-01-30", "2024-01-31", "2024-02-01")


def write(path: Path, frame: pd.DataFrame) -> Path:
    """The frame in the format that the ending says, below a folder made for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".jsonl":
        frame.to_json(path, orient="records", lines=True, force_ascii=False)
    else:
        frame.to_csv(path, index=False, quoting=csv.QUOTE_ALL)
    return path


def hive(folder: Path, rows: Rows, ending: str = "parquet") -> Path:
    """The rows by turns below a folder for each day, beside files that do not count."""
    for i, day in enumerate(DAYS):
        frame = pd.DataFrame(rows[i::3], columns=["who", "what"])
        write(folder / f"day={day}" / f"part-0.{ending}", frame)
    (folder / "_SUCCESS").write_bytes(b"")
    (folder / f"_part.{ending}").write_bytes(b"not to be read")
    (folder / f"day={DAYS[0]}" / f".part-0.{ending}.crc").write_bytes(b"crc")
    return folder


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl"])
def test_folders_say_columns(ending: str, tmp_path: Path) -> None:
    rows, folder = events(60), hive(tmp_path / "logs", events(60), ending)
    assert found(count_files([str(folder)], "who", "what")) == oracle(rows)[0]
    days = [(who, day) for i, day in enumerate(DAYS) for who, _ in rows[i::3]]
    assert found(count_files([str(folder)], "who", "day")) == oracle(days)[0]
    january = RowFilter(since="2024-01-01", until="2024-02-01", time="day")
    kept = count_files([str(folder)], "who", "what", chosen=january)
    assert found(kept) == oracle([*rows[0::3], *rows[1::3]])[0]
    one = count_files([f"{folder}/day=2024-01-3*/*"], "who", "what")
    assert found(one) == found(kept)


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl"])
def test_what_a_folder_says_of_a_person_is_text(ending: str, tmp_path: Path) -> None:
    """DuckDB would take 007 and 7 for one number, and an empty value is nobody."""
    for who in ("007", "7", quote("a b/ü", safe=""), "__HIVE_DEFAULT_PARTITION__"):
        frame = pd.DataFrame({"what": ["tea", "rye"], "x": 1})
        write(tmp_path / "logs" / f"who={who}" / f"a.{ending}", frame)
    counts = count_files([str(tmp_path / "logs")], "who", "what", missing="skip")
    assert (found(counts), counts.left_out, counts.rows) == ({"tea": 3, "rye": 3}, 2, 8)
    people = count_files([str(tmp_path / "logs")], "what", "who", missing="skip")
    assert found(people) == {"007": 2, "7": 2, "a b/ü": 2}
    seven, chosen = f"{tmp_path}/logs/who=7/*", RowFilter(where="who = '7'")
    assert found(count_files([seven], "who", "what", chosen=chosen)) == {"tea": 1, "rye": 1}


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl"])
def test_what_a_folder_says_counts_where_files_say_it_too(ending: str, tmp_path: Path) -> None:
    """As Spark and DuckDB have it, which write such columns into folders alone, or alike."""
    for what, people in {"tea": ["ann", "bo"], "rye": ["ann"]}.items():
        frame = pd.DataFrame({"who": people, "what": "gin"})
        write(tmp_path / f"what={what}" / f"a.{ending}", frame)
    assert found(count_files([str(tmp_path)], "who", "what")) == {"tea": 2, "rye": 1}


@pytest.mark.parametrize(
    ("kind", "packed"), [("csv", "plain"), ("csv", "zstd"), ("jsonl", "gzip"), ("parquet", "plain")]
)
def test_standard_input_is_spooled(
    kind: str, packed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [("ann", "tea"), (" ann", "tea"), ("bo", "tea"), ("bo", "rye")]  # of which one is odd
    path = write(tmp_path / f"log.{kind}", pd.DataFrame(rows, columns=["who", "what"]))
    content = {"plain": bytes, "gzip": gzip.compress, "zstd": zstd}[packed](path.read_bytes())
    path.unlink()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    counts = count_files(["-"], "who", "what", kind=kind, temporary=str(tmp_path))
    assert found(counts) == {"tea": 2, "rye": 1}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "kind", "sentence"),
    [
        (b"who,what\nann,tea\nbo", "csv", "cannot be read as CSV: .*standard input"),
        (b'{"who": "ann", "wh', "jsonl", "cannot be read as JSONL: record 1 of"),
        (b"", "csv", "is empty"),
        (gzip.compress(b"", mtime=0), "csv", "is empty"),
        (
            gzip.compress(b"who,what\nann,tea\n", mtime=0)[:-9],
            "csv",
            "cannot be unpacked: it is damaged",
        ),
        (b"PAR1", "parquet", "cannot be read as PARQUET"),
    ],
    ids=["csv", "jsonl", "empty", "empty.gz", "cut.gz", "parquet"],
)
def test_of_standard_input_no_path_is_told(
    content: bytes, kind: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    with pytest.raises(IngestError, match=f"^standard input {sentence}") as told:
        count_files(["-"], "who", "what", kind=kind)
    assert "dpviz-" not in str(told.value)


def test_a_pipe_is_led_to_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.csv")
    led = r"^'pipe\.csv' is neither a file nor a folder: give it to standard input \(-"
    with pytest.raises(IngestError, match=led):
        count_files(["pipe.csv"], "who", "what")


def zstd(content: bytes) -> bytes:
    return bytes(pa.compress(content, codec="zstd", asbytes=True))


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_files_packed_by_zstd(kind: str, tmp_path: Path) -> None:
    rows = events(50)
    frame = pd.DataFrame(rows, columns=["who", "what"])
    plain = write(tmp_path / f"plain.{kind}", frame).read_bytes()
    path = tmp_path / f"log.{kind}.zst"
    path.write_bytes(zstd(plain))
    assert found(count_files([str(path)], "who", "what")) == oracle(rows)[0]
    half = len(plain) // 2
    path.write_bytes(zstd(plain[:half]) + zstd(plain[half:]))  # as tools that pack in parts do
    assert found(count_files([str(path)], "who", "what")) == oracle(rows)[0]
    for cut in (1, 4, 40):
        path.write_bytes(zstd(plain)[:-cut])
        with pytest.raises(IngestError, match="cannot be unpacked: it is damaged"):
            count_files([str(path)], "who", "what")


def test_of_a_packed_file_that_ends_between_two_blocks_nothing_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB alone would count what there is: here as many people, and one item's name cut off."""
    plain = b"who,what\n" + b"".join(b"u%d,song %d\n" % (i, i % 7) for i in range(40_000))
    monkeypatch.chdir(tmp_path)
    path = Path("log.csv.zst")
    path.write_bytes(zstd(plain))
    assert set(found(count_files([str(path)], "who", "what"))) == {f"song {i}" for i in range(7)}
    for part in range(1, 8):
        path.write_bytes(zstd(plain)[: len(zstd(plain)) * part // 8])
        with pytest.raises(IngestError, match=r"^'log\.csv\.zst' cannot be unpacked: it is"):
            count_files([str(path)], "who", "what")


@pytest.mark.usefixtures("own_duckdb")  # where file systems are registered once
class TestAddresses:
    @pytest.fixture
    def memory(self) -> Iterator[Any]:
        fsspec = pytest.importorskip("fsspec")
        system = fsspec.filesystem("memory")
        system.store.clear()
        yield system
        system.store.clear()

    def test_who_counts_from_afar_is_told_of_the_wait(
        self, memory: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        text = b"who,what\nann,tea\nbo,rye\n"
        memory.pipe_file("/afar/log.csv", text)
        (tmp_path / "log.csv").write_bytes(text)
        for path, options, told in (
            ("memory://afar/log.csv", [], True),
            ("memory://afar/log.csv", ["-q"], False),
            (str(tmp_path / "log.csv"), [], False),
        ):
            assert main(["count", path, *COLUMNS, *options]) == 0
            out, err = capsys.readouterr()
            assert "tea" in out
            assert ("minutes may pass before any progress shows" in err) is told

    @pytest.mark.twins("parquet", "csv.zst")
    @pytest.mark.parametrize("ending", ["parquet", "csv.zst", "csv.gz", "jsonl", "jsonl.zst"])
    def test_files_folders_and_patterns_anywhere(
        self, memory: Any, ending: str, tmp_path: Path
    ) -> None:
        rows = events(60)
        plain = ending.partition(".")[0]
        for path in sorted(hive(tmp_path / "logs", rows, plain).rglob("part-0*")):
            content = path.read_bytes()
            content = gzip.compress(content) if ending.endswith("gz") else content
            content = zstd(content) if ending.endswith("zst") else content
            memory.pipe_file(f"/logs/{path.parent.name}/part-0.{ending}", content)
        memory.pipe_file("/logs/_SUCCESS", b"")
        for place in ("memory://logs", f"memory://logs/*/*.{ending}"):
            assert found(count_files([place], "who", "what")) == oracle(rows)[0]
            assert set(found(count_files([place], "who", "day"))) == set(DAYS)
        one = f"memory://logs/day={DAYS[0]}/part-0.{ending}"
        assert found(count_files([one], "who", "what")) == oracle(rows[0::3])[0]

    @pytest.mark.parametrize(
        ("place", "sentence"),
        [
            ("memory://nix/log.csv", "There is no file or folder at 'memory://nix/log.csv'"),
            ("memory://nix/*.csv", r"No file matches 'memory://nix/\*\.csv'"),
            ("memory://only", r"'memory://only' is a folder that holds \.xml: name its files"),
            ("nix://a/b", "nix:// could not be read"),
        ],
    )
    def test_what_is_not_there_is_said(self, memory: Any, place: str, sentence: str) -> None:
        memory.pipe_file("/only/log.xml", b"<a/>")
        with pytest.raises(IngestError, match=sentence):
            count_files([place], "who", "what")

    def test_without_fsspec_it_says_how_to_get_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "fsspec", None)
        with pytest.raises(IngestError, match=r"s3:// needs fsspec: pip install 'dpviz\[remote"):
            count_files(["s3://bucket/log.csv"], "who", "what")

    def test_a_wrong_key_is_not_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fsspec = pytest.importorskip("fsspec")

        def refused(address: str) -> Any:
            raise PermissionError("key hunter2 is not known")

        monkeypatch.setattr(fsspec.core, "url_to_fs", refused)
        with pytest.raises(IngestError, match=r"^s3:// could not be read \(PermissionError\)\.$"):
            count_files(["s3://bucket/log.csv"], "who", "what")


@pytest.mark.long
def test_a_bucket_of_s3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = pytest.importorskip(
        "moto.server", reason="moto[server] is not installed: no S3 to read from"
    )
    s3fs = pytest.importorskip("s3fs", reason="s3fs is not installed")
    there = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    there.start()
    try:
        host, port = there.get_host_and_port()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "b")
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        rows = events(60)
        bucket = s3fs.S3FileSystem(skip_instance_cache=True)
        bucket.mkdir("logs")
        for path in hive(tmp_path / "logs", rows).rglob("part-0*"):
            bucket.put_file(str(path), f"logs/plays/{path.parent.name}/part-0.parquet")
        for place in ("s3://logs/plays", "s3://logs/plays/*/*.parquet"):
            assert found(count_files([place], "who", "what")) == oracle(rows)[0]
            assert set(found(count_files([place], "who", "day"))) == set(DAYS)
        with pytest.raises(IngestError, match=r"There is no file or folder at 's3://logs/nix'"):
            count_files(["s3://logs/nix"], "who", "what")
    finally:
        there.stop()


PLAYS = {"who": ["ann", "bo", "bo", "cy"], "what": ["tea", "tea", "rye", "gin"]}


def delta(folder: Path) -> Path:
    """A Delta table whose folder still holds the gin that was deleted."""
    deltalake = pytest.importorskip("deltalake", reason="deltalake is not installed")
    place, table = str(folder / "plays"), pa.table({**PLAYS, "year": [1, 1, 2, 2]})
    deltalake.write_deltalake(place, table, partition_by=["year"])
    deltalake.DeltaTable(place).delete("what = 'gin'")
    return folder / "plays"


def iceberg(folder: Path) -> Path:
    """The same as an Iceberg table."""
    catalogs = pytest.importorskip(
        "pyiceberg.catalog.memory",
        reason="pyiceberg or sqlalchemy is not installed",
        exc_type=ImportError,
    )
    catalog = catalogs.InMemoryCatalog("here", warehouse=str(folder))
    catalog.create_namespace("logs")
    data = pa.table({**PLAYS, "year": [1, 1, 2, 2]})
    table = catalog.create_table("logs.plays", schema=data.schema)
    table.append(data)
    table.delete("what == 'gin'")
    return Path(table.location().removeprefix("file://"))


@pytest.mark.parametrize("made", [delta, iceberg])
def test_of_a_table_the_newest_version_counts(made: Callable[[Path], Path], tmp_path: Path) -> None:
    folder = made(tmp_path)
    newest = {"tea": 2, "rye": 1}
    assert found(count_files([str(folder)], "who", "what")) == newest
    assert found(count_files([str(folder)], "who", "year")) == {"1": 2, "2": 1}
    early = RowFilter(where="year < 2 OR what = 'rye'")
    assert found(count_files([str(folder)], "who", "what", chosen=early)) == newest
    one = next(folder.rglob("*.parquet"))
    for inside in (f"{folder}/**/*.parquet", str(one), str(folder.parent)):
        with pytest.raises(IngestError, match="is part of a Delta or Iceberg table, of which not"):
            count_files([inside], "who", "what")
    with pytest.raises(ParameterError, match="columns 'who', 'what', 'year', not 'nix'"):
        count_files([str(folder)], "who", "nix")


@pytest.mark.parametrize(("mark", "needs"), [("_delta_log", "delta"), ("metadata", "iceberg")])
def test_without_the_package_of_a_table_it_says_which(
    mark: str, needs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / mark).mkdir()
    monkeypatch.setitem(sys.modules, "deltalake", None)
    monkeypatch.setitem(sys.modules, "pyiceberg.table", None)
    which = rf"is a table of {needs}, which needs .*pip install 'dpviz\[lake\]'"
    with pytest.raises(IngestError, match=which):
        count_files([str(tmp_path)], "who", "what")


@pytest.mark.parametrize(
    ("made", "asked", "sentence"),
    [
        ([], "logs", "There is no file or folder 'logs'"),
        ([], "nowhere/log.csv", r"There is no folder 'nowhere', so no file 'nowhere/log\.csv' in"),
        (["logs/"], "logs", "'logs' is a folder that is empty: name its files"),
        (["logs/a.xml", "logs/b"], "logs", r"'logs' is a folder that holds \.xml, no ending: name"),
        (["a/x.csv", "b/x.csv"], "?", r"'\?' matches folders alone \('a', 'b'\): name one, or"),
        (["logs/a.csv", "logs/b.parquet"], "logs", r"a\.csv' and 'logs/b\.parquet' are not of one"),
    ],
)
def test_what_is_not_there_is_said_truly(
    made: list[str], asked: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in made:
        Path(name.rpartition("/")[0]).mkdir(exist_ok=True)
        if not name.endswith("/"):
            Path(name).write_bytes(b"who,what\nann,tea\nbo,rye\n")
    with pytest.raises(IngestError, match=sentence):
        count_files([asked], "who", "what")


def test_a_folder_of_folders_without_columns(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    write_csv(tmp_path / "a.csv", events(20)[:9])
    write_csv(tmp_path / "deep" / "b.csv", events(20)[9:])
    assert found(count_files([str(tmp_path)], "who", "what")) == oracle(events(20))[0]


def test_folders_that_say_different_columns_are_refused(tmp_path: Path) -> None:
    for folder in ("day=1", "month=2"):
        write(tmp_path / folder / "a.parquet", pd.DataFrame({"who": ["ann"], "what": ["tea"]}))
    with pytest.raises(IngestError, match=r"cannot be read as PARQUET: .*[Hh]ive partition"):
        count_files([str(tmp_path)], "who", "what")


@pytest.mark.parametrize("refused", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_disk_that_refuses_a_copy_is_not_told_as_a_damaged_file(
    tmp_path: Path, refused: int
) -> None:
    path = tmp_path / "log.csv.gz"
    path.write_bytes(gzip.compress(b"who,what\nann,tea\n"))
    files = find_log_files([str(path)], None, tmp_path)
    refusal = pytest.raises(OSError, match=re.escape(os.strerror(refused)))
    with refusal, files.open_stored_and_unpacked(str(path)):
        raise OSError(refused, os.strerror(refused))
