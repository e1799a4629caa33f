"""Events in draws of two worlds, and the choice of one without bias.

Invariant: one part of the draws says which outputs look more likely where, one chooses an event,
and the last half judges it. Only the judged counts make a bound.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.base import Bools, Floats, Ints, tally
from dpviz.privacy.bench.implementation_draws import Rows

LEARN, CHOOSE, JUDGE = range(3)
_UNIONS = 64
_NAMED = 3


OutputEvent = tuple[str, Bools]
"""A set of outputs: in words, and a mask of the distinct outputs in it."""


@dataclass(frozen=True, eq=False)
class OutputCounts:
    """Counts of each distinct output by world and part, shape (2, 3, outputs)."""

    outputs: Ints
    values: list[str]
    counts: Ints

    def event_counts(self, mask: Bools) -> Ints:
        return np.asarray(self.counts[:, :, mask].sum(2))


def count_outputs(
    scores_draws: Rows, neighbour_draws: Rows, describe_output: Callable[[Any], str]
) -> OutputCounts:
    rows = np.concatenate([scores_draws, neighbour_draws])
    part = np.concatenate(
        [
            np.searchsorted([len(side) // 4, len(side) // 2], np.arange(len(side)), side="right")
            for side in (scores_draws, neighbour_draws)
        ]
    )
    world = np.repeat([0, 1], [len(scores_draws), len(neighbour_draws)])
    learned = rows[part == LEARN]
    if rows.dtype.kind == "f" and not (learned == np.round(learned)).all():
        cuts = np.unique(np.quantile(learned, np.linspace(0, 1, 33)[1:-1]))
        codes = np.searchsorted(cuts, rows)
        values = [f"up to {cut:.4g}" for cut in cuts] + [f"above {cuts[-1]:.4g}"]
    else:
        found, back = np.unique(rows, return_inverse=True)
        codes, values = (
            back.reshape(rows.shape),
            [describe_output(value) for value in found.tolist()],
        )
    outputs, which = np.unique(codes, axis=0, return_inverse=True)
    counts = tally((world * 3 + part) * len(outputs) + which.ravel(), size=6 * len(outputs))
    return OutputCounts(outputs, values, counts.reshape(2, 3, len(outputs)).astype(np.int64))


def generate_candidate_events(output_counts: OutputCounts) -> Iterator[OutputEvent]:
    """All unions, values and sums to choose from, settled by the first part of the draws alone."""
    here, there = output_counts.counts[:, LEARN]
    known = np.flatnonzero(here + there)
    yield from _unions(output_counts, known, here[known] + 0.5, there[known] + 0.5)
    width, size = output_counts.outputs.shape[1], len(output_counts.values)
    if width == 1:
        return
    flat = output_counts.outputs.ravel()
    often, other = (tally(flat, np.repeat(counts, width), size) for counts in (here, there))
    codes = np.argsort(-(often + other), kind="stable")[
        : min(64, np.count_nonzero(often + other))
    ].tolist()
    for code in codes:
        value = output_counts.values[code]
        yield f"{value} comes out", (output_counts.outputs == code).any(1)
        for column in range(min(width, 16)):
            yield f"{value} stands at place {column + 1}", output_counts.outputs[:, column] == code
    total = np.log((often + 1) / (other + 1))[output_counts.outputs].sum(1)
    for cut in np.unique(np.quantile(total[known], np.linspace(0, 1, _UNIONS)[1:-1])).tolist():
        told = "what the values of a row tell one by one adds up to a lot"
        yield told, total > cut


def _unions(seen: OutputCounts, known: Ints, here: Floats, there: Floats) -> Iterator[OutputEvent]:
    """Unions of the first outputs likelier here, then there, the surest signs first."""
    for told in (np.log(here / there), np.log(there / here)):
        best = known[np.argsort(np.sqrt(1 / here + 1 / there) - told, kind="stable")]
        place = np.full(len(seen.outputs), len(best))
        place[best] = np.arange(len(best))
        for size in np.unique(np.geomspace(1, len(best), _UNIONS).astype(int)).tolist():
            rows = seen.outputs[best[: min(size, _NAMED)]].tolist()
            words = " or ".join(f"({', '.join(seen.values[code] for code in row)})" for row in rows)
            more = f", or {size - _NAMED:,} others" if size > _NAMED else ""
            yield f"the output is {words}{more}", place < size
