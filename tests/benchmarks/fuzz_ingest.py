"""Damaged files of every kind into ingest: only valid Scores or a ParameterError may come out.

    python -m tests.benchmarks.fuzz_ingest [files of each kind] [seed]

A run is fixed by its seed. Damage is to the bytes of the file; for workbooks also to the XML inside
before it is zipped again, since a zip's checksums stop most other damage at the door.
"""

import gzip
import io
import json
import sys
import time
import zipfile
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.data.counting import scores_from_log
from dpviz.data.reading import read_pasted_text, read_table
from dpviz.data.score_sources import scores_from

FRAME = pd.DataFrame(
    {
        "item": [
            "ash",
            "béla",
            "=1+1",
            "oak, old",
            'a "b"',
            "x;y",
            "\u05d0\u05d1",
            "🌳",
            "elm",
            "elm",
        ],
        "count": [9, 14, 14, 2, 0, 7, 1, 3, 120_000, 5],
        "share": [0.5, -1.25, 1e300, 3.0, 0.0, 7.5, 1.0, 3.5, 2e-9, 5.0],
        "day": pd.date_range("2024-01-01", periods=10).date,
    }
)
JUNK = [
    b"\0", b"\xff", b"\xff\xfe", b'"', b"\n", b"\r", b",", b";", b"\t", b"NaN", b"Infinity", b"-", b"1e999", b"{", b"]",
    b"\\ud800", b"true", b"null", b"\xed\xa0\x80", b"<!ENTITY", b"&#0;", b"_xD800_", b"99999999999", b"&amp;", b"'",
    b't="s"', b't="b"', b't="e"', b't="d"', b"XFD1048576", b"<row r='99'>", b"PAR1", b"PK\x03\x04",
    b"9" * 5000, b"[" * 3000,
]  # fmt: skip


@cache
def samples() -> dict[str, list[bytes]]:
    """Sound files by ending."""
    text = FRAME.to_csv(index=False)
    workbook, plain, packed = io.BytesIO(), io.BytesIO(), io.BytesIO()
    FRAME.to_excel(workbook, index=False)
    FRAME.to_parquet(plain, compression=None)
    FRAME.to_parquet(packed, compression="snappy", row_group_size=3)
    records = FRAME.assign(day=FRAME["day"].astype(str)).to_dict("records")
    labelled = {record["item"]: record["count"] for record in records}
    return {
        ".csv": [
            text.encode(),
            text.encode("utf-8-sig"),
            text.encode("utf-16"),
            FRAME.to_csv(index=False, sep=";").encode(),
            FRAME[["item", "count"]].head(5).to_string(index=False).encode(),
            FRAME.to_csv(index=False, sep=";").encode("gb18030"),
            gzip.compress(text.encode()),
        ],
        ".tsv": [FRAME.to_csv(index=False, sep="\t").encode()],
        ".xlsx": [workbook.getvalue()],
        ".parquet": [plain.getvalue(), packed.getvalue()],
        ".jsonl": ["".join(json.dumps(record) + "\n" for record in records).encode()],
        ".json": [
            json.dumps(records).encode(),
            json.dumps(labelled).encode(),
            json.dumps(FRAME["count"].tolist()).encode(),
            FRAME[["item", "count"]].to_json().encode(),
        ],
    }


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """The content with one to four injuries, or with a few of its bytes put in the place of others.

    The second keeps lengths and offsets, and so gets deeper into a binary format.
    """
    if rng.random() < 0.5:
        swapped = bytearray(content)
        for place in rng.integers(0, len(content), rng.integers(1, 4)):
            swapped[place] = content[rng.integers(len(content))]
        return bytes(swapped)
    for _ in range(rng.integers(1, 5)):
        if not content:
            return content
        a, b = sorted(int(i) for i in rng.integers(0, len(content) + 1, 2))
        b = min(b, a + int(rng.integers(1, 64)))
        match rng.integers(0, 7):
            case 0:
                content = content[:a]
            case 1:
                content = content[:a] + content[b:]
            case 2:
                content = content[:b] + content[a:]
            case 3:
                content = content[:a] + rng.bytes(b - a) + content[b:]
            case 4:
                content = content[:a] + JUNK[rng.integers(len(JUNK))] + content[b:]
            case 5:
                content = content[:a] + JUNK[rng.integers(len(JUNK))] + content[a:]
            case _:
                flipped = bytearray(content)
                for place in rng.integers(0, len(content), rng.integers(1, 9)):
                    flipped[place] ^= 1 << int(rng.integers(0, 8))
                content = bytes(flipped)
    return content


def damaged_inside(workbook: bytes, rng: np.random.Generator) -> bytes:
    """A workbook of which one part was damaged before it was zipped."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    chosen = str(rng.choice(sorted(parts)))
    parts[chosen] = damaged(parts[chosen], rng)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as package:
        for name, part in parts.items():
            package.writestr(name, part)
    return target.getvalue()


def answered(source: Any) -> Scores:
    """Scores where what would be asked of the sound files is answered."""
    return scores_from(source, duplicates="keep", total="keep")


def outcome(name: str, content: bytes, *, kind: str | None = None) -> str:
    """What became of a file: "scores" or "refused"; anything else raises."""
    try:
        table = read_table(name, content, kind=kind)
    except ParameterError as err:
        check_sentence(err)
        return "refused"
    results = []
    for make in (answered, lambda read: scores_from_log(read, read.columns[0], read.columns[-1])):
        try:
            scores = make(table)
        except ParameterError as err:
            check_sentence(err)
            results.append("refused")
        else:
            check_scores(scores)
            results.append("scores")
    return results[0]


def pasted(text: str) -> str:
    """What became of a pasted text, as `outcome`."""
    try:
        scores = answered(read_pasted_text(text))
    except ParameterError as err:
        check_sentence(err)
        return "refused"
    check_scores(scores)
    return "scores"


def check_sentence(err: ParameterError) -> None:
    sentence = str(err)
    sentence.encode()
    if not sentence.endswith(".") or "\n" in sentence or len(sentence) > 600:
        raise AssertionError(f"no plain sentence: {sentence!r}") from err


def check_scores(scores: Scores) -> None:
    values, labels = scores.values, scores.labels
    if not (np.isfinite(values).all() and len(values) >= 2):
        raise AssertionError("scores that are not finite, or fewer than two")
    for label in labels or ():
        label.encode()
        if len(label) > 200 or any(ord(letter) < 32 for letter in label):
            raise AssertionError(f"a label that is not fit to show: {label!r}")


def fuzz(n: int, seed: int) -> Counter[tuple[str, str]]:
    """Damage `n` files of each kind, a tenth of workbooks, and count what became of them by kind.

    Each workbook is read in a process of its own.
    """
    rng = np.random.default_rng(seed)
    seen: Counter[tuple[str, str]] = Counter()
    for ending, sound in samples().items():
        for i in range(n // 10 if ending == ".xlsx" else n):
            original = sound[int(rng.integers(len(sound)))]
            inside = ending == ".xlsx" and rng.random() < 0.8
            content = damaged_inside(original, rng) if inside else damaged(original, rng)
            try:
                seen[ending, outcome("file" + ending, content)] += 1
            except Exception as err:
                raise AssertionError(f"file {i} of {ending} with seed {seed}: {err!r}") from err
    for _ in range(n):
        text = damaged(FRAME.to_csv(index=False).encode(), rng).decode("utf-8", "surrogateescape")
        seen["paste", pasted(text)] += 1
    return seen


def main() -> None:
    n, seed = (int(argument) for argument in (sys.argv[1:] + ["10000", "1"][len(sys.argv) - 1 :]))
    started = time.perf_counter()
    for (kind, what), count in sorted(fuzz(n, seed).items()):
        print(f"{kind:9} {what:8} {count:6}")
    print(f"{time.perf_counter() - started:.0f} s, nothing else came out")


if __name__ == "__main__":
    main()
