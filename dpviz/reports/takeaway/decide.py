"""The steps of Decide: what each ε around the answer would give, with the one decided on to begin with."""

import numpy as np
import pandas as pd

from dpviz.base.progress import Progress, each, portion, silent
from dpviz.base.scores import Scores
from dpviz.charts.chart import Chart
from dpviz.charts.decision.goal_curves import goal_curves
from dpviz.charts.look import Look
from dpviz.charts.words import as_typed, number, of_releases, percent
from dpviz.privacy.composition import compose
from dpviz.reports.decision import words
from dpviz.reports.decision.guessers import guessers
from dpviz.reports.takeaway.said import NOTHING, of_data, shown, titled, told
from dpviz.reports.takeaway.steps import Step, Takeaway, around, step
from dpviz.studies.decision import Decision, decide, goal_words, odds, protected, utility
from dpviz.studies.pages.decide import question as question_of
from dpviz.studies.scenario import Scenario

__all__ = ["decided", "decided_holds"]

_SEARCH = 0.4  # of the work: the answer, before the steps


def decided(scenario: Scenario, scores: Scores, *, progress: Progress = silent) -> Takeaway:
    """The answer to the scenario's question, and every ε around it. Raises `ParameterError` as `decide` does."""
    question = question_of(scenario)
    own = scores if question.data.source == "uploaded" else None
    decision = decide(question, own, progress=portion(progress, 0.0, _SEARCH))
    data, values = protected(question, own), around(decision.epsilon)
    rest, ends = portion(progress, _SEARCH, 1.0), (values[0], values[-1])
    goal = goal_words(question.target, question.k)
    return Takeaway(
        title=titled(scenario, "an ε for the goal"),
        lead=(
            f"The {question.k:,} best of {decision.d:,}. The goal, {goal}, in {as_typed(question.target.probability)} "
            f"of releases, takes ε = {words.number(decision.need.epsilon)} with {decision.need.label}; "
            f"decided on is ε = {words.number(decision.epsilon)}. {decision.change}"
        ),
        moves="ε of one release",
        steps=tuple(_decided_at(value, decision, data, ends, part) for value, part in each(values, rest)),
        start=values.index(decision.epsilon),
        heads=(
            ("The goal", goal),
            ("All releases", _of_all(decision)),
            ("A guesser is right", f"about one {question.unit}, at most, after all of them; a coin about 50"),
            ("Missing", f"of the true top {question.k:,}, on average"),
        ),
        charts=("How good against ε", f"What it means for one {question.unit}"),
        note=decided_holds(scenario, scores),
    )


def decided_holds(scenario: Scenario, scores: Scores) -> str:
    """What the file holds of the data, in words."""
    return of_data(scenario, NOTHING)


def _decided_at(
    epsilon: float, decision: Decision, data: Scores, ends: tuple[float, float], progress: Progress
) -> Step:
    question, need = decision.question, decision.need
    mechanism = need.design.build(epsilon, question.k)
    found = utility(question, mechanism.distribution(data, progress=progress))
    total = compose([mechanism] * question.releases, delta=question.delta).epsilon
    labels = [one.label for one in decision.needs]
    names = [str(i + 1) for i in range(len(labels))]
    what = "chance of the goal" if question.target.event != "share" else "expected share"
    chance = percent(found.chance, found.low, found.high)
    first, every = (odds(e).guess for e in (epsilon, epsilon * question.releases))
    by_mechanism = pd.DataFrame(
        {
            "mechanism": [f"{name} {label}" for name, label in zip(names, labels, strict=True)],
            "smallest ε for the goal": [words.number(one.epsilon) for one in decision.needs],
            f"{what} at this ε": [
                chance if one is need else _about(float(one.curve.at(np.array([epsilon]))[0])) for one in decision.needs
            ],
            "figures are": [one.method for one in decision.needs],
        }
    )

    def draw(look: Look) -> list[tuple[Chart, pd.DataFrame]]:
        taken = [(decision.taken, epsilon, "ε")]
        curves = goal_curves(
            decision.needs, names, labels, taken, question.target.probability, what, within=ends, look=look
        )
        people = guessers(question, first, every, look=look)
        return [(curves, by_mechanism), (people, told(people.table))]

    how = f"exact, error at most {number(max(found.error, 1e-16))}"
    if found.method != "exact":
        how = f"estimated from {found.draws:,} simulated releases, 95 % interval {percent(found.low)} to "
        how += percent(found.high)
    enough = "enough for" if epsilon >= need.epsilon else "not enough for"
    if question.target.event == "share":
        said = f"At ε = {shown(epsilon)} {chance} of the true top {question.k:,} come out on average ({how})"
    else:
        often = of_releases(found.chance, found.low, found.high)
        said = f"At ε = {shown(epsilon)} {goal_words(question.target, question.k)} in {often} ({how})"
    cells = [chance, words.number(epsilon if total is None else total), f"≤ {words.at_most_of_100(every)} of 100"]
    return step(shown(epsilon), f"{said}: {enough} the goal.", [[*cells, f"{found.missed:.2g}"]], draw)


def _of_all(decision: Decision) -> str:
    if decision.question.releases == 1:
        return "ε in all; what else is published adds"
    return f"ε of {words.releases(decision)}, for one who counts in each"


def _about(chance: float) -> str:
    return f"about {percent(min(max(chance, 0.0), 1.0))}"
