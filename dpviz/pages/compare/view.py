"""Compare in words and pictures: all designs side by side, at one ε, against ε and against k.

A `Sentence` leaves the designs in it as they are, so that every way out calls them as it can: by
letter and colour, by letter alone.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dpviz.base import Progress, Scores, check_scores, each, silent
from dpviz.charts import LIGHT, Chart, Look, as_typed, at_most, count, of_releases, percent
from dpviz.charts.topk.class_maps import class_maps
from dpviz.charts.topk.design_curves import Named, epsilon_curves, k_curves, shortfall_curves
from dpviz.charts.topk.replayed_seeds import replayed_seeds
from dpviz.pages.common import (
    NOTHING,
    Asked,
    Hand,
    PageStep,
    PageView,
    Place,
    Subject,
    Takeaway,
    around,
    of_data,
    place,
    short,
    titled,
)
from dpviz.pages.common.top_k_figures import (
    cells,
    event_heads,
    event_meant,
    heads,
    ideal,
    meaning,
    regions,
    right,
    worst,
)
from dpviz.pages.compare.study import (
    DRAWS,
    CompareSettings,
    CurvesStudy,
    MapsStudy,
    ReplayStudy,
    ShortfallStudy,
    Side,
    SizesStudy,
    sides,
)
from dpviz.studies import PROBABILITIES, Scenario, rows_of_needs
from dpviz.studies.epsilon_range import reach
from dpviz.studies.mechanism_studies import Chance, NeedStudy
from dpviz.studies.page_parameters import Declared
from dpviz.topk import EVENTS, FigureCurve

Sentence = tuple[str | Side, ...]
Needed = Sequence[tuple[Side, Mapping[str, Any]]]
"""Designs, each with a row of the table of ε for each goal."""
_GOAL = 0.9  # the probability whose ε is told in a sentence


def named(side: Side) -> Named:
    """A design as charts know it."""
    return Named(side.number, side.label)


def by_letter(sentence: Sentence) -> str:
    """The sentence with its designs by letter and label."""
    return "".join(part if isinstance(part, str) else named(part).name(LIGHT) for part in sentence)


def question(k: int, d: int) -> str:
    """The question."""
    return f"Which mechanism finds the {'best' if k == 1 else f'{k:,} best'} of {d:,} items?"


def lead(of: Sequence[Side]) -> Sentence:
    """What TOP (OPTIMAL where scores tie) says of the best and the worst of them."""
    event, k = event_meant(of[0].law), of[0].law.k
    what = ("The exact top" if event == "top" else "A top as good as the true") + (
        f" {k:,}" if k > 1 else " item"
    )
    return (f"{what} comes out", *_best_and_worst([(side.law.event[event], side) for side in of]))


def _best_and_worst(chances: Sequence[tuple[Chance, Side]]) -> Sentence:
    """Of how many releases, with which design: the best and, if there is another, the worst."""
    ranked = sorted(chances, key=lambda pair: -pair[0].value)
    (high, best), (low, worst) = ranked[0], ranked[-1]
    start: Sentence = (f" in {of_releases(*high)} with ", best)
    return (
        (*start, ".") if worst is best else (*start, f", in {of_releases(*low)} with ", worst, ".")
    )


def columns(of: Sequence[Side]) -> list[tuple[str, str]]:
    """The headline figures, each with what it means."""
    law = of[0].law
    return [
        *event_heads(law),
        ("Right on average", f"of the {law.k:,} that come out"),
        ("Worst rank", ideal(law.k)),
    ]


# ---- what ε buys ---------------------------------------------------------------------------------


def needs(of: Sequence[Side], studies: Sequence[NeedStudy]) -> list[tuple[Side, dict[str, Any]]]:
    """The ε that goals take, as far as it has come: each design with a row of the table that the
    command gives too.
    """
    come = [
        (side, study.goal(float(probability)), need)
        for side, study in zip(of, studies, strict=True)
        for probability, need in study.needed.come().items()
    ]
    law = of[0].law
    wanted = [(side.design, goal) for side, goal, _ in come]
    rows = rows_of_needs(wanted, [need for *_, need in come], law.k, law.scores.contributions)
    return [(side, row) for (side, *_), row in zip(come, rows, strict=True)]


def goals(event: str) -> str:
    """What the table of the ε it takes is about."""
    shares = f"{', '.join(map(as_typed, PROBABILITIES[:-1]))} and {as_typed(PROBABILITIES[-1])}"
    return (
        f"The smallest ε of each mechanism for {EVENTS[event].label} in {shares} of releases, in"
        " multiples of the least"
    )


def takes(needed: Needed, event: str) -> Sentence:
    """The ε of the best design for one goal, and how much more the worst one asks."""
    label, share = EVENTS[event].label, as_typed(_GOAL)
    column = _reached(needed)
    if not column and not any(
        side.law.mechanism.holds(side.law.scores.names_known) for side, _ in needed
    ):
        return ("None of them has an ε that holds: each needs a list of names known beforehand.",)
    if not column:
        return (f"None of them has {label} in {share} of releases, whatever ε is spent.",)
    column.sort(key=_epsilon)
    (best, least), (worst, most) = column[0], column[-1]
    start = f"{label} in {share} of releases takes ε = {at_most(least['epsilon'], digits=3)} with "
    if len(column) == 1:
        return start, best, "."
    return start, best, f" and {most['multiple']:.3g} times as much with ", worst, "."


def worth(now: Needed, known: Needed, event: str) -> Sentence:
    """The least ε for one goal had the names been known beforehand, against the least that holds as
    they were not.
    """
    best = min(_reached(known), key=_epsilon, default=None)
    if best is None:
        return ()
    label, share, least = EVENTS[event].label, as_typed(_GOAL), _epsilon(best)
    start = f"Had the names been known beforehand, {label} in {share} of releases would take ε = "
    said: Sentence = (f"{start}{at_most(least, digits=3)} with ", best[0])
    held = min(map(_epsilon, _reached(now)), default=None)
    if held is None:
        return (*said, ".")
    return (*said, f": what holds without them takes {held / least:.3g} times as much.")


def _reached(needed: Needed) -> list[tuple[Side, Mapping[str, Any]]]:
    return [
        one for one in needed if one[1]["probability"] == _GOAL and math.isfinite(one[1]["epsilon"])
    ]


def _epsilon(one: tuple[Side, Mapping[str, Any]]) -> float:
    return float(one[1]["epsilon"])


def curves_chart(
    curves: Mapping[Named, CurvesStudy], epsilon: float, event: str, look: Look, *, bounds: bool
) -> Chart:
    """The chance of an event against ε; with `bounds` what theorems promise of TOP."""
    promised = (
        {who: study.promised for who, study in curves.items()} if bounds and event == "top" else {}
    )
    return epsilon_curves(
        {who: study.curves[event] for who, study in curves.items()},
        epsilon,
        promised={who: promise for who, promise in promised.items() if promise is not None},
        draws=DRAWS,
        look=look,
    )


def shortfalls_chart(curves: Mapping[Named, ShortfallStudy], epsilon: float, look: Look) -> Chart:
    """How far down the worst choice may lie."""
    return shortfall_curves({who: study.curve for who, study in curves.items()}, epsilon, look=look)


def sizes_chart(
    curves: Mapping[Named, SizesStudy], epsilon: float, event: str, look: Look
) -> Chart:
    """The chance of an event as k grows."""
    k = next(iter(curves.values())).k
    return k_curves(
        {who: study.curves[event] for who, study in curves.items()},
        k,
        epsilon,
        draws=DRAWS,
        look=look,
    )


# ---- all laws, and the same seeds ----------------------------------------------------------------


def maps_chart(of: Sequence[Side], maps: MapsStudy, look: Look) -> Chart:
    """The heatmaps on the same axes."""
    return class_maps(
        [side.label for side in of], list(maps.grid.values()), regions(of[0].law), look=look
    )


def replay_chart(of: Sequence[Side], replays: Sequence[ReplayStudy], look: Look) -> Chart:
    """A few releases of every design, each row of them with one seed for all."""
    ranks = [replay.ranks for replay in replays]
    return replayed_seeds(
        [side.label for side in of], ranks, replays[0].seeds, of[0].law.scores, look=look
    )


# ---- under the hand ------------------------------------------------------------------------------


def step(of: Subject, epsilon: float, asked: Asked) -> PageStep:
    """The page at this ε; its curves are those that it `uses`."""
    now = [
        replace(side, law=side.law.at(epsilon).compute(part, "distribution"))
        for side, part in each(sides(of.scenario, of.known), asked.progress)
    ]
    settings = Declared(CompareSettings).on(of.scenario.page)[0]
    event = event_meant(now[0].law, of.scenario.page.get("event"))
    curves = {named(side): study for side, study in zip(now, asked.uses, strict=True)}
    parts = [part if isinstance(part, str) else (part.number, part.label) for part in lead(now)]
    return PageStep(
        said={"heading": question(of.scenario.k, of.known.d), "lead": parts}
        | {name: text for side in now for name, text in said_of_side(side).items()},
        charts={
            "epsilon_curves": curves_chart(
                curves, epsilon, event, asked.look, bounds=settings.bounds
            )
        },
        lead=by_letter(lead(now)),
        height=max(side.law.event[event].value for side in now),
    )


def said_of_side(side: Side) -> dict[str, str]:
    """What changes with ε of a design's row, by its places."""
    law, n = side.law, side.number
    said = {f"right-{n}": right(law), f"worst-{n}": worst(law)}
    for name in law.events:
        chance = law.event[name]
        said |= {f"{name}-{n}": percent(*chance), f"bar-{name}-{n}": f"{100 * chance.value:.3g}%"}
        said[f"range-{name}-{n}"] = f"{percent(chance.low)} to {percent(chance.high)}"
    return said


def used(of: Subject) -> list[CurvesStudy]:
    """What the page computes for any ε."""
    laws = [side.law for side in sides(of.scenario, of.known)]
    return [
        CurvesStudy(mechanism=law.at(1.0).mechanism, scores=law.scores, events=laws[0].events)
        for law in laws
    ]


def reached(of: Subject) -> tuple[float, float]:
    """As far as something happens to any of them."""
    low, high = zip(
        *(reach(mechanism, of.known) for mechanism in of.scenario.mechanisms), strict=True
    )
    return min(low), max(high)


# ---- the figure to take away ---------------------------------------------------------------------


def slider(
    scenario: Scenario, scores: Scores, event: object = None, *, progress: Progress = silent
) -> Takeaway:
    """All designs of the scenario, with the curves of one event. Raises `ParameterError` for k ≥ d."""
    for mechanism in scenario.mechanisms:
        mechanism.check_scores(check_scores(scores))
    k, values, of = scenario.k, around(scenario.epsilon), sides(scenario, scores)
    chosen = event_meant(of[0].law, event)
    at = [
        [_figures_at(value, side, chosen, inner) for side, inner in each(of, part)]
        for value, part in each(values, progress)
    ]
    curves = {named(side): _curve(chosen, values, [row[side.number] for row in at]) for side in of}
    return Takeaway(
        title=titled(scenario, "what ε buys"),
        lead=(
            f"{count(len(of), 'mechanism')} side by side, each publishing {k:,} of {scores.d:,}."
            f" {scores.change}"
        ),
        moves="Privacy budget ε",
        steps=tuple(
            _place(value, row, curves, values) for value, row in zip(values, at, strict=True)
        ),
        start=values.index(scenario.epsilon),
        heads=heads(of[0].law),
        rows=tuple(by_letter((side,)) for side in of),
        charts=(f"The chance of {EVENTS[chosen].label}, by ε",),
        note=of_data(scenario, NOTHING),
    )


@dataclass(frozen=True)
class _DesignFigures:
    """What is said of a design at one ε; its law is forgotten."""

    side: Side
    cells: list[str]
    chance: Chance
    method: str


def _figures_at(epsilon: float, side: Side, event: str, progress: Progress) -> _DesignFigures:
    law = side.law.at(epsilon).compute(progress, "distribution")
    return _DesignFigures(side, cells(law), law.event[event], law.distribution.method)


def _place(
    epsilon: float,
    row: Sequence[_DesignFigures],
    curves: Mapping[Named, FigureCurve],
    values: Sequence[float],
) -> Place:
    event = next(iter(curves.values())).event
    start = f"At ε = {short(epsilon)}: {meaning(row[0].side.law, event)}"
    sentence = (start, *_best_and_worst([(one.chance, one.side) for one in row]))
    now = pd.DataFrame(
        {
            "mechanism": [by_letter((one.side,)) for one in row],
            f"chance of {EVENTS[event].label}": [percent(*one.chance) for one in row],
            "figures are": [one.method for one in row],
        }
    )

    def in_look(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        return [(epsilon_curves(curves, epsilon, span=(values[0], values[-1]), look=look), now)]

    return place(short(epsilon), by_letter(sentence), [one.cells for one in row], in_look)


def _curve(event: str, values: Sequence[float], at: Sequence[_DesignFigures]) -> FigureCurve:
    """The steps as a curve; its error is half of what a curve through every other one misses the
    rest by.
    """
    value, low, high = np.array([one.chance for one in at]).T
    x, method = np.array(values), at[0].method
    coarse = FigureCurve(event, x[::2], value[::2], low[::2], high[::2], 0.0, method)
    inner = x[(x > x[::2][0]) & (x < x[::2][-1])]
    missed = np.abs(coarse.at(inner) - value[np.isin(x, inner)])
    return FigureCurve(event, x, value, low, high, float(missed.max()) / 2, method)


PAGE = PageView(
    title="Compare",
    slider=lambda of, progress: slider(
        of.scenario, of.known, of.scenario.page.get("event"), progress=progress
    ),
    holds=lambda of: of_data(of.scenario, NOTHING),
    settings=("event",),
    hand=Hand(step, reached, used),
)
