"""The page Explore; its charts keep the previous setting as a ghost, to show the change."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

import streamlit as st

from dpviz.base import ADDED, NAMES_UNKNOWN, REPLACED, Markup, Scores, join_markup, markup
from dpviz.charts import Chart, Look, number_text, percent
from dpviz.data import EXAMPLES
from dpviz.pages.common.top_k_figures import (
    format_expected_hits,
    format_worst_rank,
    ideal_rank_note,
)
from dpviz.pages.explore import view as explore
from dpviz.studies import Scenario, read_if_ready
from dpviz.studies.mechanism_studies import BoundedProbability, LawStudy, ReleasesStudy
from dpviz.studies.provenance import mechanisms_needing_known_names
from dpviz.topk import EVENTS
from dpviz.topk.threshold_counts import ThresholdCounts
from dpviz.web.jobs import PATIENCE
from dpviz.web.screens.explore.class_map import show_class_map, show_other_maps
from dpviz.web.screens.explore.closer_look import show_detail_folds, show_ten_releases
from dpviz.web.screens.explore.controls import PAGE, scenario_during_play, show_play_controls
from dpviz.web.screens.explore.goal import show_goal_section
from dpviz.web.widgets import (
    WAIT,
    advance_seed,
    card,
    cards,
    compute_in_background,
    data_name_html,
    glossary_term,
    heading,
    html,
    law_badge,
    live_text,
    paragraph,
    show_chart_with_table,
    show_glossary,
    show_job_progress,
    show_live_view,
    show_not_private_banner,
)

_WIDTHS = [1, 1.72]
_SEEN = "dpviz.explore.seen"


def show_page(chosen: Scenario, scores: Scores, look: Look) -> None:
    """Show the scenario or, while ε is played, the one on screen."""
    scenario, playing = scenario_during_play(chosen)
    mechanism = scenario.mechanisms[0]
    law, job = compute_in_background(LawStudy(mechanism=mechanism, scores=scores))
    ten = ReleasesStudy(mechanism=mechanism, scores=scores, size=10, seed=scenario.seed)
    ten, drawing = compute_in_background(ten, "ten", patience=PATIENCE)
    before = partial(_before, scenario, law, playing=playing)
    with show_job_progress(lambda: [job, drawing]):
        with st.container(key="explore_first"):
            show_live_view(partial(_question, scenario, law))
            left, middle = st.columns(_WIDTHS, gap="medium")
            with left:
                show_live_view(partial(_both, scenario, law))
                if not mechanism.states_noise:
                    with st.container(horizontal=True, gap="small"):
                        show_play_controls(chosen, job)
                show_not_private_banner()
            with middle:
                show_live_view(
                    lambda: show_chart_with_table(
                        explore.inclusion_rows_chart(law, look, before()),
                        "scores",
                        brief=True,
                        leads=True,
                        at=law.mechanism.setting,
                    ),
                    "The chance of each item",
                )
        show_live_view(partial(show_ten_releases, ten))
        st.button(
            "Draw ten others", on_click=advance_seed, icon=":material/casino:", key="ten_others"
        )
        left, middle = st.columns(_WIDTHS, gap="medium")
        with left:
            if mechanism.states_noise:
                heading("How much privacy does the stated noise give?")
                show_live_view(partial(_rule, law))
            else:
                show_goal_section(scenario, law)
        with middle:
            chart = partial(
                explore.hits_chart, law, PAGE.current_settings().required_hits(scenario.k), look
            )
            show_live_view(
                lambda: show_chart_with_table(
                    chart(before()), "hits", brief=True, at=law.mechanism.setting
                ),
                "The number of right items",
            )
        if isinstance(mechanism, ThresholdCounts):
            heading("How often is a count published?")
            show_live_view(
                lambda: show_chart_with_table(
                    cast("Chart", explore.chance_by_size(law, look, before())),
                    "by_size",
                    brief=True,
                    at=mechanism.setting,
                ),
                "The chance by size",
            )
        with st.container(key="explore_told"):
            heading("In plain words")
            show_live_view(partial(_told, scenario, law))
        show_class_map(law, ten, look)
        show_live_view(partial(_figures, law))
    heading("Details")
    show_detail_folds(law, look)
    show_other_maps(law, look)
    show_glossary(*explore.GLOSSED)


def _before(scenario: Scenario, now: LawStudy, *, playing: bool) -> explore.GhostLaw:
    """Previous setting on the same scores, named by what differs; in play the one it began with."""
    if read_if_ready(lambda: (now.inclusion, now.hits)) is None:
        return None
    design = scenario.designs[0].label_for_data(now.k, now.scores.contributions)
    # a stated noise is part of the label
    budget = "" if now.mechanism.states_noise else f"ε = {scenario.epsilon:.6g}"
    settings = budget, f"k = {now.k:,}", design
    last, was = st.session_state.get(_SEEN, (None, None))
    if playing:
        was = last
    elif last is None or last[1].key != now.key:
        was = last
        st.session_state[_SEEN] = (settings, now), was
    if was is None or was[1].key == now.key or was[1].scores.digest != now.scores.digest:
        return None
    changed = (one for one, other in zip(was[0], settings, strict=True) if one != other)
    return ", ".join(changed), was[1]


# ---- the first screen ----------------------------------------------------------------------------


def _question(scenario: Scenario, law: LawStudy) -> None:
    scores, k = law.scores, law.k
    html(
        markup(
            '<div class="dp-asked"><h1 class="dp-title">{}</h1><span class="dp-sub">{} ·'
            ' {}</span></div><p class="dp-lead">{}</p>',
            explore.page_heading(k, scores.d),
            data_name_html(scenario),
            scenario.designs[0].label_for_data(k, scores.contributions),
            read_if_ready(lambda: _placed(law, "lead", explore.quality_sentence(law))) or "",
        )
    )


def _both(scenario: Scenario, law: LawStudy) -> None:
    good = read_if_ready(lambda: (format_expected_hits(law), explore.right_bar_width(law)))
    html(
        join_markup(
            (
                _large(
                    law,
                    "Right on average",
                    None if good is None else ("right", *good),
                    f"of {law.k:,}",
                ),
                markup(
                    '<div class="dp-large"><div class="dp-name">Right guesses of an attacker'
                    "</div>{}</div>",
                    NAMES_UNKNOWN,
                )
                if mechanisms_needing_known_names(scenario, law.scores)
                else _large(
                    law,
                    "Right guesses of an attacker, at most",
                    (
                        "guess",
                        explore.format_guess_bound(law),
                        f"{explore.format_guess_bound(law)}%",
                    ),
                    "in 100 (pure guessing: 50)",
                ),
            )
        )
    )


def _large(law: LawStudy, name: str, figure: tuple[str, str, str] | None, of: str) -> Markup:
    if figure is None:
        return markup('<div class="dp-large"><div class="dp-name">{}</div>{}</div>', name, WAIT)
    place, value, share = figure
    return markup(
        '<div class="dp-large dp-large-{}"><div class="dp-name">{}</div><div class="dp-value">{}'
        ' <span class="dp-of">{}</span></div><div class="dp-bar" aria-hidden="true"><i'
        ' style="{}">{}</i></div></div>',
        place,
        name,
        _placed(law, place, value),
        of,
        f"width: {share}",
        _placed(law, f"bar-{place}", ""),
    )


def _told(scenario: Scenario, law: LawStudy) -> None:
    lines = {
        "What is published": markup(
            "{}, randomised by {}.{}",
            explore.release_description(law),
            glossary_term("noise"),
            f" A score is {EXAMPLES[scenario.data.name].score}."
            if scenario.data.source == "example"
            else "",
        ),
        "Who is protected": _protected(scenario, law),
    }
    if law.mechanism.shorter:
        lines["Length of the list"] = markup(
            "{}",
            read_if_ready(lambda: _placed(law, "long", explore.list_length_sentence(law))) or "",
        )
    told = join_markup(markup("<dt>{}</dt><dd>{}</dd>", name, says) for name, says in lines.items())
    html(markup('<dl class="dp-told">{}</dl>', told))


def _rule(law: LawStudy) -> None:
    paragraph(_placed(law, "rule", explore.rule_text(law)), "says")


def _protected(scenario: Scenario, law: LawStudy) -> Markup:
    """The person, and how well an attacker can guess at this ε."""
    if mechanisms_needing_known_names(scenario, law.scores):
        return markup("{} Publishing it exposes that person.", NAMES_UNKNOWN)
    delta = law.mechanism.delta_spent
    price = glossary_term("epsilon", _placed(law, "epsilon", explore.epsilon_text(law)))
    person = (
        EXAMPLES[scenario.data.name].person
        if scenario.data.source == "example"
        else "any one person"
    )
    return markup(
        "{}. The guarantee is for {}. At {} an attacker who guesses {} is right at most {} times"
        " in 100 (pure guessing: 50).",
        person[0].upper() + person[1:],
        ADDED if law.scores.monotonic else REPLACED,
        price + (f" and δ = {number_text(delta)}" if delta else ""),
        (
            "whether a person is in the data"
            if law.scores.monotonic
            else "which of two people's answers are in the data"
        ),
        _placed(law, "guess", explore.format_guess_bound(law)),
    )


def _placed(law: LawStudy, name: str, text: str) -> Markup:
    return live_text(name, text, law.mechanism.setting)


def _figures(law: LawStudy) -> None:
    """The named regions of the map, each with its chance, and two averages."""
    drop, spurious = glossary_term("drop_rate"), glossary_term("spurious_rate")
    both = drop if law.mechanism.shorter else markup("<span>{}, {}</span>", drop, spurious)
    cards(
        [
            *(_event(law, says, names) for says, names in explore.events_by_meaning(law).items()),
            _card(
                law,
                both,
                "on average",
                lambda: _placed(law, "missed", explore.format_missing_share(law)),
            ),
            _card(
                law,
                "Worst rank",
                ideal_rank_note(law.k),
                lambda: _placed(law, "worst", format_worst_rank(law)),
            ),
        ]
    )


def _event(law: LawStudy, says: str, names: Sequence[str]) -> Markup:
    """Card of events that are the same."""
    return _card(
        law,
        markup(
            "<span>{}</span>",
            markup(", ").join(glossary_term(name, EVENTS[name].label) for name in names),
        ),
        says,
        lambda: _placed(law, names[0], percent(*law.event_probability[names[0]])),
        read_if_ready(lambda: law.event_probability[names[0]]),
    )


def _card(
    law: LawStudy,
    title: object,
    says: object,
    value: Callable[[], object],
    chance: BoundedProbability | None = None,
) -> Markup:
    figure = read_if_ready(value)
    return card(title, figure, says, "" if figure is None else law_badge(law.distribution, chance))
