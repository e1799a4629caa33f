"""The headline figures of one mechanism, one card each, and what P(TOP) says in a sentence."""

from dpviz.charts.words import count, number, of_releases, percent
from dpviz.topk.classes import EVENTS
from dpviz.ui.shell.badges import badge
from dpviz.ui.shell.show import card, cards
from dpviz.ui.work.answer import Answer

__all__ = ["headline", "sentence"]

_MEANINGS = {"optimal": "as good as the true top {k}: ties may fall either way"}


def headline(answer: Answer, *, events: tuple[str, ...]) -> None:
    """The figures of merit, one card each; OPTIMAL only where ties make it differ from TOP."""
    k = answer.mechanism.k
    shown: list[str] = []
    styled = 0
    tied = answer.scores.tied(k)[1] > k
    for name in events:
        bounds = answer.bounds(name)
        if name == "optimal" and not tied:
            continue
        key = ""
        if name != "optimal":
            key, styled = f'<span class="dp-key dp-key-{styled}"></span>', styled + 1
        chance = answer.event(name)
        value = None if chance is None else percent(chance.value, chance.low, chance.high)
        meaning = _meaning(name, bounds, k)
        shown.append(card(key + EVENTS[name].label, value, meaning, badge(answer, chance) if chance else ""))
    share, worst = answer.share, answer.worst_rank
    plain_badge = badge(answer)
    places = 2 if answer.method == "exact" else 1
    shown.append(
        card(
            "Kept",
            None if share is None else f'{number(round(share * k, places))} <span class="dp-of">of {k:,}</span>',
            f"of the true top {k:,}, on average",
            plain_badge if share is not None else "",
        )
    )
    shown.append(
        card(
            "Worst rank",
            None if worst is None else number(round(worst, places if worst < 100 else 1)),
            f"on average; {k:,} is ideal",
            plain_badge if worst is not None else "",
        )
    )
    cards(shown)


def _meaning(name: str, bounds: tuple[int, int], k: int) -> str:
    a, b = bounds
    if name in _MEANINGS:
        return _MEANINGS[name].format(k=f"{k:,}")
    if b == k:
        return f"exactly the true top {k:,}" if k > 1 else "exactly the true top item"
    return f"the best {a:,} all in, nothing below rank {b:,}" if a > 1 else f"the best one in, nothing below rank {b:,}"


def sentence(answer: Answer) -> str:
    """What P(TOP) says, as a natural frequency."""
    chance = answer.event("top")
    k = answer.mechanism.k
    what = f"the exact top {k:,}" if k > 1 else "the best item"
    if chance is None:
        return ""
    often = of_releases(chance.value, chance.low, chance.high)
    end = "." if answer.method == "exact" else f", estimated from {count(answer.draws, 'draw')}."
    return f"{what[0].upper()}{what[1:]} comes out in {often}{end}"
