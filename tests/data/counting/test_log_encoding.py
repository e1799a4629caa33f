"""Logs that are not in UTF-8 count as if they were, and the guess is said."""

import gzip
import tracemalloc
from pathlib import Path

import pytest

from dpviz.data.counting import count_files
from dpviz.data.counting.locations import LogFiles
from dpviz.data.counting.log_encoding import utf8_files_and_remark
from dpviz.data.reading import IngestError

pytestmark = pytest.mark.usefixtures("one_duckdb")
ROWS = [(f"L{n % 7}", ("Öl", "Grüße", "Krabat")[n * n % 3 if n % 5 else 0]) for n in range(60)]
LOG = "Leser;Titel\n" + "".join(f"{who};{what}\n" for who, what in ROWS)
PEOPLE = {what: len({who for who, item in ROWS if item == what}) for _, what in ROWS}


def counted(pattern: Path, encoding: str | None = None) -> tuple[dict[str, int], tuple[str, ...]]:
    counts = count_files([str(pattern)], "Leser", "Titel", encoding=encoding)
    return dict(zip(counts.table["item"], counts.table["score"], strict=True)), counts.notes


@pytest.mark.parametrize("encoding", ["latin-1", "cp850", "utf-16", "utf-8", "utf-8-sig"])
@pytest.mark.parametrize("packed", [False, True])
def test_items_have_their_letters(tmp_path: Path, encoding: str, packed: bool) -> None:
    content = LOG.encode(encoding)
    file = tmp_path / f"log.csv{'.gz' if packed else ''}"
    file.write_bytes(gzip.compress(content) if packed else content)
    items, notes = counted(file)
    assert items == PEOPLE
    assert ("Its letters are read as" in notes[0]) is not encoding.startswith("utf")


def test_a_said_encoding_is_taken_for_all_files_and_folders_stay_columns(tmp_path: Path) -> None:
    for day in ("1", "2"):
        (tmp_path / f"day={day}").mkdir()
        (tmp_path / f"day={day}" / "log.csv").write_bytes(LOG.encode("cp1252"))
    items, notes = counted(tmp_path, "cp1252")
    assert items == PEOPLE
    assert not any("letters" in note for note in notes)
    days = count_files([str(tmp_path)], "day", "Titel").table
    assert set(days["score"]) == {2}


@pytest.mark.parametrize(
    "encodings",
    [("cp1252", "utf-8"), ("utf-8", "cp1252"), ("utf-8", "utf-16"), ("utf-16", "cp1252")],
)
def test_each_file_of_a_log_has_letters_of_its_own(
    encodings: tuple[str, str], tmp_path: Path
) -> None:
    for number, encoding in enumerate(encodings):
        (tmp_path / f"{number}.csv").write_bytes(LOG.encode(encoding))
    items, notes = counted(tmp_path)
    assert items == PEOPLE
    said = [note for note in notes if "Its letters are read as" in note]
    assert [f"{number}.csv" in note for note in said for number in (0, 1)] == [
        name == "cp1252" for name in encodings if "cp1252" in encodings
    ]


def test_a_letter_at_the_end_of_what_is_looked_at_may_be_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, content = tmp_path / "log.csv", LOG.encode()
    file.write_bytes(content)
    monkeypatch.setattr("dpviz.data.counting.files._TELLING", content.rindex("Ö".encode()) + 1)
    assert counted(file)[0] == PEOPLE


def test_a_packed_file_in_letters_of_its_own_that_is_cut_short_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpviz.data.counting.files._TELLING", 2_000)
    rows = "".join(f"L{n * 7919 % 10_007};Öl {n * 104_729 % 10_007}\n" for n in range(40_000))
    file = tmp_path / "log.csv.gz"
    file.write_bytes(gzip.compress(f"Leser;Titel\n{rows}".encode("cp1252"))[:-9])
    with pytest.raises(IngestError, match=r"cannot be unpacked: it is damaged or cut short\.$"):
        counted(file)


def test_a_wrong_encoding_is_refused_and_an_error_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "log.csv"
    file.write_bytes(LOG.encode("cp1252"))
    with pytest.raises(IngestError, match="is not SHIFT_JIS text: save it as UTF-8"):
        counted(file, "shift_jis")
    file.write_text(LOG + "Lea;Öl;3\n", encoding="cp1252")
    with pytest.raises(IngestError, match="cannot be read as CSV") as told:
        counted(file)
    assert str(file) in str(told.value)


def test_of_many_files_only_one_beginning_is_held_and_none_is_read_for_a_said_encoding(
    tmp_path: Path,
) -> None:
    size, files = 4_000_000, LogFiles(paths=tuple(map(str, range(12))))
    tracemalloc.start()
    try:
        same, _ = utf8_files_and_remark(
            files, lambda path: b"Leser;Titel\n" * (size // 12), None, tmp_path
        )
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert same is files
    assert peak < 6 * size  # of the one, its letters and what looks at them
    read = list[str]()
    utf8_files_and_remark(files, lambda path: read.append(path) or b"", "utf-8", tmp_path)  # type: ignore[func-returns-value]
    assert not read
