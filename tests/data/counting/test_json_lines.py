"""JSON lines: counted as the same rows in another format are; what is no record is told."""

import gzip
import json
from pathlib import Path

import pytest

from dpviz import ParameterError
from dpviz.__main__ import main
from dpviz.data.counting import MissingCells, count_files
from dpviz.data.reading import IngestError
from tests.data.counting.test_counting import COLUMNS, events, found, oracle

pytestmark = pytest.mark.usefixtures("one_duckdb")


def written(path: Path, *lines: str) -> str:
    content = "\n".join(lines).encode("utf-8", "surrogateescape")
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return str(path)


def test_ragged_records_and_values_of_several_types(tmp_path: Path) -> None:
    path = written(
        tmp_path / "log.jsonl",
        '\ufeff{"who": 7, "what": "tea"}',
        '{"what": "tea", "who": "7", "when": {"deep": [1, {}]}}',
        "",
        '  {"who": 7.0, "what": "tea ", "who knows": null}\r',
        '{"who": 9007199254740993, "what": "tea"}',
        '{"who": 9007199254740992, "what": "tea"}',
        '{"who": true, "what": "rye"}',
        '{"who": "True", "what": "rye"}',
        '{"who": "7.0", "what": "rye"}',
        '{"who": "caf\\u00e9", "what": 3}',
        '{"who": "cafe\\u0301", "what": 3.0}',
        '{"who": "a", "what": "r\\u0000ye"}',
        '{"who": null, "what": "tea"}',
        '{"who": "", "what": "tea"}',
        '{"who": NaN, "what": "tea"}',
        '{"who": "bo"}',
        "{}",
    )
    counts = count_files([path], "who", "what", missing="skip")
    assert found(counts) == {"tea": 3, "rye": 2, "3": 1, "r ye": 1}
    assert (counts.rows, counts.left_out) == (16, 5)
    with pytest.raises(MissingCells, match="4 of 16 rows have no person, and 2 no item"):
        count_files([path], "who", "what")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('{"who": "ann", "what": "tea"', "record 2 of .*: unexpected end"),
        ('{"who": "ann", "what": "tea"}{', "record 2 of .*: unexpected content after document"),
        ("who,what", "record 2 of .*: unexpected character"),
        ("[1, 2]", "record 2 of .*: Expected OBJECT, but got ARRAY"),
        ('"ann"', "record 2 of .*: Expected OBJECT, but got VARCHAR"),
        ('{"who": ["ann"], "what": "tea"}', "'who' is a list or a record, where one value"),
        ('{"who": "ann", "what": {"a": 1}}', "'what' is a list or a record, where one value"),
        ('{"who": "ann", "what": "tea", "who": "bo"}', "record 2 of .* duplicate key"),
        ('{"who": ' + "[" * 100_000 + "]" * 100_000 + "}", "'who' is a list or a record"),
        ('{"who": "\udcff"}', "record 2 of .*: invalid UTF-8"),
        ('{"who": 1e300, "what": 123456789012345678901234567890}', "too large to differ"),
    ],
    ids=[
        *("cut", "two", "csv", "list", "text", "list of people", "record", "twice", "deep"),
        *("bytes", "large"),
    ],
)
def test_a_broken_line_is_told(line: str, sentence: str, tmp_path: Path) -> None:
    path = written(tmp_path / "log.jsonl", '{"who": "ann", "what": "tea"}', "", line, "")
    with pytest.raises(IngestError, match=sentence) as refused:
        count_files([path], "who", "what")
    assert "\n" not in str(refused.value)


def test_a_key_that_only_late_lines_have_is_found(tmp_path: Path) -> None:
    lines = ['{"who": 1, "what": "tea"}'] * 2_000 + ['{"who": 2, "what": "rye", "land": "CH"}'] * 2
    path = written(tmp_path / "log.jsonl", *lines)
    assert found(count_files([path], "who", "what")) == {"tea": 1, "rye": 1}
    with pytest.raises(ParameterError, match="has only one item"):
        count_files([path], "who", "land", missing="skip")


def test_packed_lines_in_several_files(tmp_path: Path) -> None:
    rows = events(300)
    lines = [json.dumps({"who": who, "what": what}) for who, what in rows]
    paths = [written(tmp_path / f"{i}.jsonl.gz", *lines[i::2]) for i in range(2)]
    counts = count_files(paths, "who", "what")
    assert (found(counts), counts.rows) == (oracle(rows)[0], 300)


def test_a_packed_file_that_is_cut_or_damaged_is_told(tmp_path: Path) -> None:
    lines = (b'{"who": %d, "what": %d}\n' % (i * 7919 % 10007, i % 50) for i in range(60_000))
    whole = gzip.compress(b"".join(lines))
    path = tmp_path / "log.jsonl.gz"
    for content in (whole[: len(whole) // 2], b"{}", whole[:200] + b"\xff" * 50):
        path.write_bytes(content)
        with pytest.raises(IngestError, match=r"cannot be (unpacked|read as JSON)|could not count"):
            count_files([str(path)], "who", "what")


def test_the_command_counts_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "log.txt", '{"who": 1, "what": "tea"}', '{"who": 2, "what": "rye"}')
    assert main(["count", path, "--kind", "jsonl", *COLUMNS]) == 0
    assert capsys.readouterr().out.split() == ['"item","score"', '"rye",1', '"tea",1']
