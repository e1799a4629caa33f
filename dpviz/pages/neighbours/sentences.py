"""Neighbours in sentences: whose data, what they change of one item, what a belief can become.

Invariants: both directions of a belief come from their own loss, that of the world with her and
that of the world without; a bound is rounded to the side on which it holds, and one that is no
bound for everybody says for whom it is.
"""

import math

from dpviz.base import Ints
from dpviz.charts import (
    as_typed,
    at_least_percent,
    at_most,
    at_most_percent,
    count,
    isolated,
    trimmed,
)
from dpviz.charts.privacy.frequencies import frequency_base, frequency_sentence, told_apart
from dpviz.pages.neighbours.study import NeighboursStudy
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.loss_computation import Chances
from dpviz.privacy.odds import least_posterior, posterior_bound
from dpviz.studies import known

_NAMED = 4  # of her items
_LONGEST = 30  # characters of a name


def heading(study: NeighboursStudy) -> str:
    """What is looked at."""
    return f"What do one person's data change, at {symbol(study)} = {study.epsilon:.10g}?"


def below(study: NeighboursStudy) -> str:
    """Which candidates and which rule, and what one person changes there."""
    return (
        f"{study.candidates.name} · {study.label} · one person changes every run by as much as ε1"
        " allows"
    )


def lead(study: NeighboursStudy) -> str:
    """How often the item whose chance changes most comes out in each world, and in what she counts."""
    if (pair := known(lambda: study.pair)) is None:
        if study.scores is None and known(lambda: study.data) is None:
            return "Candidates are being run."
        return (
            "Looking for the person whose data show most." if study.settings.who == "worst" else ""
        )
    said, hers = known(lambda: _most_changed(study)) or "", _listed(study, pair.hers)
    if study.scores is None:
        counts = (
            f"She makes the runs of {hers} as much better as ε1 allows."
            if hers
            else "She changes nothing."
        )
    else:
        counts = f"She counts in {count(len(pair.hers), 'item')}{hers and f': {hers}'}."
    if study.replaced:
        others = _listed(study, pair.others)
        counts += (
            " The one in her place counts in"
            f" {count(len(pair.others), 'other item')}{others and f': {others}'}."
        )
    return f"{said} {counts}".strip()


def _listed(study: NeighboursStudy, items: Ints) -> str:
    names = [isolated(trimmed(study.data.label(int(i)), _LONGEST)) for i in items[:_NAMED]]
    return ", ".join(names) + (f" and {len(items) - _NAMED:,} more" if len(items) > _NAMED else "")


def _most_changed(study: NeighboursStudy) -> str:
    first, second = (side.value for side in study.chances)
    base, family = base_of(study), study.family
    most = told_apart(first, second, base)
    name, p, q = (
        isolated(trimmed(study.data.label(most), _LONGEST)),
        float(first[most]),
        float(second[most]),
    )
    return frequency_sentence(name, p, q, base, worlds(study), family.noun, family.verb)


def base_of(study: NeighboursStudy) -> int:
    """Of how many releases to speak."""
    first, second = study.chances
    return frequency_base(first.value, second.value, error_of(study.chances))


def worlds(study: NeighboursStudy) -> tuple[str, str]:
    """What the two worlds are called."""
    return "with her", "with another in her place" if study.replaced else "without her"


def belief(study: NeighboursStudy) -> str:
    """What a belief can become by one answer about her, and by one about anybody."""
    prior, loss = study.settings.prior, study.loss
    up, down = max(0.0, loss.here.highest), max(0.0, loss.there.highest)
    most = posterior_bound(prior, up) if math.isfinite(up) else 1.0
    least = least_posterior(prior, down) if math.isfinite(down) else 0.0
    held = f"Someone who held it for {as_typed(prior)} likely that {guessed(study)} holds it for"
    if loss.method == "exact":
        hers = (
            f"{held} at most {at_most_percent(most)} likely after the answer that speaks most for"
            f" it, and for at least {at_least_percent(least)} after the one that speaks most"
            " against it."
        )
    else:
        hers = (
            f"{held} at least {at_least_percent(most)} likely after some answer, and for at most "
            f"{at_most_percent(least)} after another."
        )
    return f"{hers} {_belief_about_anybody(prior, loss)}"


def _belief_about_anybody(prior: float, loss: PrivacyLoss) -> str:
    epsilon, delta = loss.ceiling
    if delta or not math.isfinite(epsilon):
        return (
            "About somebody else one may come to know it: with δ, or without a ceiling, there is no"
            " bound on what one answer can do. What guessers gain on the whole is bounded all the"
            " same, as above."
        )
    return (
        f"Whoever it is about, ε = {at_most(epsilon)} lets it rise to at most "
        f"{at_most_percent(posterior_bound(prior, epsilon))} and fall to at least "
        f"{at_least_percent(least_posterior(prior, epsilon))}. {loss.ceiling.unproved}".rstrip()
    )


def guessed(study: NeighboursStudy) -> str:
    """What is guessed."""
    return "she or the other one is in the data" if study.replaced else "she is in the data"


def error_of(chances: tuple[Chances, Chances]) -> float:
    """How far the chances of both worlds may be off."""
    return max(float((side.high - side.low).max()) / 2 for side in chances)


def symbol(study: NeighboursStudy) -> str:
    """What the budget is called."""
    return "ε1" if study.scores is None else "ε"
