"""The page Explore; its charts keep the previous setting as a ghost, to show the change."""

import math
from typing import cast

import streamlit as st

from dpviz.base import ADDED, NAMES_UNKNOWN, REPLACED, Markup, Scores, join_markup, markup, round_up
from dpviz.charts import Chart, Look, count_text, number_text, upper_bound_text
from dpviz.data import EXAMPLES
from dpviz.pages import common
from dpviz.pages.explore import view as explore
from dpviz.studies import (
    LawStudy,
    ReleasesStudy,
    Scenario,
    SmallestEpsilonStudy,
    StepPending,
    read_if_ready,
)
from dpviz.studies.provenance import mechanisms_needing_known_names
from dpviz.topk import EVENTS
from dpviz.topk.threshold_counts import ThresholdCounts
from dpviz.web import widgets as ui
from dpviz.web.jobs import PATIENCE
from dpviz.web.screens.explore import closer_look, controls
from dpviz.web.screens.explore.controls import PAGE, PLAY
from dpviz.web.session import state

_WIDTHS = [1, 1.72]
_SEEN = "dpviz.explore.seen"
_PATIENCE = 0.3  # seconds for the goal's ε: most are there by then, and the page runs once


def displayed_scenario(scenario: Scenario) -> Scenario:
    """The scenario, at another ε while ε is played."""
    return scenario if PLAY.value is None else controls.scenario_during_play(scenario)


def show_page(chosen_scenario: Scenario, scores: Scores, look: Look) -> None:
    """Show the scenario or, while ε is played, the one on screen."""
    scenario = displayed_scenario(chosen_scenario)
    playing = PLAY.value is not None
    mechanism = scenario.mechanisms[0]
    law, job = ui.compute_in_background(LawStudy(mechanism=mechanism, scores=scores))
    ten = ReleasesStudy(mechanism=mechanism, scores=scores, size=10, seed=scenario.seed)
    ten, _ = ui.compute_in_background(ten, "ten", patience_seconds=PATIENCE)
    at = mechanism.setting
    with ui.show_job_progress("laws", "ten"):
        with st.container(key="explore_first"):
            with ui.live_part():
                _show_question(scenario, law)
            left, middle = st.columns(_WIDTHS, gap="medium")
            with left:
                with ui.live_part():
                    _show_large_figures(scenario, law)
                if not mechanism.states_noise:
                    with st.container(horizontal=True, gap="small"):
                        if playing:
                            controls.show_play_controls(chosen_scenario, job)
                        else:
                            _show_play_buttons()
                ui.show_not_private_banner()
            with middle, ui.live_part("The chance of each item"):
                ui.show_first_chart(
                    explore.inclusion_rows_chart(law, look, _before(scenario, law, playing)),
                    "scores",
                    at,
                )
        with ui.live_part():
            closer_look.show_ten_releases(ten)
        ui.button("Draw ten others", "ten_others", ui.advance_seed, icon="casino")
        _show_goal_and_hits(scenario, law, look, playing)
        if isinstance(mechanism, ThresholdCounts):
            ui.heading("How often is a count published?")
            with ui.live_part("The chance by size"):
                by_size = cast(
                    "Chart",
                    explore.publication_by_true_count_chart(
                        law, look, _before(scenario, law, playing)
                    ),
                )
                ui.show_chart(by_size, "by_size", at, help_folded=True)
        with st.container(key="explore_told"):
            ui.heading("In plain words")
            with ui.live_part():
                _show_plain_words(scenario, law)
        closer_look.show_class_map(law, ten, look)
        with ui.live_part():
            _show_figures(law)
    ui.heading("Details")
    closer_look.show_detail_folds(law, look)
    ui.show_glossary(*explore.GLOSSED)


def _show_play_buttons() -> None:
    ui.button(
        "Play ε",
        "play",
        controls.begin_play,
        True,
        icon="play_arrow",
        help="ε moves from a tenth of your setting to ten times your setting, and the page follows.",
    )
    ui.button("Step through ε", "play_steps", controls.begin_play, False, icon="skip_next")


def _show_goal_and_hits(scenario: Scenario, law: LawStudy, look: Look, playing: bool) -> None:
    left, middle = st.columns(_WIDTHS, gap="medium")
    with left:
        if law.mechanism.states_noise:
            ui.heading("How much privacy does the stated noise give?")
            with ui.live_part():
                ui.show_paragraph(_place(law, "rule"), "says")
        else:
            _show_goal(scenario, law)
    with middle, ui.live_part("The number of right items"):
        needed = PAGE.current_settings().required_hits(law.k)
        ui.show_chart(
            explore.hits_chart(law, needed, look, _before(scenario, law, playing)),
            "hits",
            law.mechanism.setting,
            help_folded=True,
        )


def _before(scenario: Scenario, now: LawStudy, playing: bool) -> explore.GhostLaw:
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


def _place(law: LawStudy, name: str) -> Markup:
    return ui.live_text(name, explore.live_place_text(law, name), law.mechanism.setting)


# ---- the first screen ----------------------------------------------------------------------------


def _show_question(scenario: Scenario, law: LawStudy) -> None:
    scores, k = law.scores, law.k
    ui.show_markup(
        '<div class="dp-asked"><h1 class="dp-title">{}</h1><span class="dp-sub">{} ·'
        ' {}</span></div><p class="dp-lead">{}</p>',
        explore.page_heading(k, scores.d),
        ui.data_name_html(scenario),
        scenario.designs[0].label_for_data(k, scores.contributions),
        read_if_ready(_place, law, "lead") or "",
    )


def _show_large_figures(scenario: Scenario, law: LawStudy) -> None:
    """The two large figures: right items, and right guesses of an attacker."""
    guesses = markup(
        '<div class="dp-large"><div class="dp-name">Right guesses of an attacker</div>{}</div>',
        NAMES_UNKNOWN,
    )
    if not mechanisms_needing_known_names(scenario, law.scores):
        guesses = _large(
            law, "guess", "Right guesses of an attacker, at most", "in 100 (pure guessing: 50)"
        )
    ui.html(_large(law, "right", "Right on average", f"of {law.k:,}") + guesses)


def _large(law: LawStudy, place: str, name: str, of: str) -> Markup:
    bar = f"bar-{place}"
    come = read_if_ready(lambda: (_place(law, place), explore.live_place_text(law, bar)))
    if come is None:
        return markup('<div class="dp-large"><div class="dp-name">{}</div>{}</div>', name, ui.WAIT)
    return markup(
        '<div class="dp-large dp-large-{}"><div class="dp-name">{}</div><div class="dp-value">{}'
        ' <span class="dp-of">{}</span></div><div class="dp-bar" aria-hidden="true"><i'
        ' style="{}">{}</i></div></div>',
        place,
        name,
        come[0],
        of,
        f"width: {come[1]}",
        ui.live_text(bar, "", law.mechanism.setting),
    )


def _show_plain_words(scenario: Scenario, law: LawStudy) -> None:
    example = EXAMPLES[scenario.data.name] if scenario.data.source == "example" else None
    lines = {
        "What is published": markup(
            "{}, randomised by {}.{}",
            explore.release_description(law),
            ui.glossary_term("noise"),
            "" if example is None else f" A score is {example.score}.",
        ),
        "Who is protected": _protected(
            scenario, law, "any one person" if example is None else example.person
        ),
    }
    if law.mechanism.shorter:
        lines["Length of the list"] = read_if_ready(_place, law, "long") or markup("")
    told = join_markup(markup("<dt>{}</dt><dd>{}</dd>", name, says) for name, says in lines.items())
    ui.show_markup('<dl class="dp-told">{}</dl>', told)


def _protected(scenario: Scenario, law: LawStudy, person: str) -> Markup:
    """The person, and how well an attacker can guess at this ε."""
    if mechanisms_needing_known_names(scenario, law.scores):
        return markup("{} Publishing it exposes that person.", NAMES_UNKNOWN)
    delta, added = law.mechanism.delta_spent, law.scores.monotonic
    price = ui.glossary_term("epsilon", _place(law, "epsilon"))
    return markup(
        "{}. The guarantee is for {}. At {} an attacker who guesses {} is right at most {} times"
        " in 100 (pure guessing: 50).",
        person[0].upper() + person[1:],
        ADDED if added else REPLACED,
        price + (f" and δ = {number_text(delta)}" if delta else ""),
        "whether a person is in the data"
        if added
        else "which of two people's answers are in the data",
        _place(law, "guess"),
    )


def _show_figures(law: LawStudy) -> None:
    """The named regions of the map, each with its chance, and two averages."""
    both = ui.glossary_term("drop_rate")
    if not law.mechanism.shorter:
        both = markup("<span>{}, {}</span>", both, ui.glossary_term("spurious_rate"))
    events = [
        _card(
            law,
            markup(
                "<span>{}</span>",
                markup(", ").join(ui.glossary_term(name, EVENTS[name].label) for name in names),
            ),
            says,
            names[0],
        )
        for says, names in explore.events_by_meaning(law).items()
    ]
    worst = _card(law, "Worst rank", common.ideal_worst_rank_note(law.k), "worst")
    ui.cards([*events, _card(law, both, "on average", "missed"), worst])


def _card(law: LawStudy, title: object, says: object, place: str) -> Markup:
    figure = read_if_ready(_place, law, place)
    if figure is None:
        return ui.card(title, None, says)
    chance = law.event_probability[place] if place in EVENTS else None
    return ui.card(title, figure, says, ui.law_badge(law.distribution, chance))


# ---- a goal in words, and the ε that meets it ----------------------------------------------------


def _show_goal(scenario: Scenario, law: LawStudy) -> None:
    ui.heading("How accurate must the list be?")
    k, settings = law.k, PAGE.current_settings()
    at_least = settings.required_hits(k)
    boxes = st.columns([1, 1])
    with boxes[0]:
        ui.number_box(
            "Right items, at least" if k > 1 else "The item is right",
            at_least,
            ui.edit_for_keyword(PAGE.change, "at_least"),
            "at_least",
            low=1,
            high=k,
            why=f", as the list has {count_text(k, 'item')}",
        )
    with boxes[1]:
        PAGE.percent_box("sure", settings.sure, "in % of releases", (1.0, 99.9))
    what = "The ε for this goal"
    need = SmallestEpsilonStudy(
        mechanism=law.with_epsilon(1.0).mechanism,
        scores=law.scores,
        event="hits",
        probabilities=(settings.sure,),
        at_least=at_least,
    )

    with ui.live_part(what):
        if not law.is_complete:
            raise StepPending(what)
        now, job = ui.compute_in_background(need, "goal", queue_place=0, patience_seconds=_PATIENCE)
        if job.finished and job.problem is None:
            _show_needed(scenario, now)
            return
        with ui.show_job_progress("goal", key="goal"), ui.live_part(what):
            _show_needed(scenario, now)


def _show_needed(scenario: Scenario, need: SmallestEpsilonStudy) -> None:
    (sure,) = need.probabilities
    epsilon, reason = need.smallest_epsilons[repr(sure)]
    start = explore.hits_goal_phrase(need.k, need.at_least or need.k, sure)
    if math.isinf(epsilon):
        valid = need.mechanism.guarantee_holds(need.scores.names_known)
        enough = "enough" if valid else "valid without a list of all possible items"
        ui.show_paragraph(f"{start}: no ε is {enough}.", "says")
        st.caption(ui.escape_markdown(reason))
        return
    least = round_up(epsilon)
    shown, times = upper_bound_text(least, digits=3), least / scenario.epsilon
    about = "about" if f"{times:.2g}" == "1" else f"{number_text(float(f'{times:.3g}'))} times"
    ui.show_paragraph(
        markup(
            "{}: this needs <b>ε\u00a0=\u00a0{}</b>, <span data-pale>{} your setting</span>.",
            start,
            shown,
            about,
        ),
        "says",
    )
    ui.button(
        f"Use ε = {shown}",
        "goal_use",
        state.change_scenario,
        icon="check",
        kwargs={"epsilon": least},
        disabled=scenario.epsilon == least,
    )
