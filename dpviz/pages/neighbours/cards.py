"""Headline figures of a privacy loss; a lower bound is rounded down and marked as one."""

import math

from dpviz.charts import lower_bound_text, number_text, percent_upper_bound, upper_bound_text
from dpviz.pages import common
from dpviz.privacy.loss import PrivacyLoss

_CEILING = "The limit holds for every person's data."
_NO_CEILING = "There is no limit. Another person's data may cause a larger loss, even infinite."
_LARGEST_EXP = 700.0
_NO_LOSS = 1e-9
_WAITING = ("Privacy loss", "Odds", "An attacker is right", "On average")


def headlines(loss: PrivacyLoss | None, most_right: float | None = None) -> list[common.Headline]:
    """Privacy loss beside its ceiling, as odds and as guesses; under (ε, δ) also δ.

    `most_right` bounds the chance that an attacker is right about anybody (by default by the ceiling).
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
    anybody = percent_upper_bound(guess_probability(most) if most_right is None else most_right)
    at_most_right = f"; about anybody at most {anybody}" if bounded else ""
    largest = format_loss_figure(loss, loss.largest, ceiling.epsilon)
    person, least = right_guesses(loss), "" if loss.method == "exact" else "≥ "
    right = (
        format_loss_figure(loss, 100 * guess_probability(loss), anybody, 50.0)
        if least and person == 50
        else f"{least}{person}"
    )
    odds = format_loss_figure(loss, _factor(loss.largest), _factor(ceiling.epsilon), 1.0)
    return [
        common.Headline(
            "Privacy loss",
            largest,
            "the most one release reveals" + (held if bounded else ""),
            loss,
            known_by + ((ceiling.unproved or _CEILING) if bounded else _NO_CEILING),
            f" of {number_text(ceiling.epsilon)}" if bounded and " to " not in largest else "",
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


def format_loss_figure(loss: PrivacyLoss, value: float, most: float, nothing: float = 0.0) -> str:
    """A figure of the loss that is at least `nothing`, and at most `most` by the ceiling."""
    if loss.method == "exact":
        return (
            common.format_three_digits(value)
            if value - nothing > _NO_LOSS
            else number_text(nothing)
        )
    return (
        f"≥ {lower_bound_text(value, 3)}"
        if value - nothing > _NO_LOSS
        else f"{number_text(nothing)} to {upper_bound_text(most, 3)}"
    )


def guess_probability(loss: PrivacyLoss) -> float:
    """Chance to be right about the person, by the best use of one release."""
    return (1 + loss.advantage) / 2


def right_guesses(loss: PrivacyLoss) -> int:
    """Attackers of 100 who are right about the person, rounded up; down if it is a lower bound."""
    share = guess_probability(loss)
    return (
        percent_upper_bound(share)
        if loss.method == "exact"
        else 100 - percent_upper_bound(1 - share)
    )


def _factor(loss: float) -> float:
    return math.inf if loss > _LARGEST_EXP else math.exp(loss)
