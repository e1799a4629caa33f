"""Neighbours in sentences: the person, the item that changes most, and beliefs."""

import math

from dpviz.base import Ints
from dpviz.charts import (
    count_text,
    input_percent_text,
    isolate_direction,
    lower_percent_text,
    shorten_text,
    upper_bound_text,
    upper_percent_text,
)
from dpviz.charts.privacy.frequencies import (
    frequency_denominator,
    frequency_sentence,
    most_different_item,
)
from dpviz.pages.neighbours.study import NeighboursStudy
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.loss_computation import InclusionChances
from dpviz.privacy.odds import posterior_bound, posterior_lower_bound
from dpviz.studies import read_if_ready

_NAMED = 4  # of her items
_LONGEST = 30  # characters of a name


def page_heading(study: NeighboursStudy) -> str:
    return f"What do one person's data change, at {epsilon_symbol(study)} = {study.epsilon:.10g}?"


def candidates_subheading(study: NeighboursStudy) -> str:
    return (
        f"{study.runs_study.name} · {study.label} · one person changes every run by as much as ε1"
        " allows"
    )


def lead_sentence(study: NeighboursStudy) -> str:
    """Item whose chance changes most, in both worlds, and the items she counts in."""
    if (pair := read_if_ready(lambda: study.two_worlds)) is None:
        if study.scores is None and read_if_ready(lambda: study.data) is None:
            return "Candidates are being run."
        return (
            "Looking for the person whose data show most." if study.settings.who == "worst" else ""
        )
    said, hers = (
        read_if_ready(lambda: _most_changed(study)) or "",
        _listed(study, pair.person_items),
    )
    if study.scores is None:
        counts = (
            f"She makes the runs of {hers} as much better as ε1 allows."
            if hers
            else "She changes nothing."
        )
    else:
        counts = (
            f"She counts in {count_text(len(pair.person_items), 'item')}{hers and f': {hers}'}."
        )
    if study.has_replacement:
        others = _listed(study, pair.replacement_items)
        counts += (
            " The one in her place counts in"
            f" {count_text(len(pair.replacement_items), 'other item')}{others and f': {others}'}."
        )
    return f"{said} {counts}".strip()


def _listed(study: NeighboursStudy, items: Ints) -> str:
    names = [
        isolate_direction(shorten_text(study.data.label(int(i)), _LONGEST)) for i in items[:_NAMED]
    ]
    return ", ".join(names) + (f" and {len(items) - _NAMED:,} more" if len(items) > _NAMED else "")


def _most_changed(study: NeighboursStudy) -> str:
    first, second = (side.value for side in study.inclusion_probabilities)
    base, family = release_denominator(study), study.family
    most = most_different_item(first, second, base)
    name, p, q = (
        isolate_direction(shorten_text(study.data.label(most), _LONGEST)),
        float(first[most]),
        float(second[most]),
    )
    return frequency_sentence(name, p, q, base, world_names(study), family.noun, family.verb)


def release_denominator(study: NeighboursStudy) -> int:
    first, second = study.inclusion_probabilities
    return frequency_denominator(
        first.value, second.value, largest_chance_error(study.inclusion_probabilities)
    )


def world_names(study: NeighboursStudy) -> tuple[str, str]:
    return "with her", "with another in her place" if study.has_replacement else "without her"


def belief_sentences(study: NeighboursStudy) -> str:
    """Bounds on a belief after one answer, about her and about anybody."""
    prior, loss = study.settings.prior, study.loss
    up, down = max(0.0, loss.here.highest), max(0.0, loss.there.highest)
    most = posterior_bound(prior, up) if math.isfinite(up) else 1.0
    least = posterior_lower_bound(prior, down) if math.isfinite(down) else 0.0
    held = f"Someone who held it for {input_percent_text(prior)} likely that {guessed_statement(study)} holds it for"
    if loss.method == "exact":
        hers = (
            f"{held} at most {upper_percent_text(most)} likely after the answer that speaks most for"
            f" it, and for at least {lower_percent_text(least)} after the one that speaks most"
            " against it."
        )
    else:
        hers = (
            f"{held} at least {lower_percent_text(most)} likely after some answer, and for at most "
            f"{upper_percent_text(least)} after another."
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
        f"Whoever it is about, ε = {upper_bound_text(epsilon)} lets it rise to at most "
        f"{upper_percent_text(posterior_bound(prior, epsilon))} and fall to at least "
        f"{lower_percent_text(posterior_lower_bound(prior, epsilon))}. {loss.ceiling.unproved}".rstrip()
    )


def guessed_statement(study: NeighboursStudy) -> str:
    return "she or the other one is in the data" if study.has_replacement else "she is in the data"


def largest_chance_error(chances: tuple[InclusionChances, InclusionChances]) -> float:
    return max(float((side.high - side.low).max()) / 2 for side in chances)


def epsilon_symbol(study: NeighboursStudy) -> str:
    return "ε1" if study.scores is None else "ε"
