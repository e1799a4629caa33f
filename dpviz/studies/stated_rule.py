"""Sentences on a rule whose noise is stated: its noise, threshold and cap, and the ε that follows."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from dpviz.base import GAUSSIAN, ParameterError, Scores, round_down, round_up
from dpviz.studies.design import Design
from dpviz.topk import TopKMechanism
from dpviz.topk.gaussian_counts import GaussianCounts
from dpviz.topk.threshold_counts import ThresholdCounts

STATED_PARAMETERS = ("sigma", "scale", "threshold", "contributions", "names_known")
"""Parameters that stand beside each other in place of ε."""
_FIRST_SCALE, _FIRST_THRESHOLD = 10.0, 50.0  # where ε gives no noise on these scores
_DIGITS = 3
_OFTEN = 0.01  # from here on a chance is told of 100 releases
_NEVER = 1e-6  # a chance below which no release of a million holds the item


def stated_rule_sentences(
    mechanism: TopKMechanism, format_delta: Callable[[float], str] = "{:g}".format
) -> tuple[str, ...]:
    """The noise, the threshold, the cap and ε, one sentence each; none where ε is given.

    `format_delta` formats δ.

    >>> from dpviz.topk.gaussian_counts import GaussianCounts
    >>> for line in stated_rule_sentences(GaussianCounts(sigma=18.0, k=3, contributions=2)):
    ...     print(line)
    Each count gets Gaussian noise with standard deviation 18.
    One person counts in at most 2 items.
    ε = 0.3067 at δ = 1e-06 follows from this.
    """
    if (stated := mechanism.stated_noise) is None:
        return ()
    kind = (
        "Gaussian noise with standard deviation"
        if stated.family is GAUSSIAN
        else "Laplace noise with scale"
    )
    said = [f"Each count gets {kind} {stated.scale:.6g}."]
    said += threshold_sentences(mechanism)
    items = "1 item" if stated.contributions == 1 else f"{stated.contributions:,} items"
    said.append(f"One person counts in at most {items}.")
    at = f" at δ = {format_delta(mechanism.delta_spent)}" if mechanism.delta_spent else ""
    if mechanism.epsilon < math.inf:
        return (*said, f"ε = {round_up(mechanism.epsilon, 4):g}{at} follows from this.")
    new, once_in = stated.new_name_delta, 100
    if new < _OFTEN:
        once_in, often = int(round_down(1 / new, 2)), 1
    else:
        often = math.ceil(100 * new)
    return (
        *said,
        f"No ε holds{at}.",
        f"A name that only one person has is published in up to {often} of {once_in:,} releases.",
    )


def threshold_sentences(mechanism: TopKMechanism) -> tuple[str, ...]:
    """Says which items are published under a stated threshold; nothing for other mechanisms."""
    if not isinstance(mechanism, ThresholdCounts) or mechanism.stated_threshold is None:
        return ()
    above = f"{mechanism.stated_threshold:,.6g}"
    return (f"An item is published if its count with noise is above {above}.",)


def no_passing_item_sentences(mechanism: TopKMechanism, scores: Scores) -> tuple[str, ...]:
    """Says that no item of the data can pass the stated threshold; nothing where one can."""
    if not isinstance(mechanism, ThresholdCounts) or mechanism.stated_threshold is None:
        return ()
    largest = float(scores.values.max())
    if mechanism.passing_rule().chance(largest) >= _NEVER:
        return ()
    return (
        f"No item can pass: the largest count, {largest:,.10g}, is in fewer than 1 of a million lists.",
    )


def design_with_stated_noise(design: Design, epsilon: float, k: int, scores: Scores) -> Design:
    """The design with the noise and threshold stated that it has at this ε, rounded up."""
    mechanism = design.build(epsilon, k)
    scale, threshold = _FIRST_SCALE, _FIRST_THRESHOLD
    with suppress(ParameterError):
        if isinstance(mechanism, GaussianCounts | ThresholdCounts):
            scale = round_up(mechanism.scale(scores), _DIGITS)
        if isinstance(mechanism, ThresholdCounts):
            threshold = round_up(mechanism.threshold(scores), _DIGITS)
    gaussian = design.parameters.get("noise", "gaussian") == "gaussian"
    stated: dict[str, float] = {"sigma" if gaussian else "scale": scale}
    if isinstance(mechanism, ThresholdCounts):
        stated["threshold"] = threshold
    stated["contributions"] = scores.contributions or 1
    return replace(design, parameters={**design.parameters, **stated})
