"""`agrees`: draws of an implementation held to an exact law.

Three tests each have a third of the chance of a false alarm: χ² over cells that the law alone
chose, and binomial tests of all that is unlikely and of each item. The law's own error is granted
to the draws.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Frame,
    Ints,
    Law,
    Mechanism,
    ParameterError,
    Progress,
    ReadOnlyArrays,
    ValueEquality,
    check_generator,
    check_integer,
    check_open_interval,
    ignore_progress,
    notebook_table,
    pd,
    portion,
)
from dpviz.privacy.bench.implementation_draws import Sampler, collect_draws

_LEAST_EXPECTED = 10.0
_TESTS = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Agreement(ReadOnlyArrays, ValueEquality):
    """A comparison of draws with an exact law.

    Parameters
    ----------
    p_value
        The chance, at most, of a difference this large where the law is right, over all tests.
    confidence
        The share of right implementations, at least, that pass as `holds`.
    draws
        The number of draws that were judged.
    cells
        The answers that were counted, in words, and last "anything else".
    expected, seen
        The expected and the seen number of each, shape (cells,).
    shown_by
        The largest difference, in words.
    """

    p_value: float
    confidence: float
    draws: int
    cells: tuple[str, ...]
    expected: Floats
    seen: Floats
    shown_by: str

    @property
    def holds(self) -> bool:
        """True where the draws are compatible with the law."""
        return self.p_value >= 1 - self.confidence

    def frame(self) -> Frame:
        """A row a cell: answer, expected, seen."""
        return pd.DataFrame({"answer": self.cells, "expected": self.expected, "seen": self.seen})

    def _repr_html_(self) -> str:
        rows = [
            ("p", f"{self.p_value:.3g}"),
            ("cells", len(self.cells)),
            ("differs most", self.shown_by),
        ]
        return notebook_table(
            "Draws beside the law", rows, "agree" if self.holds else "do not agree"
        )

    def __repr__(self) -> str:
        verdict = "agrees" if self.holds else "does not agree"
        seen = f"p = {self.p_value:.3g} in {self.draws:,} draws: {self.shown_by}"
        return f"Agreement({verdict}, {seen})"


def agrees(
    draw: Sampler | Mechanism,
    law: Law,
    *,
    samples: int = 100_000,
    confidence: float = 0.99,
    rng: Generator | int | None = None,
    progress: Progress = ignore_progress,
) -> Agreement:
    """Hold draws to an exact law, such as `mechanism.distribution(scores)`.

    Parameters
    ----------
    draw
        A mechanism, or a function of (scores, size, rng) that gives independent answers as item
        indices in any order, of shape (size, k) or (size,), filled up with −1.
    law
        An exact law of sets of items; `draw` runs on its scores.
    samples
        The number of draws that are judged.
    confidence
        The share of right implementations, at least, that pass.
    rng
        The generator, or its seed; None for seed 0.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Agreement
        Whether the draws agree (`holds`), `p_value`, and the largest difference.

    Raises
    ------
    ParameterError
        For a law that is estimated, and for draws that are no item indices.

    Examples
    --------
    >>> from dpviz import Canonical, Scores
    >>> m, s = Canonical(epsilon=1.0, k=1), Scores([3.0, 1.0, 0.0])
    >>> agrees(m.replace(epsilon=2.0), m.distribution(s), samples=5000).shown_by
    'item 1 came out 3,125 times, not 2,405'
    """
    if getattr(law, "method", None) != "exact":
        raise ParameterError(
            "law", law, "an exact law, as `mechanism.distribution(scores)` gives it"
        )
    samples = check_integer("samples", samples, low=1)
    confidence, rng = check_open_interval("confidence", confidence), check_generator(rng, default=0)
    world = getattr(law, "scores", None) or getattr(law, "pool", None)
    rows = collect_draws(draw, world, samples, rng, portion(progress, 0.0, 0.5))
    answers = _answers(rows, len(law.names))
    cells, chances = _cells(law, samples, rng)
    seen = _counted(answers, cells)
    progress(0.8)
    outside = max(0.0, 1.0 - float(chances.sum()))
    strays, error = samples - seen.sum(), len(cells) * law.error + 1e-12
    items = np.array([np.count_nonzero((answers == item).any(1)) for item in range(len(law.names))])
    p_cells = _chi_square(seen, chances, strays, outside, samples)
    p_strays = float(scipy.stats.binom.sf(strays - 1, samples, min(1.0, outside + error)))
    p_items = _by_item(items, np.asarray(law.chances), law.error, samples)
    p_values = np.array([p_cells, p_strays, len(items) * float(p_items.min())])
    named = [", ".join(law.names[item] for item in cell) or "nothing" for cell in cells]
    named.append("anything else")
    expected, seen = np.append(chances, outside) * samples, np.append(seen, strays)
    test = int(np.argmin(p_values))
    progress(1.0)
    return Agreement(
        p_value=float(min(1.0, _TESTS * p_values.min())),
        confidence=confidence,
        draws=samples,
        cells=tuple(named),
        expected=expected,
        seen=seen.astype(float),
        shown_by=_shown_by(test, named, expected, seen, law, items, p_items),
    )


def _answers(rows: Any, d: int) -> Ints:
    """Rows as sets: ascending, −1 first."""
    if rows.dtype.kind not in "iu" or rows.min(initial=0) < -1 or rows.max(initial=0) >= d:
        raise ParameterError(
            "the outputs of draw", rows[:1].tolist(), f"item indices from 0 to {d - 1}, or -1"
        )
    return np.sort(rows.astype(np.int64), axis=1)


def _cells(law: Law, samples: int, rng: Generator) -> tuple[list[tuple[int, ...]], Floats]:
    """The likeliest answers in draws of the law itself, ten of each expected; and their chances."""
    drawn = np.sort(law.draw(min(20_000, samples), rng), axis=1)
    rows, times = np.unique(drawn, axis=0, return_counts=True)
    often = rows[np.argsort(-times, kind="stable")[:1_000]].tolist()
    answers = [tuple(item for item in row if item >= 0) for row in often]
    chances = np.exp([law.log_probability(answer) for answer in answers])
    kept = chances * samples >= _LEAST_EXPECTED
    return [answer for answer, stays in zip(answers, kept, strict=True) if stays], chances[kept]


def _counted(answers: Ints, cells: Sequence[tuple[int, ...]]) -> Ints:
    rows, times = np.unique(answers, axis=0, return_counts=True)
    sets = (tuple(item for item in row if item >= 0) for row in rows.tolist())
    seen = dict(zip(sets, times.tolist(), strict=True))
    return np.array([seen.get(cell, 0) for cell in cells], np.int64)


def _chi_square(seen: Ints, chances: Floats, strays: int, outside: float, samples: int) -> float:
    """p of the cells, and of all else as one cell where ten are expected of it."""
    if outside * samples >= _LEAST_EXPECTED:
        seen, chances = np.append(seen, strays), np.append(chances, outside)
    if len(seen) < 2 or not seen.sum():
        return 1.0 if seen.sum() else 0.0
    expected = chances / chances.sum() * seen.sum()
    return float(scipy.stats.chi2.sf(((seen - expected) ** 2 / expected).sum(), len(seen) - 1))


def _by_item(seen: Ints, chances: Floats, error: float, samples: int) -> Floats:
    """p of each item, both ways counted, with the law's error granted."""
    low, high = np.clip(chances - error, 0.0, 1.0), np.clip(chances + error, 0.0, 1.0)
    few = scipy.stats.binom.cdf(seen, samples, low)
    many = scipy.stats.binom.sf(seen - 1, samples, high)
    return np.asarray(np.minimum(1.0, 2 * np.minimum(few, many)))


def _shown_by(
    test: int,
    cells: Sequence[str],
    expected: Floats,
    seen: Ints,
    law: Law,
    items: Ints,
    p_items: Floats,
) -> str:
    """The largest difference: a cell where the cells or strays differ, else an item."""
    if test < _TESTS - 1:
        far = np.abs(seen - expected) / np.sqrt(np.maximum(expected, 1.0))
        at = len(cells) - 1 if test else int(np.argmax(far))
        name, should, did = cells[at], float(expected[at]), int(seen[at])
    else:
        at = int(np.argmin(p_items))
        name, should, did = law.names[at], float(law.chances[at] * seen.sum()), int(items[at])
    return f"{name} came out {did:,} times, not {round(should):,}"
