"""Neighbours in words and pictures: what one person's data change, and how much an answer tells of them.

Invariants: at every place of the slider the person is the same, the worst found at the ε where it starts; both worlds
are counted out of as many releases at each, so that bars can be held against each other; a loss that is only known to
be at least so large is told so.
"""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dpviz.base import Ints, Progress, each, portion
from dpviz.charts import (
    Chart,
    Look,
    as_typed,
    at_least,
    at_least_percent,
    at_most,
    at_most_of_100,
    at_most_percent,
    count,
    isolated,
    number,
    trimmed,
)
from dpviz.charts.privacy.frequencies import (
    Part,
    frequency_base,
    frequency_sentence,
    hundred,
    shared_out,
    told_apart,
    two_lists,
)
from dpviz.charts.privacy.loss import delta_curve, loss_law
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.meter import Chances
from dpviz.privacy.odds import guess_bound, posterior_bound
from dpviz.studies import Shown, known, own_settings
from dpviz.studies.pages.candidates import page_settings
from dpviz.studies.pages.gaps import GAPS_PAGE
from dpviz.studies.pages.margin import MARGIN_PAGE
from dpviz.studies.pages.neighbours.settings import FIRST, NEIGHBOURS_PAGE, WHO, among_candidates
from dpviz.studies.pages.neighbours.study import NeighboursStudy
from dpviz.views.candidates.words import MADE_UP, described_by
from dpviz.views.common import (
    Headline,
    PageView,
    Place,
    Subject,
    Takeaway,
    around,
    in_words,
    of_data,
    place,
    short,
    three,
    titled,
)

_UPPER = partial(at_most, digits=3)
_CEILING = "The ceiling holds for everyone: whatever one person's data are, no loss is larger."
_LARGEST_EXP = 700.0
_NO_LOSS = 1e-9
_SHOWN = 30  # rows of the slider's tables
_NAMED = 4  # of her items
_LONGEST = 30  # characters of a name


def study_of(of: Subject) -> NeighboursStudy:
    """The study of the scenario's page."""
    return NeighboursStudy(
        scenario=of.scenario, scores=None if among_candidates(of.scenario) else of.known, table=of.table
    )


def heading(study: NeighboursStudy) -> str:
    """What is looked at."""
    return f"What one person's data change, at {_symbol(study)} = {study.epsilon:.10g}"


def below(study: NeighboursStudy) -> str:
    """Which candidates and which rule, and what one person changes there."""
    return f"{study.candidates.name} · {study.label} · one person changes every run by as much as ε1 allows"


def lead(study: NeighboursStudy) -> str:
    """How often the item whose chance changes most comes out in each world, and in what she counts."""
    if (pair := known(lambda: study.pair)) is None:
        if study.scores is None and known(lambda: study.data) is None:
            return "Candidates are being run."
        return "Looking for the person whose data show most." if study.settings.who == "worst" else ""
    said, hers = known(lambda: _most_changed(study)) or "", _listed(study, pair.hers)
    if study.scores is None:
        counts = f"She makes the runs of {hers} as much better as ε1 allows." if hers else "She changes nothing."
    else:
        counts = f"She counts in {count(len(pair.hers), 'item')}{hers and f': {hers}'}."
    if study.replaced:
        others = _listed(study, pair.others)
        counts += f" The one in her place counts in {count(len(pair.others), 'other item')}{others and f': {others}'}."
    return f"{said} {counts}".strip()


def _listed(study: NeighboursStudy, items: Ints) -> str:
    names = [isolated(trimmed(study.data.label(int(i)), _LONGEST)) for i in items[:_NAMED]]
    return ", ".join(names) + (f" and {len(items) - _NAMED:,} more" if len(items) > _NAMED else "")


def _most_changed(study: NeighboursStudy) -> str:
    first, second = (side.value for side in study.chances)
    base, family = _base(study), study.family
    most = told_apart(first, second, base)
    name, p, q = isolated(trimmed(study.data.label(most), _LONGEST)), float(first[most]), float(second[most])
    return frequency_sentence(name, p, q, base, worlds(study), family.noun, family.verb)


def _base(study: NeighboursStudy) -> int:
    """Of how many releases to speak."""
    first, second = study.chances
    return frequency_base(first.value, second.value, _error(study.chances))


def worlds(study: NeighboursStudy) -> tuple[str, str]:
    """What the two worlds are called."""
    return "with her", "with another in her place" if study.replaced else "without her"


def headlines(loss: PrivacyLoss | None) -> list[Headline]:
    """The privacy loss beside its ceiling, as odds, as guesses."""
    if loss is None:
        return [Headline(name, None, "") for name in ("Privacy loss", "Odds", "A guesser is right", "On average")]
    told = _told(loss)
    least, ceiling, bounded = _least(loss, "≥ "), loss.ceiling, math.isfinite(loss.ceiling.epsilon)
    allowed = f"; ε allows × {_times(ceiling.epsilon, _UPPER)}" if bounded else ""
    of, bound = f" of {number(ceiling.epsilon)}" if bounded else "", at_most(100 * _anyone(loss), 3)
    known_by = _least(loss, "A certified lower bound, from events whose chances are known in both worlds. ")
    guesses = f"who guesses whether she is in; a coin 50, at this ε at most {bound}"
    cards = [
        Headline(
            "Privacy loss",
            f"{least}{_number(loss.largest, told)}",
            "the most that one answer tells; ε is its ceiling",
            loss,
            known_by + _CEILING,
            of,
        ),
        Headline("Odds", f"{least}× {_times(loss.largest, told)}", f"as likely in one world as in the other{allowed}"),
        Headline("A guesser is right", f"{least}{told(100 * _guesser(loss))}", guesses, of=" of 100"),
        Headline("On average", f"{least}{_number(loss.mean, told)}", "the loss of a release, with her data"),
    ]
    if ceiling.delta:
        delta = max(loss.delta(ceiling.epsilon), loss.reversed.delta(ceiling.epsilon))
        what = f"of at most δ = {at_most(ceiling.delta)}; what ε does not cover"
        cards.append(Headline("δ at ε", f"≥ {at_least(delta)}" if least else number(delta), what))
    return cards


def lists_chart(study: NeighboursStudy, look: Look, base: int | None = None) -> Chart:
    """Two lists side by side, counted out of `base` releases."""
    first, second = study.chances
    return two_lists(
        study.data.names,
        np.asarray(study.data.order),
        first.value,
        second.value,
        study.pair.moved,
        worlds=worlds(study),
        noun=study.family.noun,
        verb=study.family.verb,
        hers="a candidate whose runs she makes better" if study.scores is None else "an item that she counts in",
        error=_error(study.chances),
        base=base,
        look=look,
    )


def loss_chart(study: NeighboursStudy, look: Look) -> Chart:
    """The law of the privacy loss."""
    return loss_law(study.loss, worlds=worlds(study), look=look)


def delta_chart(study: NeighboursStudy, look: Look) -> Chart:
    """What a smaller ε would leave over."""
    curve, loss = study.curve, study.loss
    return delta_curve(
        curve.epsilons,
        curve.forth,
        curve.back,
        worlds=worlds(study),
        largest=loss.largest,
        exact=loss.method == "exact",
        look=look,
    )


def guesses_chart(study: NeighboursStudy, look: Look) -> Chart:
    """What a hundred guessers could be right about."""
    loss = study.loss
    person = _guesser(loss)
    least, most = _least(loss, "at least "), at_most_of_100(max(_anyone(loss), person)) / 100
    luck, hers, anyone, wrong = shared_out([0.5, math.floor(100 * person) / 100 if least else person, most, 1.0])
    parts = [
        Part(luck, "are right by tossing a coin"),
        Part(hers, f"more are right{', at least,' if least else ''} by the best use of one release"),
        Part(anyone, "more could be right about somebody else"),
        Part(wrong, "are wrong, whatever they do"),
    ]
    says = (
        f"Of 100 who guess whether {_guessed(study)}, {least}{50 + hers} can be right; "
        f"about nobody more than {50 + hers + anyone}."
    )
    how = "A guesser knows everything but whether the one person is in the data, sees one release, and guesses."
    return hundred(parts, says, how, look=look)


def belief(study: NeighboursStudy) -> str:
    """What a belief can become."""
    prior, loss = study.settings.prior, study.loss
    start = f"Someone who held it for {as_typed(prior)} likely that {_guessed(study)}"
    if loss.ceiling.delta or not math.isfinite(loss.ceiling.epsilon):
        return (
            f"{start} may come to know it: with δ, or without a ceiling, there is no bound on what one answer can do. "
            "What guessers gain on the whole is bounded all the same, as above."
        )
    most, reached = (posterior_bound(prior, epsilon) for epsilon in (loss.ceiling.epsilon, loss.largest))
    exact = loss.method == "exact"
    hers = f"at most {at_most_percent(reached)}" if exact else f"at least {at_least_percent(reached)}"
    return (
        f"{start} can come to hold it for at most {at_most_percent(most)}, whatever comes out; with her data for "
        f"{hers}, after the most telling answer."
    )


def _guessed(study: NeighboursStudy) -> str:
    return "she or the other one is in the data" if study.replaced else "she is in the data"


def _least(loss: PrivacyLoss, said: str) -> str:
    """What is said before a figure that is a lower bound."""
    return "" if loss.method == "exact" else said


def _guesser(loss: PrivacyLoss) -> float:
    """The chance to be right about whether she is in, by the best use of one release."""
    return (1 + max(loss.delta(0.0), loss.reversed.delta(0.0))) / 2


def _anyone(loss: PrivacyLoss) -> float:
    """The chance that the ceiling leaves a guesser, whoever it is about."""
    return guess_bound(*loss.ceiling) if math.isfinite(loss.ceiling.epsilon) else 1.0


def _told(loss: PrivacyLoss) -> Callable[[float], str]:
    """How a figure of the loss is written: one that is a lower bound is rounded down."""
    return three if loss.method == "exact" else partial(at_least, digits=3)


def _number(value: float, told: Callable[[float], str]) -> str:
    return told(value) if value > _NO_LOSS else "0"


def _times(loss: float, told: Callable[[float], str]) -> str:
    return "∞" if loss > _LARGEST_EXP else told(math.exp(loss))


def _error(chances: tuple[Chances, Chances]) -> float:
    return max(float((side.high - side.low).max()) / 2 for side in chances)


def _symbol(study: NeighboursStudy) -> str:
    return "ε1" if study.scores is None else "ε"


# ---- tables, for the command line ----------------------------------------------------------------

_DELTAS = 41
_ORDERS = (1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128)


def figures_table(study: NeighboursStudy) -> pd.DataFrame:
    """The largest and the mean loss of the scenario's design, in a row."""
    scenario, loss = study.scenario, study.loss
    (design,) = scenario.designs
    row = {
        "mechanism": design.mechanism,
        "parameters": design.text,
        "epsilon": scenario.epsilon,
        "k": scenario.k,
        "method": loss.method,
        "largest": loss.largest,
        "mean": loss.mean,
        "mean_back": loss.reversed.mean,
        "seen": loss.seen,
        "output": loss.output.text,
    }
    return pd.DataFrame([row])


def curve_table(study: NeighboursStudy) -> pd.DataFrame:
    """δ at each ε' up to ε; `back` is the direction from the neighbour to the scores."""
    epsilons, loss = np.linspace(0.0, study.scenario.epsilon, _DELTAS), study.loss
    back = loss.reversed.delta_curve(epsilons)
    return pd.DataFrame({"epsilon": epsilons, "delta": loss.delta_curve(epsilons), "delta_back": back})


def renyi_table(study: NeighboursStudy) -> pd.DataFrame:
    """Rényi divergences, in both directions."""
    forth, back = study.loss.renyi_curve(_ORDERS), study.loss.reversed.renyi_curve(_ORDERS)
    return pd.DataFrame({"order": np.array(_ORDERS, float), "divergence": forth, "divergence_back": back})


def values_table(study: NeighboursStudy) -> pd.DataFrame:
    """The law of the loss, in both directions."""
    ways = {"scores": study.loss, "neighbour": study.loss.reversed}
    parts = [pd.DataFrame({"world": name, "loss": way.values, "mass": way.mass}) for name, way in ways.items()]
    return pd.concat(parts, ignore_index=True)


def items_table(study: NeighboursStudy) -> pd.DataFrame:
    """A row an item: its score and its chance in both worlds."""
    here, there = study.pair.here, study.pair.there
    columns: dict[str, Any] = {"item": list(here.names), "score": here.values.copy(), "neighbour": there.values.copy()}
    for ending, chances in zip(("", "_neighbour"), study.chances, strict=True):
        columns |= {part + ending: getattr(chances, part) for part in ("value", "low", "high")}
    return pd.DataFrame(columns)


def moved_table(study: NeighboursStudy) -> pd.DataFrame:
    """The items that move, by rank."""
    here = study.pair.here
    moved = study.pair.there.values - here.values
    order = [int(i) for i in here.order if moved[i]]
    names = [here.label(i) for i in order]
    return pd.DataFrame(
        {"rank": here.rank[order] + 1, "item": names, "score": here.values[order], "moved": moved[order]}
    )


STEPS = {"items": "chances", "moved": "pair"}
"""The step that a table needs, where that is not the loss."""
TABLES: Mapping[str, Callable[[NeighboursStudy], pd.DataFrame]] = {
    "figures": figures_table,
    "curve": curve_table,
    "renyi": renyi_table,
    "values": values_table,
    "items": items_table,
    "moved": moved_table,
}


# ---- what the page says that it shows, and its figure to take away -------------------------------


def described(study: NeighboursStudy) -> Shown:
    """The mechanism, and whose data are looked at."""
    if study.scores is None:
        return described_by(study.candidates, study.mechanism)
    settings = own_settings(study.scenario.designs[0]) if study.family.designed else ()
    whose = ("Whose data", WHO[study.settings.who].lower())
    return Shown(mechanism=study.label, settings=(*settings, whose), k=None if study.family.has_k(study.name) else 1)


def held(study: NeighboursStudy) -> str:
    """What the file holds of the data, in words."""
    if study.scores is not None:
        names = "the names of the items that it shows and whether she counts in them, and no score"
        return of_data(study.scenario, names)
    if study.candidates.settings.pool == "built_in":
        return MADE_UP
    return "It holds the names of the candidates and how often each comes out, no run and no person."


def slider(study: NeighboursStudy, progress: Progress) -> Takeaway:
    """The mechanism and the person of the scenario's page. Raises `ParameterError` for settings that do not do."""
    study.compute(portion(progress, 0.0, 0.3), "data", "pair", "chances")
    values, rest, whose = around(study.epsilon), portion(progress, 0.3, 1.0), WHO[study.settings.who].lower()
    base = _base(study)
    if study.settings.who == "worst":
        whose = f"the worst found at ε = {short(study.epsilon)}, which is no proof that nobody is worse"
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
        charts=("Two lists side by side", "How much an answer tells"),
        note=held(study),
        moving=(1,),  # a loss is held against its ε
    )


def _place(study: NeighboursStudy, base: int, progress: Progress) -> Place:
    loss = study.compute(progress, "data", "pair", "chances", "loss").loss

    def draw(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        lists, law = lists_chart(study, look, base), loss_chart(study, look)
        changes = (lists.table.iloc[:, 2] - lists.table.iloc[:, 3]).abs()
        return [(lists, _largest(lists.table, changes)), (law, _largest(law.table, law.table["chance"]))]

    return place(short(study.epsilon), _sentence(study), [_cells(loss)], draw)


def _sentence(study: NeighboursStudy) -> str:
    loss, draws = study.loss, study.chances[0].draws
    of = f", of at most ε = {at_most(loss.ceiling.epsilon)}" if math.isfinite(loss.ceiling.epsilon) else ""
    how = _least(loss, "a certified lower bound") or f"exact, error at most {at_most(max(loss.error, 1e-16))}"
    said = (
        f"At {_symbol(study)} = {short(study.epsilon)} the most telling answer counts {_least(loss, 'at least ')}"
        f"{_number(loss.largest, _told(loss))}{of} ({how})."
    )
    return f"{said} Chances are estimated from {draws:,} draws in each world." if draws else said


def _cells(loss: PrivacyLoss) -> list[str]:
    largest, odds, right, average, *_ = (f"{one.value}{one.of}" for one in headlines(loss))
    return [largest, odds, right, f"{at_most(100 * _anyone(loss), 3)} of 100", average]


def _largest(table: pd.DataFrame, by: "pd.Series[float]") -> pd.DataFrame:
    """The rows that are largest `by` something, in their order."""
    return in_words(table.loc[by.nlargest(_SHOWN).sort_index().index])


PAGE = PageView(
    title="Neighbours",
    slider=lambda of, progress: slider(study_of(of), progress),
    holds=lambda of: held(study_of(of)),
    settings=(*NEIGHBOURS_PAGE.names, *GAPS_PAGE.names, *MARGIN_PAGE.names, *page_settings()),
    shown=lambda of: described(study_of(of)),
    moves=lambda of: "ε1 of one run" if among_candidates(of.scenario) else "ε",
    first=FIRST,
    among=among_candidates,
)
