"""Scores in a scenario's file, in pieces that together equal `json.dumps` with an indent of 1."""

import json
from collections.abc import Iterator, Sequence

import numpy as np

from dpviz.base import Floats, Progress, Scores, ignore_progress, portion

_AT_ONCE = 10_000
_BETWEEN = ",\n   "


def scores_json_pieces(scores: Scores, progress: Progress) -> Iterator[str]:
    """The entry "scores" of a scenario file, in pieces."""
    yield ' "scores": {\n  "values": '
    yield from _list(scores.values, portion(progress, 0.0, 0.5))
    yield ',\n  "labels": '
    if scores.labels is None:
        yield "null"
    else:
        yield from _list(scores.labels, portion(progress, 0.5, 1.0))
    if isinstance(scores.sensitivities, np.ndarray):
        yield ',\n  "sensitivities": '
        yield from _list(scores.sensitivities, ignore_progress)
    yield "\n }"


def _list(entries: Sequence[str] | Floats, progress: Progress) -> Iterator[str]:
    before = "[\n   "
    for start in range(0, len(entries), _AT_ONCE):
        progress(start / len(entries))
        yield before + _lines(entries[start : start + _AT_ONCE])
        before = _BETWEEN
    yield "\n  ]"


def _lines(entries: Sequence[str] | Floats) -> str:
    plain = entries.tolist() if isinstance(entries, np.ndarray) else entries
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(_BETWEEN, ": "))[1:-1]
