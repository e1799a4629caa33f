"""Charts of Neighbours: two lists, the loss, δ, a hundred attackers, and the trade-off of tests."""

import numpy as np

from dpviz.charts import Chart, Look, percent_upper_bound
from dpviz.charts.privacy.frequencies import (
    PeopleGroup,
    hundred_people_chart,
    paired_frequencies_chart,
    people_between_levels,
)
from dpviz.charts.privacy.loss import delta_curve_chart, loss_distribution_chart
from dpviz.charts.privacy.trade_off import trade_off_curve_chart
from dpviz.pages.neighbours.cards import right_guesses
from dpviz.pages.neighbours.sentences import guessed_statement, largest_chance_error, world_names
from dpviz.pages.neighbours.study import NeighboursStudy


def two_lists_chart(study: NeighboursStudy, look: Look, base: int | None = None) -> Chart:
    """Chances of items in both worlds, counted out of `base` releases."""
    first, second = study.inclusion_probabilities
    return paired_frequencies_chart(
        study.data.label,
        np.asarray(study.data.order),
        first.value,
        second.value,
        study.two_worlds.moved,
        worlds=world_names(study),
        noun=study.family.noun,
        verb=study.family.verb,
        hers="a candidate whose runs she improves"
        if study.scores is None
        else "an item that she counts in",
        error=largest_chance_error(study.inclusion_probabilities),
        base=base,
        look=look,
    )


def loss_chart(study: NeighboursStudy, look: Look) -> Chart:
    return loss_distribution_chart(study.loss, worlds=world_names(study), look=look)


def delta_chart(study: NeighboursStudy, look: Look) -> Chart:
    curve, loss = study.delta_curve, study.loss
    return delta_curve_chart(
        curve.epsilons,
        curve.forth,
        curve.back,
        worlds=world_names(study),
        largest=loss.largest,
        exceeds=(curve.above, curve.above_back) if loss.method == "exact" else None,
        most=None if loss.method == "exact" else curve.most,
        look=look,
    )


def trade_off_chart(study: NeighboursStudy, look: Look) -> Chart:
    tests, exact = study.trade_off_curve, study.loss.method == "exact"
    return trade_off_curve_chart(
        tests.alarms,
        tests.misses,
        tests.least,
        tests.allowed,
        worlds=world_names(study),
        exact=exact,
        look=look,
    )


def guesses_chart(study: NeighboursStudy, look: Look) -> Chart:
    loss = study.loss
    person = right_guesses(loss)
    least, most = (
        "" if loss.method == "exact" else "at least ",
        max(percent_upper_bound(study.guess_bound), person),
    )
    guessing, hers, others, wrong = people_between_levels([0.5, person / 100, most / 100, 1.0])
    parts = [
        PeopleGroup(guessing, "are right by pure guessing"),
        PeopleGroup(hers, f"more are right{', at least,' if least else ''} after one release"),
        PeopleGroup(others, "more could be right about somebody else"),
        PeopleGroup(wrong, "must guess wrong"),
    ]
    says = (
        f"Of 100 attackers who guess whether {guessed_statement(study)}, {least}{50 + hers} can be"
        f" right. About anybody, at most {50 + hers + others} can be right."
    )
    how = (
        "Each attacker knows everything except whether this one person is in the data. The attacker"
        " sees one release and guesses."
    )
    return hundred_people_chart(parts, says, how, look=look)
