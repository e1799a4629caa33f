"""One item in words and charts: one item of a huge universe, by large margin and by its rivals."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from dpviz.base import Progress, Scores, ignore_progress, iterate_with_progress
from dpviz.base.text_format import (
    number_text,
    percent,
    power_of_ten,
    release_frequency_text,
    whole_number_text,
)
from dpviz.charts import Chart, Look, input_percent_text, upper_bound_text
from dpviz.charts.margin.margin_items import guarantee_label, item_chances, margin_items_chart
from dpviz.charts.margin.margin_scores import MOST_DRAWN, margin_scores_chart
from dpviz.margin import COMPARED, TopOneLaw, universe_sizes
from dpviz.margin.uneven_sensitivities import BestProbabilityCurves
from dpviz.pages import common
from dpviz.pages.margin.study import EXPONENTIAL, FIRST, LARGE_MARGIN, MARGIN_PAGE, MarginStudy
from dpviz.studies import Scenario, ShownMechanism, StepRefusal, find_epsilon_range, read_if_ready


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


Table = list[dict[str, Any]] | pd.DataFrame
_SAME = 5e-4  # a difference in chance that is none
_ITEMS = 20  # rows of the slider's table
_FIGURES = ("Best item", "Good item", "Front group", "Drop", "Exponential")
_WITH_ARTICLE = {
    "gumbel": "the exponential mechanism",
    "laplace": "max of Laplaces",
    "instability": "the instability test",
    "generalised": "the generalised exponential mechanism",
}


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
    half, front = study.half_chance_log10_universe, read_if_ready(lambda: study.leading_group)
    if half is None or front is None:
        return ""
    if front.rank is None and not worth:
        return " The scores do not drop far enough for large margin."
    return (
        f" With about {power_of_ten(half)} items the exponential mechanism would give a good item"
        " in half of releases, without a δ."
    )


def headlines(study: MarginStudy) -> list[common.Headline]:
    """Figures of large margin, beside the exponential mechanism; without values until they come."""
    ready = read_if_ready(
        lambda: (
            study.existing_law(LARGE_MARGIN),
            study.existing_law(EXPONENTIAL),
            study.leading_group,
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


def score_drop_chart(study: MarginStudy, look: Look) -> Chart:
    return margin_scores_chart(
        study.scores, study.leading_group, study.existing_law(LARGE_MARGIN), look=look
    )


def item_chance_chart(study: MarginStudy, look: Look) -> Chart:
    return margin_items_chart(study.scores, study.laws, look=look)


def item_chance_headings_and_rows(
    study: MarginStudy,
) -> tuple[list[tuple[str, str]], list[list[str]]]:
    """Heading and guarantee of each rule, and a row of chances an item; the last row adds up."""
    of = item_chances(study.scores, study.laws)
    columns = [[*chances, sum(chances)] for chances in of.chances.values()]
    shown = [
        [percent(chance) if chance else "0" for chance in chances[:-1]]
        + [input_percent_text(round(chances[-1], 6))]
        for chances in columns
    ]
    names = [*of.items, *of.folded, "Total"]
    heads = [(COMPARED.label(rule), guarantee_label(rule)) for rule in of.chances]
    return heads, [list(row) for row in zip(names, *shown, strict=True)]


def figures_table(study: MarginStudy) -> list[dict[str, Any]]:
    settings, rows = study.settings, []
    names = ("best", "near_best", "zero_mass", "fail", "error", "method")
    for name, law in study.law.items():
        row: dict[str, Any] = {
            "mechanism": name,
            "epsilon": study.scenario.epsilon,
            "delta": settings.delta,
        }
        row |= {"log10_universe": math.log10(settings.universe), "good": settings.good}
        if isinstance(law, StepRefusal):
            rows.append(row | dict.fromkeys(names) | {"reason": law.reason})
        else:
            figures = (
                law.best_probability,
                law.near_best_probability(settings.good),
                law.zero_mass,
                law.fail,
                law.error,
                law.method,
            )
            rows.append(row | dict(zip(names, figures, strict=True)) | {"reason": ""})
    return rows


def items_table(study: MarginStudy) -> pd.DataFrame:
    scores, order = study.scores, study.scores.order
    return pd.DataFrame(
        {
            "rank": scores.rank[order] + 1,
            "item": [scores.label(int(i)) for i in order],
            "score": scores.values[order],
        }
        | {name: law.inclusion[order] for name, law in study.laws.items()}
    )


def good_item_by_universe_table(study: MarginStudy) -> pd.DataFrame:
    columns: dict[str, Any] = {"universe": universe_sizes(study.scores.d)}
    for name, curve in study.curves.items():
        columns |= {f"{name}_low": curve.low, f"{name}_high": curve.high}
    return pd.DataFrame(columns)


TABLES: Mapping[str, Callable[[MarginStudy], Table]] = {
    "figures": figures_table,
    "items": items_table,
    "universe": good_item_by_universe_table,
}


def describe_settings(study: MarginStudy) -> ShownMechanism:
    settings = study.settings
    return ShownMechanism(
        mechanism=", ".join(map(COMPARED.label, COMPARED)),
        settings=(
            ("δ", f"{settings.delta:.10g}"),
            ("K", whole_number_text(settings.universe)),
            ("A good item: at most this far below the best", f"{settings.good:.10g}"),
        ),
        k=1,
    )


def build_slider_figure(
    study: MarginStudy, progress: Progress = ignore_progress
) -> common.SliderFigure:
    """Figure of one item by five mechanisms; raises `ParameterError` as large margin does."""
    scenario, scores, settings = study.scenario, study.scores, study.settings
    values = common.epsilon_grid(scenario.epsilon)
    unlisted = f", of which {scores.d:,} have a score" if study.unlisted_count else ""
    return common.SliderFigure(
        title=common.takeaway_title(scenario, "one item, by five mechanisms"),
        lead=(
            f"One of {whole_number_text(settings.universe)} items{unlisted}, at δ ="
            f" {number_text(settings.delta)}. {scores.change}"
        ),
        slider_quantity="ε, the privacy budget",
        steps=tuple(
            _place(study.with_epsilon(value).compute(part, "law", "leading_group"))
            for value, part in iterate_with_progress(values, progress)
        ),
        start=values.index(scenario.epsilon),
        column_headings=(
            ("Best item", "is published"),
            ("Good item", f"at most {upper_bound_text(settings.good)} below the best"),
            ("Unlisted item", "is published"),
            ("Nothing", "is published"),
        ),
        rows=tuple(COMPARED.label(name) for name in COMPARED),
        charts=("Where the scores drop", "Chance of each item, by mechanism"),
        note=file_disclosure(scenario, scores),
        moving_charts=(0,),  # the margin goes with 1/ε, far below all scores
    )


def file_disclosure(scenario: Scenario, scores: Scores) -> str:
    which = (
        f"all {scores.d:,} items"
        if scores.d <= MOST_DRAWN
        else f"about {MOST_DRAWN} items, mostly the best"
    )
    return common.disclosure_sentence(scenario, f"the names and scores of {which}")


def _place(study: MarginStudy) -> common.SliderPosition:
    laws, good = study.laws, study.settings.good
    others = (study.unlisted_count > 0) + any(law.fail > 0 for law in laws.values())

    def best_items(table: pd.DataFrame) -> pd.DataFrame:
        listed = len(table) - others
        head = table.head(min(listed, _ITEMS))
        return common.table_as_text(pd.concat([head, table.iloc[listed:]]))

    value = common.format_slider_value(study.scenario.epsilon)
    sentence = (
        f"At ε = {value} large margin gives a good item in"
        f" {release_frequency_text(laws[LARGE_MARGIN].near_best_probability(good))}, and the"
        " exponential mechanism in"
        f" {release_frequency_text(laws[EXPONENTIAL].near_best_probability(good))} (exact, error at most"
        f" {upper_bound_text(max(1e-16, *(law.error for law in laws.values())))})."
    )
    return common.build_position(
        value,
        sentence,
        [_cells(law, good) for law in study.law.values()],
        common.chart_with_table_builder(score_drop_chart, study),
        common.chart_with_table_builder(item_chance_chart, study, best_items),
    )


def _cells(law: TopOneLaw | StepRefusal, good: float) -> list[str]:
    if isinstance(law, StepRefusal):
        return [f"left out: {law.reason}", "", "", ""]
    unlisted, nothing = (percent(p) if p else "0" for p in (law.zero_mass, law.fail))
    return [
        percent(law.best_probability),
        percent(law.near_best_probability(good)),
        unlisted,
        nothing,
    ]


def build_slider_preview(
    subject: common.PageSubject, epsilon: float, request: common.PreviewRequest
) -> common.PagePreview:
    study = (
        MarginStudy.from_scenario(subject.scenario, subject.loaded_scores)
        .with_epsilon(epsilon)
        .compute(request.progress, "law", "leading_group")
    )
    says, (_, rows) = large_margin_verdict(study), item_chance_headings_and_rows(study)
    return common.PagePreview(
        texts={"heading": page_heading(study), "lead": says}
        | common.headline_texts_by_place(headlines(study))
        | {
            f"cell-{row}-{column}": text
            for row, of in enumerate(rows)
            for column, text in enumerate(of)
        },
        charts={
            "margin-scores": score_drop_chart(study, request.look),
            "margin-items": item_chance_chart(study, request.look),
        },
        lead=says,
        height=study.laws[LARGE_MARGIN].best_probability if LARGE_MARGIN in study.laws else 0.0,
    )


PAGE = common.PageView(
    title="One item",
    build_slider_figure=lambda subject, progress: build_slider_figure(
        MarginStudy.from_scenario(subject.scenario, subject.loaded_scores), progress
    ),
    file_disclosure=lambda subject: file_disclosure(subject.scenario, subject.loaded_scores),
    settings=MARGIN_PAGE.prefixed_names,
    describe_settings=lambda subject: describe_settings(
        MarginStudy.from_scenario(subject.scenario, subject.loaded_scores)
    ),
    first_scenario=FIRST,
    build_slider_preview=build_slider_preview,
    preview_range=lambda subject: find_epsilon_range(
        subject.scenario.mechanisms[0].replace(k=1), subject.loaded_scores
    ),
    range_note="The slider covers the values that matter for a list of one item.",
)
