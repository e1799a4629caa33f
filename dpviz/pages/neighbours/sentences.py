"""Neighbours in sentences and headline figures; a lower bound is rounded down and marked."""

import math

from dpviz.base import Ints, round_up
from dpviz.charts import (
    count_text,
    isolate_direction,
    lower_bound_text,
    lower_percent_text,
    number_text,
    percent_upper_bound,
    shorten_text,
    stated_percent_text,
    upper_bound_text,
    upper_percent_text,
)
from dpviz.charts.privacy.frequencies import (
    NOTHING_CERTAIN,
    frequency_denominator,
    frequency_sentence,
    most_different_item_index,
)
from dpviz.pages import common
from dpviz.pages.neighbours.study import NeighboursStudy
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.loss_computation import InclusionChances
from dpviz.privacy.odds import posterior_bound, posterior_lower_bound
from dpviz.studies import read_if_ready
from dpviz.topk import TopKMechanism

_NAMED = 4  # of her items
_LONGEST = 30  # characters of a name
_LIMIT_DIGITS = 4  # of a loss and its limit, so that none is told as larger


def page_heading(study: NeighboursStudy) -> str:
    epsilon = study.mechanism.epsilon if _states_noise(study) else study.epsilon
    if _states_noise(study) and epsilon < math.inf:
        epsilon = round_up(epsilon, 4)
    setting = f"{epsilon:.10g}" if math.isfinite(epsilon) else "∞"
    return f"What do one person's data change, at {epsilon_symbol(study)} = {setting}?"


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
    counts = f"She counts in {count_text(len(pair.person_items), 'item')}{hers and f': {hers}'}."
    if study.scores is None:
        changes = f"improves the runs of {hers} as much as ε1 allows" if hers else "changes nothing"
        counts = f"She {changes}."
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
    most = most_different_item_index(first, second, base)
    uncertain = uncertain_difference(study)
    if uncertain and abs(first[most] - second[most]) <= uncertain:
        return NOTHING_CERTAIN
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
    held = f"a suspicion of {stated_percent_text(prior)} that {guessed_statement(study)}"
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


def uncertain_difference(study: NeighboursStudy) -> float:
    """Difference of an item's two chances that may be an error of the simulation; 0 without one."""
    chances = study.inclusion_probabilities
    return 2 * largest_chance_error(chances) if chances[0].draws else 0.0


def epsilon_symbol(study: NeighboursStudy) -> str:
    return "ε1" if study.scores is None else "ε"


_CEILING = "The limit holds for every person's data."
_NO_CEILING = "There is no limit. Another person's data may cause a larger loss, even infinite."
_LARGEST_EXP = 700.0
_NO_LOSS = 1e-9
_WAITING = ("Privacy loss", "Odds", "An attacker is right", "On average")


def headlines(
    loss: PrivacyLoss | None, right_guess_bound: float | None = None
) -> list[common.Headline]:
    """Privacy loss beside its ceiling, as odds and as guesses; under (ε, δ) also δ.

    `right_guess_bound` bounds the chance that an attacker is right about anybody (by default by the
    ceiling).
    """
    if loss is None:
        return [common.Headline(name, None, "") for name in _WAITING]
    ceiling, most = loss.ceiling, loss.allowed
    bounded = math.isfinite(ceiling.epsilon)
    factor = f"; ε allows × {upper_bound_text(_factor(ceiling.epsilon), 3)}" if bounded else ""
    mean = (
        ""
        if loss.method == "exact" or not math.isfinite(most.mean)
        else f"; ε allows {upper_bound_text(most.mean, 3)}"
    )
    known_by = (
        ""
        if loss.method == "exact"
        else "A certified lower bound, computed from events whose chances are known. "
    )
    held = "; the limit is ε" + (", with leeway δ" if ceiling.delta else "")
    anybody = percent_upper_bound(
        right_guess_probability(most) if right_guess_bound is None else right_guess_bound
    )
    at_most_right = f"; about anybody at most {anybody}" if bounded else ""
    largest = format_loss_figure(loss, loss.largest, ceiling.epsilon, digits=_LIMIT_DIGITS)
    person, exact = right_guesses_per_hundred(loss), loss.method == "exact"
    right = (
        format_loss_figure(loss, 100 * right_guess_probability(loss), anybody, 50.0)
        if person == 50 and not exact
        else f"{'≤' if exact else '≥'} {person}"
    )
    odds = format_loss_figure(loss, _factor(loss.largest), _factor(ceiling.epsilon), 1.0)
    return [
        common.Headline(
            "Privacy loss",
            largest,
            "the most one release reveals" + (held if bounded else ""),
            loss,
            known_by + ((ceiling.unproved or _CEILING) if bounded else _NO_CEILING),
            f" of {upper_bound_text(ceiling.epsilon)}" if bounded and " to " not in largest else "",
        ),
        common.Headline(
            "Odds",
            f"≥ × {odds[2:]}" if odds[0] == "≥" else f"× {odds}",
            f"how much likelier one release can be with her data, or without{factor}",
        ),
        common.Headline(
            "An attacker is right",
            right,
            f"who guesses whether she is in the data (pure guessing: 50){at_most_right}",
            of=" in 100",
        ),
        common.Headline(
            "On average",
            format_loss_figure(loss, loss.mean, most.mean),
            "the privacy loss of a release with her data" + mean,
        ),
        *([_leeway(loss)] if ceiling.delta else []),
    ]


def _leeway(loss: PrivacyLoss) -> common.Headline:
    """δ at ε, and the chance of a loss above ε, which is never smaller."""
    epsilon, delta = loss.ceiling
    ways = loss, loss.reversed
    above = format_loss_figure(loss, max(way.exceeds(epsilon) for way in ways), 1.0)
    what = (
        f"at most {upper_bound_text(delta)}. It is the part of all chances beyond e^ε times those"
        f" in the other case. A loss above ε has chance {above}"
    )
    return common.Headline(
        "δ at ε", format_loss_figure(loss, max(way.delta(epsilon) for way in ways), delta), what
    )


def format_loss_figure(
    loss: PrivacyLoss, value: float, upper_bound: float, lower_bound: float = 0.0, digits: int = 3
) -> str:
    """A figure of the loss between `lower_bound` and, by the ceiling, `upper_bound`."""
    if loss.method == "exact":
        return (
            number_text(value, digits)
            if value - lower_bound > _NO_LOSS
            else number_text(lower_bound)
        )
    return (
        f"≥ {lower_bound_text(value, digits)}"
        if value - lower_bound > _NO_LOSS
        else f"{number_text(lower_bound)} to {upper_bound_text(upper_bound, digits)}"
    )


def right_guess_probability(loss: PrivacyLoss) -> float:
    """Chance to be right about the person, by the best use of one release."""
    return (1 + loss.advantage) / 2


def right_guesses_per_hundred(loss: PrivacyLoss) -> int:
    """Attackers of 100 who are right about the person, rounded up; down if it is a lower bound."""
    share = right_guess_probability(loss)
    return (
        percent_upper_bound(share)
        if loss.method == "exact"
        else 100 - percent_upper_bound(1 - share)
    )


def _factor(loss: float) -> float:
    return math.inf if loss > _LARGEST_EXP else math.exp(loss)
