"""Neighbours in sentences: the person, the item that changes most, and beliefs."""

import math

from dpviz.base import Ints, round_up
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
from dpviz.topk import TopKMechanism

_NAMED = 4  # of her items
_LONGEST = 30  # characters of a name


def page_heading(study: NeighboursStudy) -> str:
    epsilon = study.epsilon
    if _states_noise(study):
        followed = study.mechanism.epsilon
        epsilon = round_up(followed, 4) if followed < math.inf else followed
    return f"What do one person's data change, at {epsilon_symbol(study)} = {epsilon:.10g}?"


def candidates_subheading(study: NeighboursStudy) -> str:
    return (
        f"{study.runs_study.name} · {study.label} · one person changes every run as much as ε1"
        " allows"
    )


def lead_sentence(study: NeighboursStudy) -> str:
    """Item whose chance changes most, in both worlds, and the items she counts in."""
    if (pair := read_if_ready(lambda: study.two_worlds)) is None:
        if study.scores is None and read_if_ready(lambda: study.data) is None:
            return "The candidates' runs are being computed."
        return (
            "Searching for the person with the largest privacy loss."
            if study.settings.who == "worst"
            else ""
        )
    said, hers = (
        read_if_ready(lambda: _most_changed(study)) or "",
        _listed(study, pair.person_items),
    )
    if study.scores is None:
        counts = (
            f"She improves the runs of {hers} as much as ε1 allows."
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
            " The person who replaces her counts in"
            f" {count_text(len(pair.replacement_items), 'other item')}{others and f': {others}'}."
        )
    if _states_noise(study):
        counts += " ε follows from the stated noise, so the slider of ε changes nothing here."
    return f"{said} {counts}".strip()


def _states_noise(study: NeighboursStudy) -> bool:
    return isinstance(study.mechanism, TopKMechanism) and study.mechanism.states_noise


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
    """Bounds on a belief after one release, about her and about anybody."""
    prior, loss = study.settings.prior, study.loss
    up, down = max(0.0, loss.here.highest), max(0.0, loss.there.highest)
    most = posterior_bound(prior, up) if math.isfinite(up) else 1.0
    least = posterior_lower_bound(prior, down) if math.isfinite(down) else 0.0
    held = f"a {input_percent_text(prior)} suspicion that {guessed_statement(study)}"
    hers = (
        f"After any one release, {held} is at most {upper_percent_text(most)} and at least"
        f" {lower_percent_text(least)}."
        if loss.method == "exact"
        else f"After some release, {held} is at least {lower_percent_text(most)}. After another, it"
        f" is at most {upper_percent_text(least)}."
    )
    return f"{hers} {_belief_about_anybody(prior, loss)}"


def _belief_about_anybody(prior: float, loss: PrivacyLoss) -> str:
    epsilon, delta = loss.ceiling
    if not math.isfinite(epsilon):
        return "One release may reveal everything about somebody else, as there is no limit."
    if delta:
        return (
            "One release may reveal everything about somebody else, as there is a δ. The limit on"
            " right guesses above includes that."
        )
    return (
        f"For anybody, after any release with ε = {upper_bound_text(epsilon)}, it is at most "
        f"{upper_percent_text(posterior_bound(prior, epsilon))} and at least "
        f"{lower_percent_text(posterior_lower_bound(prior, epsilon))}. {loss.ceiling.unproved}".rstrip()
    )


def guessed_statement(study: NeighboursStudy) -> str:
    return "she is in the data" + " and not the other person" * study.has_replacement


def largest_chance_error(chances: tuple[InclusionChances, InclusionChances]) -> float:
    return max(float((side.high - side.low).max()) / 2 for side in chances)


def epsilon_symbol(study: NeighboursStudy) -> str:
    return "ε1" if study.scores is None else "ε"
