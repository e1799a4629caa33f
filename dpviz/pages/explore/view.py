"""Explore in words and charts: items that come out, how many are right, and the ε of a goal."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.base import (
    Progress,
    Scores,
    check_scores,
    ignore_progress,
    iterate_with_progress,
    parameter,
    round_up,
)
from dpviz.charts import (
    MEASURES,
    Chart,
    Look,
    chance_by_count_chart,
    hit_count_chart,
    item_rows,
    number_text,
    percent,
    percent_upper_bound,
    release_frequency_text,
    shorten_text,
    stated_percent_text,
)
from dpviz.charts.topk.item_rows import item_rows_table
from dpviz.pages import common
from dpviz.pages.explore.closer_look import class_map_chart, nearest_existing_class
from dpviz.privacy.composition import right_guess_bound
from dpviz.studies import DeclaredParameters, LawStudy, Scenario, find_epsilon_range
from dpviz.studies.stated_rule import no_passing_item_sentences, stated_rule_sentences
from dpviz.topk import EVENTS, Canonical
from dpviz.topk.threshold_counts import ThresholdCounts

GLOSSED = (
    "release",
    "chance",
    "top",
    "great",
    "good",
    "hits",
    "drop_rate",
    "spurious_rate",
    "cutoff",
    "distance",
    "utility_class",
    "h",
    "t",
    "loss",
)
"""Terms of the page, by their names in the glossary."""
_SELDOM = 1e-3  # counts that come this seldom have no row
_DIGITS = 6
# items in the data and in a release, up to which the canonical mechanism's previews are quick
_MANY, _OUT = 20_000, 1_000
GhostLaw = tuple[str, LawStudy] | None
"""A law that is shown as a ghost, and its name."""


@dataclass(frozen=True, kw_only=True)
class ExploreSettings:
    """Page parameters; the goal is `at_least` right (0: nine of ten) in a share `sure`."""

    measure: str = parameter(next(iter(MEASURES)), choices=MEASURES, label="The colour shows")
    h: int = parameter(0, integer=True, label="h")
    t: int = parameter(0, integer=True, label="t")
    draws: int = parameter(0, integer=True, label="Releases drawn")
    at_least: int = parameter(0, low=0, integer=True, label="Right items needed")
    sure: float = parameter(0.9, low=0.01, high=0.999, label="Share of releases")

    def required_hits(self, k: int) -> int:
        """Required right items of k: nine of ten by default."""
        return min(self.at_least, k) if self.at_least else math.ceil(0.9 * k - 1e-9)


# ---- the first screen ----------------------------------------------------------------------------


def page_heading(k: int, d: int) -> str:
    return (
        f"Which of the {d:,} items scores highest?"
        if k == 1
        else f"Which {k:,} of the {d:,} items score highest?"
    )


def release_description(law: LawStudy) -> str:
    what = "One item" if law.k == 1 else f"{law.k:,} items"
    if law.mechanism.shorter:
        what = f"At most {what.lower()}"
    if law.mechanism.releases_scores(law.scores.contributions):
        return f"{what} with noisy counts"
    return f"{what} without its score" if law.k == 1 else f"{what} without scores or order"


def quality_sentence(law: LawStudy) -> str:
    """Average number right, and how often all are, as natural frequencies."""
    k, often = law.k, release_frequency_text(*law.all_right)
    estimated = (
        f" ({common.method_phrase(law.distribution)})"
        if law.distribution.method == "estimated"
        else ""
    )
    if k == 1:
        return f"The best item is published in {often}{estimated}."
    whole = "Both" if k == 2 else f"All {k:,}"
    return (
        f"On average {common.format_expected_hits(law)} of the {k:,} items are right. {whole} are right in"
        f" {often}{estimated}."
    )


def format_guess_bound(law: LawStudy) -> str:
    s = law.scores
    most = right_guess_bound([law.mechanism], contributions=s.contributions, monotonic=s.monotonic)
    return str(percent_upper_bound(most))


def list_length_sentence(law: LawStudy) -> str:
    """Number of names on a list; "" where it is always k."""
    if not law.mechanism.shorter:
        return ""
    said = common.list_length_phrase(law.length, law.whole_length, law.distribution.method)
    return f"{said[0].upper()}{said[1:]}."


def events_by_meaning(law: LawStudy) -> dict[str, list[str]]:
    """Events by meaning; equal events share a line."""
    kinds: dict[str, list[str]] = {}
    for name in law.events:
        kinds.setdefault(common.event_meaning(law, name, show_tie_count=True), []).append(name)
    return kinds


def hits_goal_phrase(k: int, at_least: int, probability: float) -> str:
    what = (
        f"At least {at_least:,} of the top {k:,} right"
        if at_least < k
        else f"All of the top {k:,} right"
    )
    return (
        f"{'The best item' if k == 1 else what} in {stated_percent_text(probability)} of releases"
    )


def format_missed_top_k_share(law: LawStudy) -> str:
    dist = law.distribution
    miss = 1 - law.share
    if dist.method == "exact":
        return percent(miss)
    half = dist.draws**-0.5  # of an interval: no share is wider
    return f"about {percent(miss, max(miss - half, 0.0), min(miss + half, 1.0))}"


def inclusion_rows_chart(law: LawStudy, look: Look, previous_law: GhostLaw = None) -> Chart:
    return item_rows(
        law.scores,
        law.inclusion,
        law.k,
        bounds=law.inclusion_bounds,
        previous_inclusion=None
        if previous_law is None
        else (previous_law[0], previous_law[1].inclusion),
        look=look,
    )


def hits_chart(law: LawStudy, at_least: int, look: Look, previous_law: GhostLaw = None) -> Chart:
    ghost = (
        None
        if previous_law is None or previous_law[1].k != law.k
        else (previous_law[0], previous_law[1].hits)
    )
    dist = law.distribution
    return hit_count_chart(
        law.hits,
        at_least=at_least,
        bounds=dist.bounds,
        method=dist.method,
        previous_hits=ghost,
        look=look,
    )


# ---- preview while ε is dragged ------------------------------------------------------------------


def epsilon_text(law: LawStudy) -> str:
    """ε as it is set, or as it follows from a stated noise, rounded up; ∞ where none holds."""
    m = law.mechanism
    if m.epsilon == math.inf:
        return "ε = ∞"
    return f"ε = {round_up(m.epsilon, 4) if m.states_noise else m.epsilon:.10g}"


def stated_rule_text(law: LawStudy) -> str:
    """Noise, threshold, cap and ε where the noise is stated; else ""."""
    told = stated_rule_sentences(law.mechanism, number_text)
    return " ".join([*told, *no_passing_item_sentences(law.mechanism, law.scores)])


def publication_by_true_count_chart(
    law: LawStudy, look: Look, previous_law: GhostLaw = None
) -> Chart | None:
    """The chance of each true count under a threshold rule; None for other mechanisms."""
    if not isinstance(law.mechanism, ThresholdCounts):
        return None
    was = None if previous_law is None else previous_law[1].mechanism
    return chance_by_count_chart(
        law.mechanism.passing_rule(law.scores),
        scores=law.scores,
        k=law.k,
        previous_rule=(previous_law[0], was.passing_rule(law.scores))
        if previous_law is not None and isinstance(was, ThresholdCounts)
        else None,
        look=look,
    )


PLACES: Mapping[str, Callable[[LawStudy], str]] = {
    "epsilon": epsilon_text,
    "rule": stated_rule_text,
    "guess": format_guess_bound,
    "bar-guess": lambda law: f"{format_guess_bound(law)}%",
    "bar-right": lambda law: f"{100 * law.expected_hits / law.k:.3g}%",
    "lead": quality_sentence,
    "long": list_length_sentence,
    "missed": format_missed_top_k_share,
    "right": common.format_expected_hits,
    "worst": common.format_worst_rank,
}
"""Texts that change with ε or the noise, by place, beside the chances of events."""


def live_place_text(law: LawStudy, place: str) -> str:
    return percent(*law.event_probability[place]) if place in EVENTS else PLACES[place](law)


def build_slider_preview(
    subject: common.PageSubject, value: float, request: common.PreviewRequest
) -> common.PagePreview:
    mechanism = subject.scenario.with_slider_value(value).mechanisms[0]
    law = LawStudy(mechanism=mechanism, scores=subject.loaded_scores)
    law.compute(request.progress, "distribution")
    said = {place: live_place_text(law, place) for place in (*PLACES, *law.events)}
    settings = DeclaredParameters(ExploreSettings).read_settings(subject.scenario.page)[0]
    chosen = nearest_existing_class(law, settings.h, settings.t)
    by_size = publication_by_true_count_chart(law, request.look)
    return common.PagePreview(
        texts=said,
        charts=({} if by_size is None else {"by_size": by_size})
        | {
            "scores": inclusion_rows_chart(law, request.look),
            "hits": hits_chart(law, settings.required_hits(law.k), request.look),
            "classes": class_map_chart(law, *chosen, request.look),
        },
        lead=said["lead"],
        height=law.expected_hits / law.k,
    )


def slider_range(subject: common.PageSubject) -> tuple[float, float]:
    """Values of ε that matter, or of a stated noise: up to the largest count."""
    mechanism = subject.scenario.mechanisms[0]
    if mechanism.states_noise:
        return 0.1, max(100.0, float(subject.loaded_scores.values.max()))
    return find_epsilon_range(mechanism, subject.loaded_scores)


def has_quick_preview(subject: common.PageSubject) -> bool:
    """True if fifty previews take about three seconds, for every k."""
    return (
        isinstance(subject.scenario.mechanisms[0], Canonical)
        and subject.loaded_scores.d <= _MANY
        and subject.scenario.k <= _OUT
    )


# ---- the figure to take away ---------------------------------------------------------------------


def build_slider_figure(
    scenario: Scenario, scores: Scores, *, progress: Progress = ignore_progress
) -> common.SliderFigure:
    """Figure of the scenario's first design by ε; raises `ParameterError` for k ≥ d."""
    law, k, values = (
        LawStudy(mechanism=scenario.mechanisms[0], scores=scores),
        scenario.k,
        common.epsilon_grid(scenario.slider_value),
    )
    law.mechanism.check_scores(check_scores(scores))
    most = "at most " if law.mechanism.shorter else ""
    return common.SliderFigure(
        title=common.takeaway_title(
            scenario, "effect of its noise" if law.mechanism.states_noise else "effect of ε"
        ),
        lead=(
            f"{scenario.designs[0].label_for_data(k, scores.contributions)} publishes"
            f" {most}{k:,} of {scores.d:,} items. {scores.change}"
        ),
        slider_quantity=("Stated noise" if law.mechanism.states_noise else "ε, the privacy budget"),
        steps=tuple(
            _place(
                law.replace(mechanism=scenario.with_slider_value(value).mechanisms[0]).compute(
                    part, "distribution"
                )
            )
            for value, part in iterate_with_progress(values, progress)
        ),
        start=values.index(scenario.slider_value),
        column_headings=common.law_column_headings(law),
        charts=("Chance of each item", "Number of right items"),
        note=file_disclosure(scenario, scores),
    )


def file_disclosure(scenario: Scenario, scores: Scores) -> str:
    """Contents of the file that come from the data, in words."""
    rows = item_rows_table(scores, np.zeros(scores.d), scenario.k)
    named = int((rows["first"] == rows["last"]).sum())
    rest = "all" if named == scores.d else f"{named:,} items, and mean scores of the others"
    return common.disclosure_sentence(scenario, f"the names and scores of {rest}")


def _place(law: LawStudy) -> common.SliderPosition:
    scores, k, value = law.scores, law.k, common.format_slider_value(law.mechanism.setting)
    # as many decimal places as are right, at most six
    known = law.distribution.draws**-0.5 if law.distribution.draws else law.distribution.error
    places = int(np.clip(np.floor(-np.log10(max(known, 1e-16))), 1, _DIGITS))
    items = item_rows_table(scores, law.inclusion, k)
    by_name = pd.DataFrame(
        {
            "rank": [
                f"{a:,}" if a == b else f"{a:,} to {b:,}"
                for a, b in zip(items["first"], items["last"], strict=True)
            ],
            "item": [shorten_text(name) for name in items["item"]],
            "score": [number_text(score) for score in items["score"]],
            "chance": [f"{p:.{places}f}" for p in items["chance"]],
        }
    )
    counts = np.flatnonzero(law.hits >= _SELDOM)
    by_count = pd.DataFrame(
        {
            "right items": [f"{n:,}" for n in counts],
            "chance": [f"{p:.{places}f}" for p in law.hits[counts]],
        }
    )

    return common.build_position(
        value,
        slider_position_sentence(law),
        [common.law_figure_cells(law)],
        lambda look: (inclusion_rows_chart(law, look), by_name),
        lambda look: (hits_chart(law, k, look), by_count),
    )


def slider_position_sentence(law: LawStudy) -> str:
    event = common.select_event(law)
    often, epsilon = (
        release_frequency_text(*law.event_probability[event]),
        common.format_slider_value(law.mechanism.epsilon),
    )
    if law.mechanism.states_noise:
        epsilon = epsilon_text(law).removeprefix("ε = ")
    said = (
        f"At ε = {epsilon} the list is {common.event_meaning(law, event)} in {often}"
        f" ({common.method_phrase(law.distribution)})."
    )
    return f"{said} Length: {list_length_sentence(law)}" if law.mechanism.shorter else said


PAGE = common.PageView(
    title="Explore",
    build_slider_figure=lambda subject, progress: build_slider_figure(
        subject.scenario, subject.loaded_scores, progress=progress
    ),
    file_disclosure=lambda subject: file_disclosure(subject.scenario, subject.loaded_scores),
    build_slider_preview=build_slider_preview,
    preview_range=slider_range,
    has_quick_preview=has_quick_preview,
    current_value=lambda subject: subject.scenario.slider_value,
    scenario_at_value=lambda subject, value: subject.scenario.with_slider_value(value),
)
