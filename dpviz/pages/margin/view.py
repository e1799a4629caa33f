"""One item of a huge universe: its charts, tables, preview and file."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from dpviz.base import Progress, Scores, ignore_progress, iterate_with_progress
from dpviz.base.text_format import (
    number_text,
    percent,
    release_frequency_text,
    whole_number_text,
)
from dpviz.charts import Chart, Look, stated_percent_text, upper_bound_text
from dpviz.charts.margin.margin_items import guarantee_label, item_chances, margin_items_chart
from dpviz.charts.margin.margin_scores import MOST_DRAWN, margin_scores_chart
from dpviz.margin import COMPARED, TopOneLaw, universe_sizes
from dpviz.pages import common
from dpviz.pages.margin.sentences import headlines, large_margin_verdict, page_heading
from dpviz.pages.margin.study import EXPONENTIAL, FIRST, LARGE_MARGIN, MARGIN_PAGE, MarginStudy
from dpviz.studies import Scenario, ShownMechanism, StepRefusal, find_epsilon_range

Table = list[dict[str, Any]] | pd.DataFrame
_ITEMS = 20  # rows of the slider's table


def score_drop_chart(study: MarginStudy, look: Look) -> Chart:
    return margin_scores_chart(
        study.scores, study.front_group_of_scores, study.existing_law(LARGE_MARGIN), look=look
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
        + [stated_percent_text(round(chances[-1], 6))]
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
            _place(study.with_epsilon(value).compute(part, "law", "front_group_of_scores"))
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
        .compute(request.progress, "law", "front_group_of_scores")
    )
    says, (_, rows) = large_margin_verdict(study), item_chance_headings_and_rows(study)
    return common.PagePreview(
        texts={"heading": page_heading(study), "lead": says}
        | common.headline_texts_by_live_name(headlines(study))
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
