"""One item in words: the verdict on large margin, its figures, and the sensitivities."""

import numpy as np

from dpviz.base import Scores
from dpviz.base.text_format import (
    number_text,
    percent,
    power_of_ten_text,
    release_frequency_text,
    whole_number_text,
)
from dpviz.charts import upper_bound_text
from dpviz.margin import COMPARED, TopOneLaw
from dpviz.margin.uneven_sensitivities import BestProbabilityCurves
from dpviz.pages import common
from dpviz.pages.margin.study import EXPONENTIAL, LARGE_MARGIN, MarginStudy
from dpviz.studies import StepRefusal, read_if_ready

_SAME = 5e-4  # a difference in chance that is none
_FIGURES = ("Best item", "Good item", "Front group", "Drop", "Exponential")
_WITH_ARTICLE = {
    "gumbel": "the exponential mechanism",
    "laplace": "max of Laplaces",
    "instability": "the instability test",
    "generalised": "the generalised exponential mechanism",
}


def uneven_sensitivity_sentence(curves: BestProbabilityCurves, scores: Scores) -> str:
    """Sentence on where the generalised exponential mechanism is better, for these scores."""
    even = scores.sensitivities is None
    now = f"Items have {'the same sensitivity' if even else 'different sensitivities'} here."
    others = "the others" if even else "any item is now"  # whose largest is the curves' unit
    at = curves.turning_point
    if at is None:
        return (
            f"{now} The generalised exponential mechanism is no better, even if the last item were"
            f" {number_text(curves.factors[-1])} times as sensitive as {others}."
        )
    return (
        f"{now} The generalised exponential mechanism becomes better where the last item is about"
        f" {number_text(at)} times as sensitive as {others}."
    )


def page_heading(study: MarginStudy) -> str:
    return (
        f"Which of {whole_number_text(study.settings.universe)} items is best, at ε ="
        f" {study.scenario.epsilon:.10g}?"
    )


def large_margin_verdict(study: MarginStudy) -> str:
    """Comparison of large margin with its best rival, and the universe where that changes."""
    laws = study.laws
    good = {rule: law.near_best_probability(study.settings.good) for rule, law in laws.items()}
    what = "a good item"
    if max(good.values()) - good[LARGE_MARGIN] < _SAME:
        rival = max((rule for rule in good if rule != LARGE_MARGIN), key=good.__getitem__)
        if good[LARGE_MARGIN] - good[rival] < _SAME:  # all are good enough, so the best one decides
            good, what = {rule: law.best_probability for rule, law in laws.items()}, "the best item"
    chance = good.pop(LARGE_MARGIN)
    rival = max(good, key=good.__getitem__)
    worth = chance > good[rival] + _SAME
    return (
        f"Large margin {'is' if worth else 'is not'} better here. It gives {what} in"
        f" {release_frequency_text(chance)}, and {_WITH_ARTICLE[rival]} in"
        f" {release_frequency_text(good[rival])}.{_turning_point(study, worth)}"
    )


def _turning_point(study: MarginStudy, worth: bool) -> str:
    half, front = (
        study.half_chance_log10_universe,
        read_if_ready(lambda: study.front_group_of_scores),
    )
    if half is None or front is None:
        return ""
    if front.rank is None and not worth:
        return " The scores do not drop far enough for large margin."
    return (
        f" With about {power_of_ten_text(half)} items the exponential mechanism would give a good item"
        " in half of releases, without a δ."
    )


def headlines(study: MarginStudy) -> list[common.Headline]:
    """Figures of large margin, beside the exponential mechanism; without values until they come."""
    ready = read_if_ready(
        lambda: (
            study.existing_law(LARGE_MARGIN),
            study.existing_law(EXPONENTIAL),
            study.front_group_of_scores,
        )
    )
    if ready is None:
        return [common.Headline(name, None, "") for name in _FIGURES]
    law, pure, group = ready
    best, near, front, drop, rival = _FIGURES
    at = int((group.margin - group.drop).argmin()) if group.rank is None else group.rank - 1
    where = f"after the top {at + 1:,}" if at else "after the best item"
    good = study.settings.good
    return [
        common.Headline(best, percent(law.best_probability), "published by large margin", law),
        common.Headline(
            near,
            percent(law.near_best_probability(good)),
            f"at most {upper_bound_text(good)} below the best",
            law,
        ),
        common.Headline(front, *_front_group(law), law),
        common.Headline(
            drop,
            number_text(float(group.drop[at])),
            f"{where}; needed: {number_text(float(group.margin[at]))}",
        ),
        common.Headline(
            rival,
            percent(pure.best_probability),
            "best item published by the exponential mechanism at the same ε",
            pure,
        ),
    ]


def _front_group(law: TopOneLaw) -> tuple[str | None, str]:
    """Likeliest size of the front group, and how often it has it."""
    if law.rank_law is None:
        return None, "the size that large margin chooses"
    size = int(law.rank_law.argmax()) + 1
    chance = float(law.rank_law[size - 1])
    if law.beyond > chance:
        return "none", f"unlisted items join it in {percent(law.beyond)} of releases"
    return f"{size:,}", f"in {percent(chance)} of releases"


def omitted_rule_sentences(study: MarginStudy) -> list[str]:
    return [
        f"{COMPARED.label(rule)} is left out: {law.reason}"
        for rule, law in study.law.items()
        if isinstance(law, StepRefusal)
    ]


def sensitivity_division_text(scores: Scores) -> str:
    start = f"Large margin always divides scores by the sensitivity Δ = {scores.sensitivity:g}."
    pure = "exponential mechanism and max of Laplaces"
    if isinstance(scores.sensitivities, np.ndarray):
        return f"{scores.change} Only the generalised exponential mechanism uses each item's own."
    if scores.monotonic and not scores.same_direction:
        return (
            f"{start} The {pure} divide by {scores.effective_sensitivity:g}, half of what one person"
            " changes of the distance of two scores."
        )
    if scores.monotonic:
        return (
            f"{start} The {pure} divide by Δ/2, because one person added or removed moves all"
            " scores in the same direction. That gives them a factor of two in ε. For the"
            " instability test"
            " one person changes the lead by Δ, and otherwise by 2Δ."
        )
    return (
        f"{start} The {pure} do so here too. With one person added or removed they would divide by"
        " Δ/2."
    )
