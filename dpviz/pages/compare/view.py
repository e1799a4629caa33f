"""Compare in words and charts; a `Sentence` keeps its designs as parts, to be shown by letter."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from dpviz.base import Progress, Scores, check_scores, ignore_progress, iterate_with_progress
from dpviz.charts import (
    LIGHT,
    Chart,
    Look,
    count_text,
    input_percent_text,
    percent,
    release_frequency_text,
    upper_bound_text,
)
from dpviz.charts.topk.class_maps import class_heatmaps
from dpviz.charts.topk.design_curves import NamedDesign, epsilon_curves_chart
from dpviz.pages import common
from dpviz.pages.compare.study import (
    DRAWS,
    STARTING,
    ComparedDesign,
    CompareSettings,
    CurvesByEpsilonStudy,
    Sentence,
    compared_designs,
    interpolated_curve,
)
from dpviz.studies import (
    PROBABILITIES,
    BoundedProbability,
    DeclaredParameters,
    Scenario,
    SmallestEpsilonStudy,
    epsilon_rows,
    find_epsilon_range,
)
from dpviz.topk import EVENTS, LARGEST_EPSILON, FigureCurve

SmallestEpsilonRows = Sequence[tuple[ComparedDesign, Mapping[str, Any]]]
GOAL = 0.9  # the probability whose ε is told first


def smallest_epsilon_rows(
    designs: Sequence[ComparedDesign], studies: Sequence[SmallestEpsilonStudy]
) -> list[tuple[ComparedDesign, dict[str, Any]]]:
    come = [
        (side, study.goal_with_probability(float(probability)), need)
        for side, study in zip(designs, studies, strict=True)
        for probability, need in study.smallest_epsilons.ready_results().items()
    ]
    law = designs[0].law
    rows = epsilon_rows(
        [(side.design, goal) for side, goal, _ in come],
        [need for *_, need in come],
        law.k,
        law.scores.contributions,
    )
    return [(side, row) for (side, *_), row in zip(come, rows, strict=True)]


def goal_table_caption(event: str) -> str:
    shares = f"{', '.join(map(input_percent_text, PROBABILITIES[:-1]))} and {input_percent_text(PROBABILITIES[-1])}"
    return f"The smallest ε of each mechanism for {EVENTS[event].label} in {shares} of releases"


def smallest_epsilon_sentence(rows: SmallestEpsilonRows, event: str) -> Sentence:
    """ε of the best design for one goal, and the multiple of the worst."""
    label, share = EVENTS[event].label, input_percent_text(GOAL)
    column = _reached(rows)
    if not column:
        return (_without_epsilon([side for side, _ in rows], f"{label} in {share} of releases"),)
    column.sort(key=_epsilon)
    (best, least), (worst, most) = column[0], column[-1]
    start = (
        f"{label} in {share} of releases needs ε = {upper_bound_text(least['epsilon'], digits=3)}"
        " with "
    )
    return (
        (start, best, ".")
        if len(column) == 1
        else (
            start,
            best,
            f", and {common.format_three_digits(most['multiple'])} times as much with ",
            worst,
            ".",
        )
    )


def _without_epsilon(designs: Sequence[ComparedDesign], goal: str) -> str:
    """Sentence on mechanisms of which none has a smallest ε."""
    known = designs[0].law.scores.names_known
    valid = [side for side in designs if side.law.mechanism.guarantee_holds(known)]
    if not valid:
        return "No mechanism here is valid. Each needs a list of all possible items."
    searched = [side for side in valid if not side.law.mechanism.states_noise]
    if not searched:
        return "No smallest ε is sought: the noise is stated, and ε follows from it."
    which = "here" if len(searched) == len(designs) else "that was searched"
    return f"No mechanism {which} reaches {goal}, at any ε up to {LARGEST_EPSILON:,.0f}."


def known_names_sentence(
    rows: SmallestEpsilonRows, known_name_rows: SmallestEpsilonRows, event: str
) -> Sentence:
    """Smallest ε for one goal with a list of all possible items, against the one without."""
    best = min(_reached(known_name_rows), key=_epsilon, default=None)
    if best is None:
        return ()
    label, share, least = EVENTS[event].label, input_percent_text(GOAL), _epsilon(best)
    start = f"With a list of all possible items, {label} in {share} of releases would need ε = "
    said: Sentence = (f"{start}{upper_bound_text(least, digits=3)} with ", best[0])
    held = min(map(_epsilon, _reached(rows)), default=None)
    return (
        (*said, ".")
        if held is None
        else (
            *said,
            f". Without one it needs {common.format_three_digits(held / least)} times as much.",
        )
    )


def _reached(needed: SmallestEpsilonRows) -> list[tuple[ComparedDesign, Mapping[str, Any]]]:
    return [
        one for one in needed if one[1]["probability"] == GOAL and math.isfinite(one[1]["epsilon"])
    ]


def _epsilon(one: tuple[ComparedDesign, Mapping[str, Any]]) -> float:
    return float(one[1]["epsilon"])


def named_design(design: ComparedDesign) -> NamedDesign:
    return NamedDesign(design.number, design.label)


def sentence_text(sentence: Sentence) -> str:
    return "".join(
        part if isinstance(part, str) else named_design(part).lettered_label(LIGHT)
        for part in sentence
    )


def page_heading(k: int, d: int) -> str:
    return f"Which mechanism finds the {'best' if k == 1 else f'{k:,} best'} of {d:,} items?"


def lead_sentence(designs: Sequence[ComparedDesign]) -> Sentence:
    event, k = common.select_event(designs[0].law), designs[0].law.k
    what = "exactly" if event == "top" else "as good as"
    return (
        f"The list is {what} {common.true_top_phrase(k)}",
        *_best_and_worst([(side.law.event_probability[event], side) for side in designs]),
    )


def _best_and_worst(chances: Sequence[tuple[BoundedProbability, ComparedDesign]]) -> Sentence:
    ranked = sorted(chances, key=lambda pair: -pair[0].value)
    (high, best), (low, worst) = ranked[0], ranked[-1]
    start: Sentence = (f" in {release_frequency_text(*high)} with ", best)
    return (
        (*start, ".")
        if worst is best
        else (*start, f", and in {release_frequency_text(*low)} with ", worst, ".")
    )


def design_remarks(designs: Sequence[ComparedDesign]) -> list[Sentence]:
    """Designs with the chances of an earlier one, and where the designs come from."""
    said: list[Sentence] = [
        (later, " gives the same chances as ", twin, ".")
        for later in designs
        for twin in [side for side in designs[: later.number] if later.has_same_chances(side)][:1]
    ]
    if tuple(side.design for side in designs) == STARTING:
        said.append(
            (
                f"These {len(designs)} are only a beginning. Choose others in the settings, under Mechanisms.",
            )
        )
    return said


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
    sentence = (start, *_best_and_worst([*zip(chances, designs, strict=True)]))
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
