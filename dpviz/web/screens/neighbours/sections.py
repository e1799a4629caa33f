"""The page on neighbours, from the sentence that matters most to a hundred guessers.

Candidates are run, and the worst person is searched for, before there are two worlds to look at:
until that is over the page shows how far it is, and begins anew then. What a search has found stays
where it is stopped.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import streamlit as st

from dpviz import charts
from dpviz.base import Progress, markup
from dpviz.base.limited_process import POSSIBLE
from dpviz.charts import trimmed
from dpviz.pages.neighbours import cards, sentences
from dpviz.pages.neighbours import charts as pictures
from dpviz.pages.neighbours.study import NeighboursStudy, TwoWorlds, WorstSearch
from dpviz.privacy.loss import PrivacyLoss
from dpviz.studies import Pending, known
from dpviz.web.jobs import PATIENCE, Done, Elsewhere, Job, Kept, WorkStep, desk, kept, work_on
from dpviz.web.screens.candidates import with_runs
from dpviz.web.screens.neighbours.controls import PAGE, person, start
from dpviz.web.session.chart_theme import look as look_now
from dpviz.web.widgets import (
    awaited,
    beside,
    bidi,
    estimated,
    explain,
    figures,
    filling,
    heading,
    page_head,
    paragraph,
    part,
    placed,
    show,
    view,
)

_FIGURES = "Figures of the privacy loss"
_SEARCHES = 6  # that are kept


Found = dict[str, Any]
"""Whom a search has found so far: her two worlds and their loss, as results of a study, and the
number of the find.
"""


@dataclass(frozen=True, eq=False)
class Begun:
    """The study as far as it has come, with its jobs.

    `waits` where the first job must be over before there are two worlds: it makes runs, or it is a
    search that has `found` somebody so far.
    """

    study: NeighboursStudy
    jobs: list[Job]
    waits: bool = False
    found: Found | None = None

    def over(self) -> bool:
        """Whether the first job is."""
        return self.jobs[0].finished or self.jobs[0].cancelled

    def goes_on(self) -> bool:
        """Whether two worlds can be made of what the first job has come to."""
        return self.over() and bool(self.jobs[0].results if self.found is None else self.found)


def show_page() -> None:
    """The page."""
    begun = _begun(start())
    now, look = begun.study, look_now()
    with st.container(key="neighbours_first"), filling(lambda: begun.jobs):
        if begun.waits:
            part("title", partial(_title_so_far, begun), begun.over)
        else:
            view("title", partial(_title, now))
        person(now)
        left, right = st.columns([1, 2.3], gap="medium")
        with left:
            if (found := begun.found) is None:
                view(
                    "figures",
                    lambda: figures(
                        cards.headlines(known(lambda: now.loss)), _FIGURES, now.epsilon
                    ),
                )
            else:
                part("figures", partial(_figures_so_far, found), lambda: found.get("number"))
        with right:
            view("lists", partial(_lists, now, look), "The two lists")
        page_head.banner(None)
    view("losses", partial(_losses, now, look), "The privacy loss")
    view("guesses", partial(_guesses, now, look), "A hundred guessers")


def _begun(study: NeighboursStudy) -> Begun:
    if study.scores is None:
        try:
            study = study.replace(results={"data": with_runs(study.candidates).runs.pool})
        except Pending:
            return Begun(study.replace(beside=True), desk().jobs("laws"), waits=True)
    if study.settings.who != "worst":
        desk().ask("worst", [], place=0)  # nobody waits for a search any more
        now, job = beside(study)
        return Begun(now, [job])
    searches: Kept[Found] = kept("worst neighbours", _SEARCHES)
    found = searches.once(study.key, dict)
    wanted = study.key, lambda: _steps_of_search(study, found)
    (searching,) = desk().ask("worst", [wanted], place=0, patience=PATIENCE)
    waiting = Begun(
        study.replace(results=study.results, beside=True), [searching], waits=True, found=found
    )
    if not waiting.goes_on():
        work_on()
        return waiting
    now, job = beside(study.replace(results={**study.results, **found}))
    return Begun(now, [searching, job])


def _steps_of_search(study: NeighboursStudy, found: Found) -> Mapping[str, WorkStep]:
    """The search, for a job: of large data in a process of its own."""
    search = WorstSearch(study)
    if not (study.large and POSSIBLE):
        return {"search": partial(_search, partial(search.computed, "find"), found)}
    steps = Elsewhere(search, ["find"])
    steps["search"] = partial(_search, steps.pop("find"), found)
    return steps


def _search(find: WorkStep, found: Found, progress: Progress, done: Done) -> int:
    """Look at everybody that the study's search proposes, and keep whoever tells most."""
    while better := find(progress, found):
        pair, loss = cast(tuple[TwoWorlds, PrivacyLoss], better)
        found.update(pair=pair, loss=loss, number=found.get("number", 0) + 1)
    return len(found)


def _title_so_far(begun: Begun) -> None:
    if begun.goes_on():
        st.rerun()
    _title(begun.study)


def _title(study: NeighboursStudy) -> None:
    """Whose data, and what they change of one item's chance."""
    heading, lead = sentences.heading(study), sentences.lead(study)
    if study.scores is None:
        page_head.head("Neighbours", heading, lead, sentences.below(study))
    else:
        page_head.title(
            study.scenario, study.scores, "Neighbours", lead, study.label, heading, at=study.epsilon
        )


def _figures_so_far(found: Found) -> None:
    figures(cards.headlines(found.get("loss")), _FIGURES)
    if found:
        paragraph("The largest that was found so far; the search goes on.")


def _lists(study: NeighboursStudy, look: charts.Look) -> None:
    """Two lists side by side."""
    show(pictures.lists_chart(study, look), "two_lists", brief=True, leads=True, at=study.epsilon)
    if draws := study.chances[0].draws:
        paragraph(estimated(f"From {draws:,} draws in each world.", ""))


def _losses(study: NeighboursStudy, look: charts.Look) -> None:
    """The law of the privacy loss, and δ(ε')."""
    heading("How much an answer tells")
    show(pictures.loss_chart(study, look), "loss_law", at=study.epsilon)
    paragraph(markup("What tells most: {}.", bidi(trimmed(study.loss.output.text, 200))))
    explain("privacy_loss", "epsilon", "delta", "neighbour")
    heading("What a smaller ε would leave over")
    awaited(lambda: show(pictures.delta_chart(study, look), "delta_curve"), "δ at each ε")


def _guesses(study: NeighboursStudy, look: charts.Look) -> None:
    """What a guesser could be right about, and what a belief can become."""
    heading("What a guesser could be right about")
    show(pictures.guesses_chart(study, look), "hundred", at=study.epsilon)
    trade_off = partial(pictures.trade_off_chart, study, look)
    awaited(lambda: show(trade_off(), "trade_off", at=study.epsilon), "What tests miss")
    PAGE.percent_box(
        "prior",
        study.settings.prior,
        "Held for likely beforehand, %",
        (1.0, 99.0),
        step=5.0,
        width=260,
    )
    paragraph(placed("belief", sentences.belief(study), study.epsilon), "says")
