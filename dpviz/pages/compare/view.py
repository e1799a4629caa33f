"""The charts, the preview and the file of Compare."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from dpviz.base import Progress, Scores, check_scores, ignore_progress, iterate_with_progress
from dpviz.charts import (
    Chart,
    Look,
    count_text,
    percent,
)
from dpviz.charts.topk.class_maps import class_heatmaps
from dpviz.charts.topk.design_curves import NamedDesign, epsilon_curves_chart
from dpviz.pages import common
from dpviz.pages.compare.sentences import (
    best_and_worst_phrase,
    lead_sentence,
    named_design,
    page_heading,
    sentence_text,
)
from dpviz.pages.compare.study import (
    DRAWS,
    ComparedDesign,
    CompareSettings,
    CurvesByEpsilonStudy,
    compared_designs,
    interpolated_curve,
)
from dpviz.studies import (
    BoundedProbability,
    DeclaredParameters,
    Scenario,
    find_epsilon_range,
)
from dpviz.topk import EVENTS, FigureCurve


def chance_by_epsilon_chart(
    curves: Mapping[NamedDesign, CurvesByEpsilonStudy],
    epsilon: float,
    event: str,
    look: Look,
    *,
    show_guarantees: bool,
) -> Chart:
    """Chance of an event against ε; with `show_guarantees`, also the theorems' lower bounds on TOP."""
    promised = (
        {who: study.top_guarantee_curve for who, study in curves.items()}
        if show_guarantees and event == "top"
        else {}
    )
    return epsilon_curves_chart(
        {who: study.curves[event] for who, study in curves.items()},
        epsilon,
        guarantees={who: promise for who, promise in promised.items() if promise is not None},
        draws=DRAWS,
        look=look,
    )


def class_maps_chart(designs: Sequence[ComparedDesign], look: Look) -> Chart:
    labels, laws = [side.label for side in designs], [side.law for side in designs]
    grids, regions = [law.grid for law in laws], common.event_regions(laws[0])
    return class_heatmaps(labels, grids, regions, shorter=laws[0].mechanism.shorter, look=look)


def build_slider_preview(
    subject: common.PageSubject, epsilon: float, request: common.PreviewRequest
) -> common.PagePreview:
    now = [
        replace(side, law=side.law.with_epsilon(epsilon).compute(part, "distribution"), at=epsilon)
        for side, part in iterate_with_progress(
            compared_designs(subject.scenario, subject.loaded_scores), request.progress
        )
    ]
    settings = DeclaredParameters(CompareSettings).read_settings(subject.scenario.page)[0]
    event = common.select_event(now[0].law, subject.scenario.page.get("event"))
    curves = {
        named_design(side): study for side, study in zip(now, request.reused_studies, strict=True)
    }
    lead = lead_sentence(now)
    return common.PagePreview(
        texts={
            "heading": page_heading(subject.scenario.k, subject.loaded_scores.d),
            "lead": [one if isinstance(one, str) else (one.number, one.label) for one in lead],
            **{name: text for side in now for name, text in design_row_texts(side, event).items()},
        },
        charts={
            "epsilon_curves": chance_by_epsilon_chart(
                curves, epsilon, event, request.look, show_guarantees=settings.bounds
            ),
            "compare_maps": class_maps_chart(now, request.look),
        },
        lead=sentence_text(lead),
        height=max(side.law.event_probability[event].value for side in now),
    )


def design_row_texts(design: ComparedDesign, event: str) -> dict[str, str]:
    """Texts of a design's rows, with the chance of this event among them as `now`."""
    law, n = design.law, design.number
    said = {
        f"right-{n}": common.format_expected_hits(law),
        f"worst-{n}": common.format_worst_rank(law),
    }
    for place, name in {**{name: name for name in law.events}, "now": event}.items():
        chance = law.event_probability[name]
        said |= {f"{place}-{n}": percent(*chance), f"bar-{place}-{n}": f"{100 * chance.value:.3g}%"}
        said[f"range-{place}-{n}"] = f"{percent(chance.low)} to {percent(chance.high)}"
    return said


def preview_studies(subject: common.PageSubject) -> list[CurvesByEpsilonStudy]:
    laws = [side.law for side in compared_designs(subject.scenario, subject.loaded_scores)]
    return [
        CurvesByEpsilonStudy(
            mechanism=law.with_epsilon(1.0).mechanism, scores=law.scores, events=laws[0].events
        )
        for law in laws
    ]


def preview_range(subject: common.PageSubject) -> tuple[float, float]:
    ranges = [find_epsilon_range(one, subject.loaded_scores) for one in subject.scenario.mechanisms]
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def build_slider_figure(
    scenario: Scenario,
    scores: Scores,
    event: object = None,
    *,
    progress: Progress = ignore_progress,
) -> common.SliderFigure:
    """Figure of all designs, with the curves of one event; raises `ParameterError` for k ≥ d."""
    for mechanism in scenario.mechanisms:
        mechanism.check_scores(check_scores(scores))
    k, values, of = (
        scenario.k,
        common.epsilon_grid(scenario.epsilon),
        compared_designs(scenario, scores),
    )
    chosen = common.select_event(of[0].law, event)
    at = []
    for value, part in iterate_with_progress(values, progress):
        laws = [
            side.law.with_epsilon(value).compute(inner, "distribution")
            for side, inner in iterate_with_progress(of, part)
        ]
        at.append(
            [
                (
                    common.law_figure_cells(law),
                    law.event_probability[chosen],
                    law.distribution.method,
                )
                for law in laws
            ]
        )
    curves = {
        named_design(side): interpolated_curve(
            chosen, values, [chance for _, chance, _ in come], method
        )
        for side, come, method in zip(
            of, zip(*at, strict=True), [method for *_, method in at[0]], strict=True
        )
    }
    most = "at most " if any(one.shorter for one in scenario.mechanisms) else ""
    return common.SliderFigure(
        title=common.takeaway_title(scenario, "effect of ε"),
        lead=(
            f"Each of {count_text(len(of), 'mechanism')} publishes"
            f" {most}{k:,} of"
            f" {scores.d:,} items. {scores.change}"
        ),
        slider_quantity="ε, the privacy budget",
        steps=tuple(
            _place(value, of, row, curves, values) for value, row in zip(values, at, strict=True)
        ),
        start=values.index(scenario.epsilon),
        column_headings=common.law_column_headings(of[0].law),
        rows=tuple(sentence_text((side,)) for side in of),
        charts=(f"The chance of {EVENTS[chosen].label}, by ε",),
        note=common.disclosure_sentence(scenario, common.NOTHING),
    )


def _place(
    epsilon: float,
    designs: Sequence[ComparedDesign],
    row: Sequence[tuple[list[str], BoundedProbability, str]],
    curves: Mapping[NamedDesign, FigureCurve],
    values: Sequence[float],
) -> common.SliderPosition:
    event = next(iter(curves.values())).event
    start = f"At ε = {common.format_slider_value(epsilon)}: {common.event_meaning(designs[0].law, event)}"
    cells, chances, methods = zip(*row, strict=True)
    sentence = (start, *best_and_worst_phrase([*zip(chances, designs, strict=True)]))
    now = pd.DataFrame(
        {
            "mechanism": [sentence_text((side,)) for side in designs],
            f"chance of {EVENTS[event].label}": [percent(*chance) for chance in chances],
            "method": methods,
        }
    )

    return common.build_position(
        common.format_slider_value(epsilon),
        sentence_text(sentence),
        cells,
        lambda look: (
            epsilon_curves_chart(curves, epsilon, span=(values[0], values[-1]), look=look),
            now,
        ),
    )


PAGE = common.PageView(
    title="Compare",
    build_slider_figure=lambda subject, progress: build_slider_figure(
        subject.scenario,
        subject.loaded_scores,
        subject.scenario.page.get("event"),
        progress=progress,
    ),
    file_disclosure=lambda subject: common.disclosure_sentence(subject.scenario, common.NOTHING),
    settings=("event",),
    build_slider_preview=build_slider_preview,
    preview_range=preview_range,
    reused_studies=preview_studies,
    range_note="The slider covers the values that matter for any of these mechanisms. It is therefore"
    " wider than on Explore.",
)
