"""Files that a command reads, or standard input for "-"."""

import sys
from pathlib import Path

from dpviz.base import Progress
from dpviz.data.reading import MAX_BYTES, Table, read_table
from dpviz.data.reading.files import read_limited_file
from dpviz.data.reading.guessing.item_lists import read_listed_names


def input_name(text: str) -> str:
    return "standard input" if text == "-" else Path(text).name


def read_name_list(path: str) -> list[str]:
    """Names in a list: the lines of a text, or the names in a table."""
    return read_listed_names(input_name(path), read_file_up_to_limit(path))


def read_file_table(path: str, kind: str | None, progress: Progress) -> Table:
    """Table in a file, of this kind, else of the kind that is found out."""
    return read_table(Path(path).name, read_file_up_to_limit(path), kind=kind, progress=progress)


def read_whole_file(name: str) -> bytes:
    """Content of a file, or of standard input for "-"."""
    return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()


def read_file_up_to_limit(name: str) -> bytes:
    """Content of a data file, or of standard input for "-", little more than the limit."""
    if name == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    return read_limited_file(Path(name), name)
