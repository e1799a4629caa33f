"""The protocol of `dpviz.base.law`: `broken` says what is wrong with a law of any kind."""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dpviz.base.law import Law, OutcomeComparison
from tests import meters

DRAWS = 2000
Answers = dict[Sequence[int], float]


def broken(law: Law, again: Law, looks: int = 1) -> list[str]:
    """Sentences on what this law does not keep; `again` is another law of the same data."""
    if told := list(_shapes(law)):
        return told
    by_answer = _by_answer(law)
    told = [*_sums(law), *_framed(law), *_drawn(law, looks, by_answer)]
    return [*told, *_answers(law, by_answer), *_compared(law, again)]


def _shapes(law: Law) -> Iterator[str]:
    if not all(isinstance(name, str) and name for name in law.names):
        yield "names: not all texts"
    if law.chances.shape != (len(law.names),):
        yield f"chances: shape {law.chances.shape} for {len(law.names)} names"
    if not ((law.chances >= 0) & (law.chances <= 1)).all():
        yield "chances: not all in 0..1"
    if not 0 <= law.incomplete_list_probability <= 1:
        yield f"nothing: {law.incomplete_list_probability}"
    if (law.method, law.draws > 0) not in (("exact", False), ("estimated", True)):
        yield f"method: {law.method} from {law.draws} draws"
    if law.method == "exact" and not 0 <= law.error <= 1e-8:
        yield f"error: {law.error}"
    low, high = law.bounds(law.chances)
    if not ((low <= law.chances) & (law.chances <= high)).all():
        yield "bounds: not around the chances"


def _sums(law: Law) -> Iterator[str]:
    """As many names come out as are asked for, where it is certain that no fewer do."""
    total, slack = float(law.chances.sum()), len(law.names) * min(law.error, 1e-9) + 1e-9
    nothing, one = law.incomplete_list_probability, law.draw(1, 0).shape == (1, 1)
    if law.requested_count == 1 and one and abs(total + nothing - 1) > slack:
        yield f"chances and nothing add up to {total + nothing}"
    if total < law.requested_count * (1 - nothing) - slack:
        yield f"chances add up to {total}, less than comes out"


def _framed(law: Any) -> Iterator[str]:
    """A table of figures or of all chances, each with its bounds and method."""
    table, chances = law.frame(), [*law.chances, law.incomplete_list_probability]
    if {"value", "low", "high", "method"} - {*table}:
        yield f"frame: columns {[*table]}"
    if "name" in table and not np.array_equal(table["value"], chances):
        yield "frame: not the chance of every name, and of nothing"


def _drawn(law: Law, looks: int, by_answer: Answers) -> Iterator[str]:
    """Names one by one lie where Clopper–Pearson allows it, and whole answers pass a χ² test."""
    rows = law.draw(DRAWS, np.random.default_rng(1))
    few, again = (law.draw(20, np.random.default_rng(1)) for _ in range(2))
    if len(rows) != DRAWS or not np.array_equal(few, again):
        yield "draw: other answers from the same generator"
    drawn = [tuple(row[row >= 0].tolist()) for row in rows]
    if any(tuple(sorted(set(row))) != row for row in drawn):
        yield "draw: not each name once, in ascending order"
    count = np.array([sum(at in row for row in drawn) for at in range(len(law.names))])
    fewer = sum(len(row) < law.requested_count for row in drawn)
    low, high = meters.interval(np.append(count, fewer), DRAWS, looks * (len(count) + 1))
    chance = np.append(law.chances, law.incomplete_list_probability)
    if ((chance < low - 1e-9) | (chance > high + 1e-9)).any():
        yield f"draw: {np.append(count, fewer)} of {DRAWS}, not {np.round(chance, 4)}"
    if law.method == "exact" and (off := meters.disagreement(drawn, by_answer, looks)):
        yield f"draw: {off}"


def _answers(law: Law, by_answer: Answers) -> Iterator[str]:
    """The answers add up to 1, and those with a name in them to its chance."""
    fewer = law.incomplete_list_probability
    sums = [(math.fsum(by_answer.values()), 1.0, "all")]
    for at, chance in enumerate(law.chances.tolist()):
        sums.append(
            (math.fsum(p for answer, p in by_answer.items() if at in answer), chance, f"name {at}")
        )
    short = math.fsum(p for answer, p in by_answer.items() if len(answer) < law.requested_count)
    for told, right, what in (*sums, (short, fewer, "fewer than asked")):
        if abs(told - right) > 1e-7:
            yield f"log_probability: {told} of {what}, not {right}"


def _by_answer(law: Law) -> Answers:
    most = law.draw(1, 0).shape[1]
    sizes = range(0 if law.incomplete_list_probability > 0 else law.requested_count, most + 1)
    every: list[tuple[int, ...]] = [
        answer for size in sizes for answer in itertools.combinations(range(len(law.names)), size)
    ]
    return {answer: math.exp(law.log_probability(answer)) for answer in every}


def _compared(law: Law, again: Law) -> list[str]:
    """Beside itself: the same chances, disjoint ones that add up to 1, each output with words."""
    both: Any = None if law.method == "estimated" else law.compare_outcomes(again)
    if both is None:
        return []
    if not isinstance(both, OutcomeComparison) or not np.array_equal(both.here, both.there):
        return ["loss: two worlds that are one differ"]
    worded = all(both.output(at).text for at in range(len(both.here)))
    told = [] if worded else ["loss: an output without words"]
    if not both.events and both.whole and abs(both.here.sum() - 1) > 1e-8:
        told.append(f"loss: outputs add up to {both.here.sum()}")
    return told
