"""Neighbours: scores of two data sets that differ in one person, and typical persons.

Symbols: a step is every item's move when the person is gone, in units of Δ: −1 for each of the
person's items, and +1 (general scores) for each item of a replacement.
"""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from dpviz.base import Floats, Ints, ParameterError, Scores, check_integer
from dpviz.candidates import CandidatePool
from dpviz.privacy.item_alignment import align_items


def neighbouring(scores: Scores, other: Scores) -> bool:
    """True where one person can turn one score vector into the other; labels align them."""
    return explain_not_neighbouring(*align_items(scores, other)) is None


def explain_not_neighbouring(scores: Scores, other: Scores) -> str | None:
    """The reason why no person can turn one score vector into the other; None where one can."""
    told_of = ("d", "sensitivity", "monotonic", "contributions", "names_known", "sensitivities")
    for told in told_of:
        here, there = getattr(scores, told), getattr(other, told)
        if not np.array_equal(here, there):
            return f"{told} is {here} here and {there} there, which no person changes"
    moved, limit = other.values - scores.values, scores.item_sensitivities
    far, most = int(np.argmax(np.abs(moved) / limit)), max_moved_scores(scores)
    if abs(moved[far]) > limit[far] * (1 + 1e-12):
        step = f"{abs(moved[far]):.6g}"
        return (
            f"{scores.label(far)} moves by {step}, more than {limit[far]:.6g}:"
            f" sensitivity={step} where one person can do that"
        )
    both_ways = scores.monotonic and moved.min() < 0 < moved.max()
    if both_ways and isinstance(pair := scores.sensitivities, tuple):
        # added it stays within −fall and rise, removed within −rise and fall
        falls, rises = -float(moved.min()), float(moved.max())
        ways = ((falls, rises), (rises, falls))
        if not any(a <= pair[0] * (1 + 1e-12) and b <= pair[1] * (1 + 1e-12) for a, b in ways):
            return (
                f"scores fall by {falls:.6g} and rise by {rises:.6g}, more than {pair} either way"
            )
    elif both_ways:
        up, down = scores.label(int(np.argmax(moved))), scores.label(int(np.argmin(moved)))
        return f"{up} rises and {down} falls: monotonic=False where one person replaces another"
    if (many := int(np.count_nonzero(moved))) > most:
        last = scores.label(int(np.flatnonzero(moved)[-1]))
        return (
            f"{many:,} items move, {last} too, and at most {most:,} can: a larger contributions, or"
            " None"
        )
    return None


def check_neighbour(scores: Scores, other: Scores) -> None:
    if reason := explain_not_neighbouring(scores, other):
        raise ParameterError(
            "neighbour", other, f"scores that one person can make of the first ones ({reason})"
        )


def max_moved_scores(scores: Scores) -> int:
    """The most scores that can differ between neighbours."""
    if scores.contributions is None:
        return scores.d
    return min(scores.d, scores.contributions if scores.monotonic else 2 * scores.contributions)


def move_scores(scores: Scores, unit_step: Floats) -> Scores:
    """The scores after item i moved by step_i·Δ_i, step_i in −1..1."""
    return replace(scores, values=scores.values + _move(scores, unit_step))


def _move(scores: Scores, step: Floats) -> Floats:
    if not scores.monotonic or not isinstance(pair := scores.sensitivities, tuple):
        return np.asarray(step * scores.item_sensitivities)
    # a person is added if more goes up than down, and removed otherwise
    fall, rise = pair if step.sum() >= 0 else pair[::-1]
    return np.asarray(np.where(step > 0, step * rise, step * fall))


def drop_moves_below_zero(scores: Scores, unit_step: Floats) -> Floats:
    """The step without the moves that would bring a count below 0."""
    counts = scores.monotonic and bool((scores.values >= 0).all())
    return np.where(counts & (scores.values + _move(scores, unit_step) < 0), 0.0, unit_step)


def max_items_per_person(scores: Scores | CandidatePool) -> int:
    return min(scores.d, scores.contributions or scores.d)


def average_item_count_per_person(scores: Scores, people: int | None = None) -> int:
    """The number of items of an average person: Σf/(Δ·people), rounded, at least 1."""
    weight = _weight(scores)
    largest = float(weight.max())
    # without their number as few people as the largest score allows
    behind = largest if people is None else people * scores.sensitivity
    share = float((weight / largest).sum()) * (largest / behind) if largest else 1.0
    return min(max(1, round(share)), max_items_per_person(scores))


def average_person_items(scores: Scores, size: int) -> Ints:
    """`size` items, the best first, sampled systematically in proportion to their scores."""
    size = check_integer("size", size, low=1, high=scores.d)
    weight = _weight(scores)[scores.order]
    if not weight.any():
        weight = np.ones(scores.d)
    certain = np.zeros(scores.d, bool)
    while True:
        left, rest = size - int(certain.sum()), np.where(certain, 0.0, weight)
        sure = (rest * left >= rest.sum()) & (rest > 0)
        if not left or not sure.any():
            break
        certain |= sure & (np.cumsum(sure) <= left)
    chosen = certain.copy()
    if left and rest.any():
        total = np.cumsum(rest)
        hit = np.searchsorted(total, (np.arange(left) + 0.5) / left * total[-1], side="right")
        chosen[np.minimum(hit, scores.d - 1)] = True
    missing = size - int(chosen.sum())  # where fewer items than asked for have any weight
    chosen[np.flatnonzero(~chosen)[:missing]] = True
    return scores.order[chosen]


def person_unit_step(
    scores: Scores,
    items: Iterable[int],
    replacement_items: Iterable[int] = (),
    *,
    joins: bool = False,
) -> Floats:
    hers, theirs = _checked(scores, "items", items), _checked(scores, "other", replacement_items)
    if scores.monotonic and len(theirs):
        raise ParameterError("other", theirs.tolist(), "empty where one person is added or removed")
    step = np.zeros(scores.d)
    step[hers] += 1.0 if joins and scores.monotonic else -1.0
    step[theirs] += 1.0
    return drop_moves_below_zero(scores, step)


def _checked(scores: Scores, name: str, items: Iterable[int]) -> Ints:
    found = np.array(
        sorted({check_integer(name, item, low=0, high=scores.d - 1) for item in items}), np.int64
    )
    if len(found) > max_items_per_person(scores):
        raise ParameterError(
            f"the number of {name}", len(found), f"at most {max_items_per_person(scores):,}"
        )
    return found


def _weight(scores: Scores) -> Floats:
    return np.asarray(np.maximum(scores.values - min(0.0, float(scores.values.min())), 0.0), float)
