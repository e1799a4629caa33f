"""The headline figures of one mechanism: named events, how many are right, how far down the worst one lies."""

import math

import numpy as np

from dpviz.charts.words import number, percent, power
from dpviz.topk.classes import EVENTS, log_set_count
from dpviz.ui.shell.badges import badge
from dpviz.ui.shell.explain import term
from dpviz.ui.shell.show import card, cards
from dpviz.ui.work.answer import Answer

__all__ = ["WORDS", "headline"]

WORDS = ("release", "chance", "top", "great", "good", "hits", "drop_rate", "spurious_rate", "cutoff", "distance")
"""What the first screen says, in the glossary's names."""


def headline(answer: Answer, *, events: tuple[str, ...]) -> None:
    """The figures of merit; events that are one and the same share a line, OPTIMAL stands where ties make it differ."""
    k = answer.mechanism.k
    above, at_or_above = answer.scores.tied(k)
    tied = at_or_above > k
    alike = power(float(log_set_count(np.array(above), np.array(at_or_above), k)) / math.log(10))
    kinds: dict[str, list[str]] = {}
    for name in events:
        if name != "optimal" or tied:
            kinds.setdefault(_meaning(name, answer.bounds(name), k, alike if tied else ""), []).append(name)
    lines = [name for name in events if name != "optimal"]
    shown = []
    for meaning, names in kinds.items():
        chance = answer.event(names[0])
        value = None if chance is None else percent(chance.value, chance.low, chance.high)
        keys = "".join(f'<span class="dp-key dp-key-{lines.index(name)}"></span>' for name in names if name in lines)
        called = ", ".join(term(name, EVENTS[name].label) for name in names)
        shown.append(card(f"{keys}<span>{called}</span>", value, meaning, badge(answer, chance) if chance else ""))
    cards([*shown, _right(answer), _worst(answer)])


def _meaning(name: str, bounds: tuple[int, int], k: int, alike: str) -> str:
    """The same words for what is the same event; `alike` says how many choices are as good as the true top k."""
    a, b = bounds
    if name == "optimal":
        return f"as good as the true top {k:,}: ties count"
    if b == k:
        exactly = f"exactly the true top {k:,}" if k > 1 else "exactly the true top item"
        return f"{exactly}: of {alike} choices that tie, the one that comes first in the data" if alike else exactly
    return f"the best {a:,} all in, nothing below rank {b:,}" if a > 1 else f"the best one in, nothing below rank {b:,}"


def _right(answer: Answer) -> str:
    """How many belong there; as many true ones are missing as others come out in their place."""
    hits, k = answer.expected_hits, answer.mechanism.k
    if hits is None:
        return card(f"<span>{term('hits', 'Right')} on average</span>", None, "", "")
    miss = max(1 - hits / k, 0.0)
    exactly = answer.method == "exact"
    value = f'{number(round(hits, 2 if exactly else 1))} <span class="dp-of">of {k:,}</span>'
    rate = percent(miss) if exactly else f"about {100 * miss:.2g} %"
    return card(
        f"<span>{term('hits', 'Right')} on average</span>",
        value,
        f"{term('drop_rate', 'drop')} and {term('spurious_rate')} {rate}",
        badge(answer),
    )


def _worst(answer: Answer) -> str:
    worst, k = answer.worst_rank, answer.mechanism.k
    places = 2 if answer.method == "exact" else 1
    value = None if worst is None else number(round(worst, places if worst < 100 else 1))
    return card("Worst rank", value, f"on average; {k:,} is ideal", "" if worst is None else badge(answer))
