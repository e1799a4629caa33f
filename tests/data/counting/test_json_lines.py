"""JSON lines: counted as the same rows in another format are, whatever counts them; what is no
record has its line.
"""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from dpviz import Cancelled, ParameterError
from dpviz.__main__ import main
from dpviz.data.counting import Counts, count_files
from dpviz.data.reading import IngestError

pytest.importorskip("duckdb")
pytest.importorskip("ibis")

pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option"),
]

engines = pytest.mark.parametrize("engine", ["pandas", "duckdb"])


def found(counts: Counts) -> dict[str, int]:
    return dict(zip(counts.table["item"], counts.table["score"].tolist(), strict=True))


def written(path: Path, *lines: str) -> str:
    content = "\n".join(lines).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return str(path)


@engines
def test_ragged_records_and_values_of_several_types(engine: str, tmp_path: Path) -> None:
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
        '{"who": "a\\ud800", "what": "r\\u0000ye"}',
        '{"who": null, "what": "tea"}',
        '{"who": "", "what": "tea"}',
        '{"who": NaN, "what": "tea"}',
        '{"who": "bo"}',
        "{}",
    )
    counts = count_files([path], "who", "what", engine=engine, missing="skip")
    assert found(counts) == {"tea": 3, "rye": 2, "3": 1, "r ye": 1}
    assert (counts.rows, counts.left_out, counts.engine) == (16, 5, engine)
    with pytest.raises(
        IngestError,
        match=(
            r"Of 16 rows 4 have no person and 2 no|line 13: the person in column 'who' is missing"
        ),
    ):
        count_files([path], "who", "what", engine=engine)


@engines
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('{"who": "ann", "what": "tea"', r"Line 3 of '.*' is not JSON \(character \d+\)\."),
        ('{"who": "ann", "what": "tea"}{', r"Line 3 of '.*' is not JSON \(character 30\)\."),
        ("who,what", "Line 3 of '.*' is not JSON"),
        ("[1, 2]", "Line 3 of '.*' is no record such as"),
        ('"ann"', "Line 3 of '.*' is no record such as"),
        (
            '{"who": ["ann"], "what": "tea"}',
            "Line 3 of '.*': 'who' is a list, where one value is needed",
        ),
        (
            '{"who": "ann", "what": {"name": "tea"}}',
            "Line 3 of '.*': 'what' is a record, where one value is needed",
        ),
        ('{"who": "ann", "what": "tea", "who": "bo"}', "Line 3 of '.*' has 'who' twice"),
        ('{"who": ' + "[" * 100_000 + "]" * 100_000 + "}", "Line 3 of '.*' is nested too deeply"),
        ('{"who": "\udcff"}', "Line 3 of '.*' is not text in UTF-8"),
        ('{"who": "' + "a" * 2000 + '"}', "Line 3 of '.*' has more than 1,000 bytes"),
    ],
    ids=[
        "cut",
        "two",
        "csv",
        "list",
        "text",
        "list of people",
        "record",
        "twice",
        "deep",
        "bytes",
        "long",
    ],
)
def test_a_broken_line_is_told(
    engine: str, line: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "more than" in sentence:
        monkeypatch.setattr("dpviz.data.counting.json_lines._LONGEST", 1000)
    path = tmp_path / "log.jsonl"
    start = '{"who": "ann", "what": "tea"}\n\n'
    path.write_bytes((start + line + "\n").encode("utf-8", "surrogateescape"))
    with pytest.raises(IngestError, match=f"^{sentence}") as refused:
        count_files([str(path)], "who", "what", engine=engine)
    assert "\n" not in str(refused.value)


@engines
@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["", "  "], "is empty"),
        (['{"a": 1, "b": 2}'] * 3, "person must be one of the columns 'a', 'b', not 'who'"),
        (['{"who": 1, "b": 2}'] * 3, "item must be one of the columns 'who', 'b', not 'what'"),
        (['{"who": 1, "what": 2}'] * 3, "only 1 item|has only one item"),
    ],
)
def test_files_that_cannot_be_counted(
    engine: str, lines: list[str], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match=sentence):
        count_files([written(tmp_path / "log.ndjson", *lines)], "who", "what", engine=engine)
    with pytest.raises(ParameterError, match="item must be another column than the person's"):
        count_files([written(tmp_path / "log.ndjson", '{"who": 1}')], "who", "who", engine=engine)


@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_packed_lines_in_several_files_are_counted_a_batch_at_a_time(
    batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpviz.data.counting.json_lines._BATCH", batch)
    draw = random.Random(8)
    rows = [(draw.randrange(20), f"item {draw.randrange(9)}") for _ in range(300)]
    lines = [json.dumps({"who": who, "what": what}) for who, what in rows]
    paths = [written(tmp_path / f"{i}.jsonl.gz", *lines[i::2]) for i in range(2)]
    told: list[float] = []
    counts = count_files(paths, "who", "what", progress=told.append)
    assert found(counts) == {
        item: len({who for who, what in rows if what == item}) for _, item in rows
    }
    assert (counts.engine, counts.rows) == ("duckdb", 300)
    assert told == sorted(told)
    assert told[-1] == 1.0

    def stop(_fraction: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        count_files(paths, "who", "what", progress=stop)


def test_a_packed_file_that_is_cut_or_damaged_is_told(tmp_path: Path) -> None:
    whole = gzip.compress(
        b"".join(b'{"who": %d, "what": %d}\n' % (i * 7919 % 10007, i % 50) for i in range(60_000))
    )
    for name, content in {
        "cut": whole[: len(whole) // 2],
        "not": b"{}",
        "bad": whole[:200] + b"\xff" * 50,
    }.items():
        path = tmp_path / f"{name}.jsonl.gz"
        path.write_bytes(content)
        with pytest.raises(
            IngestError, match=r"cannot be unpacked: it is damaged from line [\d,]+ on"
        ):
            count_files([str(path)], "who", "what")


def test_the_command_counts_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows: list[dict[str, Any]] = [
        {"who": 1, "what": "tea"},
        {"who": 2, "what": "tea"},
        {"who": 2, "what": "rye"},
    ]
    path = written(tmp_path / "log.txt", *map(json.dumps, rows))
    argv = ["count", path, "--kind", "jsonl", "--person-column", "who", "--item-column", "what"]
    assert main(argv) == 0
    assert capsys.readouterr().out.split() == ['"item","score"', '"tea",2', '"rye",1']
