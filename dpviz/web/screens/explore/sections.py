"""The page: on its first screen the question, what is traded for what and who comes out; below,
figures and the rest.

The setting before this one stays on the charts as a ghost, so that one sees what a change has done.
"""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from dpviz.base import ADDED, NAMES_UNKNOWN, REPLACED, Markup, Scores, joined, markup
from dpviz.charts import Look, number, percent
from dpviz.data import EXAMPLES
from dpviz.pages.common.top_k_figures import ideal, right, worst
from dpviz.pages.explore import view as explore
from dpviz.studies import Scenario, known
from dpviz.studies.mechanism_studies import Chance, LawStudy, ReleasesStudy
from dpviz.studies.provenance import unheld
from dpviz.topk import EVENTS
from dpviz.web.jobs import PATIENCE
from dpviz.web.screens.explore.class_map import class_map
from dpviz.web.screens.explore.closer_look import closer
from dpviz.web.screens.explore.controls import PAGE, play, played
from dpviz.web.screens.explore.goal import goal
from dpviz.web.screens.explore.ten_releases import ten_releases
from dpviz.web.widgets import (
    WAIT,
    badge,
    banner,
    beside,
    card,
    cards,
    data_shown,
    explain,
    filling,
    heading,
    html,
    next_seed,
    placed,
    show,
    term,
    view,
)

_TEN = 10
_WIDTHS = [1, 1.72]
_LINES = ("top", "great", "good")  # that charts draw
_SEEN = "dpviz.explore.seen"


def show_page(chosen: Scenario, scores: Scores, look: Look) -> None:
    """The page of a scenario; while ε is played it is another one that is shown."""
    scenario, playing = played(chosen)
    mechanism = scenario.mechanisms[0]
    law, job = beside(LawStudy(mechanism=mechanism, scores=scores))
    ten = ReleasesStudy(mechanism=mechanism, scores=scores, size=_TEN, seed=scenario.seed)
    ten, drawing = beside(ten, "ten", patience=PATIENCE)
    before = partial(_before, scenario, law, playing=playing)
    with filling(lambda: [job, drawing]):
        with st.container(key="explore_first"):
            _first_screen(scenario, law, look, before, partial(play, chosen, job))
        class_map(law, look)
        with st.container(key="explore_told"):
            _closer_to_it(scenario, law, ten)
    left, middle = st.columns(_WIDTHS, gap="medium")
    with left:
        goal(scenario, law)
    with middle:
        at_least = PAGE.read().at_least_of(scenario.k)
        chart = partial(explore.hits_chart, law, at_least, look)
        view(
            "hits",
            lambda: show(chart(before()), "hits", brief=True, at=law.mechanism.epsilon),
            "How many are right",
        )
    closer(law, look)


def _before(scenario: Scenario, now: LawStudy, *, playing: bool) -> explore.Before:
    """What was shown of the same scores before, called by what differs; while `playing`, what it
    was played from.
    """
    if known(lambda: (now.inclusion, now.hits)) is None:
        return None
    design = scenario.designs[0].label_for(now.k, now.scores.contributions)
    settings = f"ε = {scenario.epsilon:.6g}", f"k = {now.k:,}", design
    last, was = st.session_state.get(_SEEN, (None, None))
    if playing:
        was = last
    elif last is None or last[1].key != now.key:
        was = last
        st.session_state[_SEEN] = (settings, now), was
    if was is None or was[1].key == now.key or was[1].scores.digest != now.scores.digest:
        return None
    return ", ".join(one for one, other in zip(was[0], settings, strict=True) if one != other), was[
        1
    ]


def _first_screen(
    scenario: Scenario,
    law: LawStudy,
    look: Look,
    before: Callable[[], explore.Before],
    buttons: Callable[[], None],
) -> None:
    """The question and its answer, what is traded for what, and the items."""
    at = law.mechanism.epsilon

    def picture() -> None:
        show(explore.items_chart(law, look, before()), "scores", brief=True, leads=True, at=at)

    view("question", partial(_question, scenario, law))
    left, middle = st.columns(_WIDTHS, gap="medium")
    with left:
        view("both", partial(_both, scenario, law))
        with st.container(horizontal=True, gap="small"):
            buttons()
        banner()
    with middle:
        view("picture", picture, "The chance of each item")


def _closer_to_it(scenario: Scenario, law: LawStudy, ten: ReleasesStudy) -> None:
    """What is published and who is protected, all figures, and ten releases."""
    heading("What it comes to")
    view("told", partial(_told, scenario, law))
    left, middle = st.columns([1, 1.25], gap="medium")
    with left:
        view("headline", partial(_figures, law))
    with middle:
        view("ten", partial(ten_releases, ten))
        st.button("Ten others", on_click=next_seed, icon=":material/casino:", key="ten_others")
    explain(*explore.GLOSSED)


# ---- the first screen ----------------------------------------------------------------------------


def _question(scenario: Scenario, law: LawStudy) -> None:
    """The question, what is looked at, and the sentence that answers it."""
    scores, k = law.scores, law.k
    mechanism = scenario.designs[0].label_for(k, scores.contributions)
    html(
        markup(
            '<div class="dp-asked"><h1 class="dp-title">{}</h1><span class="dp-sub">{} ·'
            ' {}</span></div><p class="dp-lead">{}</p>',
            explore.asked(k, scores.d),
            data_shown(scenario),
            mechanism,
            known(lambda: _placed(law, "lead", explore.how_good(law))) or "",
        )
    )


def _both(scenario: Scenario, law: LawStudy) -> None:
    """What is traded for what, one as large as the other: how many are right, how often a guesser
    is.
    """
    good = known(lambda: (right(law), explore.right_share(law)))
    html(
        joined(
            (
                _large(
                    law,
                    "Right on average",
                    None if good is None else ("right", *good),
                    f"of {law.k:,}",
                ),
                markup(
                    '<div class="dp-large"><div class="dp-name">Guesses of a spy</div>{}</div>',
                    NAMES_UNKNOWN,
                )
                if unheld(scenario, law.scores)
                else _large(
                    law,
                    "Right guesses of a spy, at most",
                    ("guess", explore.guess_most(law), f"{explore.guess_most(law)}%"),
                    "of 100; blind ones: 50",
                ),
            )
        )
    )


def _large(law: LawStudy, name: str, figure: tuple[str, str, str] | None, of: str) -> Markup:
    """A figure by its place, over a bar as long as its share."""
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
    """What is published, who is protected and how long a list is, a line each."""
    lines = {
        "What is published": _published(scenario, law),
        "Who is protected": _protected(scenario, law),
    }
    if law.mechanism.shorter:
        lines["How long it will be"] = markup(
            "{}", known(lambda: _placed(law, "long", explore.how_long(law))) or ""
        )
    told = joined(markup("<dt>{}</dt><dd>{}</dd>", name, says) for name, says in lines.items())
    html(markup('<dl class="dp-told">{}</dl>', told))


def _published(scenario: Scenario, law: LawStudy) -> Markup:
    score = (
        f" A score is {EXAMPLES[scenario.data.name].score}."
        if scenario.data.source == "example"
        else ""
    )
    return markup("{}, with some luck ({}) in it.{}", explore.published(law), term("noise"), score)


def _protected(scenario: Scenario, law: LawStudy) -> Markup:
    """The person, and what ε leaves to be guessed about her."""
    if unheld(scenario, law.scores):
        return markup(
            "{} Who alone has a name is given away where that name comes out.", NAMES_UNKNOWN
        )
    delta = law.mechanism.delta_spent
    price = term("epsilon", _placed(law, "epsilon", f"ε = {law.mechanism.epsilon:.10g}"))
    person = (
        EXAMPLES[scenario.data.name].person
        if scenario.data.source == "example"
        else "any one person"
    )
    return markup(
        "{}: {}. At {} a guess from the release {} is right at most {} times in 100; a blind guess"
        " is right 50 times.",
        person[0].upper() + person[1:],
        ADDED if law.scores.monotonic else REPLACED,
        price + (f" and δ = {number(delta)}" if delta else ""),
        (
            "whether a person is in the data"
            if law.scores.monotonic
            else "which of two people's answers are in the data"
        ),
        _placed(law, "guess", explore.guess_most(law)),
    )


def _placed(law: LawStudy, name: str, text: str) -> Markup:
    """A text that follows the hand."""
    return placed(name, text, law.mechanism.epsilon)


def _figures(law: LawStudy) -> None:
    """The chance of each event, how many are right and how far down the worst one lies."""
    events = [_event(law, says, names) for says, names in explore.events_by_meaning(law).items()]
    drop, spurious = (
        term("drop_rate", *(() if law.mechanism.shorter else ("drop",))),
        term("spurious_rate"),
    )
    both = drop if law.mechanism.shorter else markup("{} and {}", drop, spurious)
    rates = known(lambda: markup("{} {}", both, _placed(law, "missed", explore.missed_rate(law))))
    average = markup("<span>{} on average</span>", term("hits", "Right"))
    of = markup('<span class="dp-of">of {:,}</span>', law.k)
    hits = _card(
        law, average, rates or "", lambda: markup("{} {}", _placed(law, "right", right(law)), of)
    )
    cards(
        [
            *events,
            hits,
            _card(law, "Worst rank", ideal(law.k), lambda: _placed(law, "worst", worst(law))),
        ]
    )


def _event(law: LawStudy, says: str, names: Sequence[str]) -> Markup:
    """The card of events that are one and the same, with the keys of the lines that charts draw for
    them.
    """
    keys = [
        markup('<span class="dp-key dp-key-{}"></span>', _LINES.index(name))
        for name in names
        if name in _LINES
    ]
    called = markup(", ").join(term(name, EVENTS[name].label) for name in names)
    title = markup("{}<span>{}</span>", joined(keys), called)
    chance = known(lambda: law.event[names[0]])
    return _card(
        law, title, says, lambda: _placed(law, names[0], percent(*law.event[names[0]])), chance
    )


def _card(
    law: LawStudy,
    title: object,
    says: object,
    value: Callable[[], object],
    chance: Chance | None = None,
) -> Markup:
    """A figure, with how it came about once it is there."""
    figure = known(value)
    return card(title, figure, says, "" if figure is None else badge(law.distribution, chance))
