"""Neighbours in words and pictures: what one person's data change, and how much an answer tells of
them.

Read `words` for the sentences, `cards` for the headline figures, `pictures` for the charts and
`tables` for what the command line prints; here is what the page says that it shows, and its figure
to take away.
Invariants: at every place of the slider the person is the same, the worst found at the ε where it
starts; both worlds are counted out of as many releases at each, so that bars can be held against
each other; a loss that is only known to be at least so large says so.
"""

import math

import pandas as pd

from dpviz.base import Progress, each, portion
from dpviz.charts import Chart, Look, at_most, at_most_of_100, count
from dpviz.pages.candidates import page_settings
from dpviz.pages.candidates.sentences import MADE_UP, described_by
from dpviz.pages.common import (
    Asked,
    Hand,
    PageStep,
    PageView,
    Place,
    Subject,
    Takeaway,
    around,
    in_words,
    of_data,
    place,
    said_of,
    short,
    titled,
)
from dpviz.pages.gaps.study import GAPS_PAGE
from dpviz.pages.margin.study import MARGIN_PAGE
from dpviz.pages.neighbours.cards import anyone, guesser, headlines, written
from dpviz.pages.neighbours.charts import guesses_chart, lists_chart, loss_chart, trade_off_chart
from dpviz.pages.neighbours.sentences import base_of, belief, heading, lead, symbol
from dpviz.pages.neighbours.settings import FIRST, NEIGHBOURS_PAGE, WHO, among_candidates
from dpviz.pages.neighbours.study import NeighboursStudy
from dpviz.privacy.loss import PrivacyLoss
from dpviz.studies import Shown, own_settings
from dpviz.studies.epsilon_range import reach

_SHOWN = 30  # rows of the slider's tables
_EACH = 5  # of the chances of a false alarm one has a row


def study_of(of: Subject) -> NeighboursStudy:
    """The study of the scenario's page."""
    return NeighboursStudy(
        scenario=of.scenario,
        scores=None if among_candidates(of.scenario) else of.known,
        table=of.table,
    )


def described(study: NeighboursStudy) -> Shown:
    """The mechanism, and whose data are looked at."""
    if study.scores is None:
        return described_by(study.candidates, study.mechanism)
    settings = own_settings(study.scenario.designs[0]) if study.family.designed else ()
    whose = ("Whose data", WHO[study.settings.who].lower())
    family, name = study.family, study.name
    return Shown(
        mechanism=study.label,
        settings=(*settings, whose),
        k=None if family.has_k(name) else 1,
        needs_names=family.menu[name].needs_names,
    )


def held(study: NeighboursStudy) -> str:
    """What the file holds of the data, in words."""
    if study.scores is not None:
        names = "the names of the items that it shows and whether she counts in them, and no score"
        return of_data(study.scenario, names)
    if study.candidates.settings.pool == "built_in":
        return MADE_UP
    return (
        "It holds the names of the candidates and how often each comes out, no run and no person."
    )


def slider(study: NeighboursStudy, progress: Progress) -> Takeaway:
    """The mechanism and the person of the scenario's page. Raises `ParameterError` for settings
    that do not do.
    """
    study.compute(portion(progress, 0.0, 0.3), "data", "pair", "chances")
    values, rest, whose = (
        around(study.epsilon),
        portion(progress, 0.3, 1.0),
        WHO[study.settings.who].lower(),
    )
    base = base_of(study)
    if study.settings.who == "worst":
        whose = (
            f"the worst found at ε = {short(study.epsilon)}, which is no proof that nobody is worse"
        )
    if study.scores is None:
        what, called, budget = "candidate", study.candidates.name, "ε1 of one run"
        change = "One person changes every run by as much as ε1 allows."
    else:
        what, called, budget = "item", titled(study.scenario, "").rstrip(": "), "ε"
        change = f"{study.scores.change[:1].upper()}{study.scores.change[1:]}"
    counts = f"She counts in {count(len(study.pair.hers), what)} ({whose})."
    return Takeaway(
        title=f"{called}: what one person's data change",
        lead=f"{study.label} on {count(study.data.d, what)}. {counts} {change}",
        moves=f"Privacy budget {budget}",
        steps=tuple(_place(study.at(value), base, part) for value, part in each(values, rest)),
        start=values.index(study.epsilon),
        heads=(
            ("Privacy loss", "the most that one answer tells, of its ceiling"),
            ("Odds", "as likely in one world as in the other, at most"),
            ("A guesser is right", "who guesses whether she is in; a coin: 50 of 100"),
            ("At this ε, at most", "so often a guesser could be right about anybody"),
            ("On average", "the loss of a release, with her data"),
        ),
        charts=("Two lists side by side", "How much an answer tells", "What a test must miss"),
        note=held(study),
        moving=(1,),  # a loss is held against its ε
    )


def _place(study: NeighboursStudy, base: int, progress: Progress) -> Place:
    loss = study.compute(progress, "data", "pair", "chances", "loss", "tests").loss

    def in_look(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        lists, law, test = (
            lists_chart(study, look, base),
            loss_chart(study, look),
            trade_off_chart(study, look),
        )
        changes = (lists.table.iloc[:, 2] - lists.table.iloc[:, 3]).abs()
        return [
            (lists, _largest(lists.table, changes)),
            (law, _largest(law.table, law.table["chance"])),
            (test, in_words(test.table.iloc[::_EACH])),
        ]

    return place(short(study.epsilon), _sentence(study), [_cells(loss)], in_look)


def _sentence(study: NeighboursStudy) -> str:
    loss, draws = study.loss, study.chances[0].draws
    of = (
        f", of at most ε = {at_most(loss.ceiling.epsilon)}"
        if math.isfinite(loss.ceiling.epsilon)
        else ""
    )
    exact = loss.method == "exact"
    how = (
        f"exact, error at most {at_most(max(loss.error, 1e-16))}"
        if exact
        else "a certified lower bound"
    )
    counts = written(loss, loss.largest, loss.ceiling.epsilon).replace("≥", "at least")
    said = (
        f"At {symbol(study)} = {short(study.epsilon)} the most telling answer counts {counts}{of}"
        f" ({how})."
    )
    return f"{said} Chances are estimated from {draws:,} draws in each world." if draws else said


def _cells(loss: PrivacyLoss) -> list[str]:
    largest, odds, right, average, *_ = (f"{one.value}{one.of}" for one in headlines(loss))
    return [largest, odds, right, f"{at_most_of_100(anyone(loss))} of 100", average]


def _largest(table: pd.DataFrame, by: "pd.Series[float]") -> pd.DataFrame:
    """The rows that are largest `by` something, in their order."""
    return in_words(table.loc[by.nlargest(_SHOWN).sort_index().index])


def step(of: Subject, epsilon: float, asked: Asked) -> PageStep:
    """The page at this ε, under the hand: of the same person."""
    study = study_of(of).compute(asked.progress, "pair").at(epsilon)
    study.compute(asked.progress, "data", "pair", "chances", "loss")
    look, says = asked.look, lead(study)
    return PageStep(
        said={"heading": heading(study), "lead": says, "belief": belief(study)}
        | said_of(headlines(study.loss)),
        charts={
            "two_lists": lists_chart(study, look),
            "loss_law": loss_chart(study, look),
            "hundred": guesses_chart(study, look),
            "trade_off": trade_off_chart(study, look),
        },
        lead=says,
        height=min(max(2 * guesser(study.loss) - 1, 0.0), 1.0),
    )


def reached(of: Subject) -> tuple[float, float] | None:
    """As far as the release changes; a search for the worst person is for one ε alone."""
    study = study_of(of)
    if study.settings.who == "worst" or not study.family.designed:
        return None
    return reach(of.scenario.mechanisms[0], of.known)


PAGE = PageView(
    title="Neighbours",
    slider=lambda of, progress: slider(study_of(of), progress),
    holds=lambda of: held(study_of(of)),
    settings=(*NEIGHBOURS_PAGE.names, *GAPS_PAGE.names, *MARGIN_PAGE.names, *page_settings()),
    shown=lambda of: described(study_of(of)),
    moves=lambda of: "ε1 of one run" if among_candidates(of.scenario) else "ε",
    first=FIRST,
    among=among_candidates,
    hand=Hand(step, reached),
)
