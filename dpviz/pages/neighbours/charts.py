"""The charts of a study of neighbours: two lists, the law of the loss, δ, a hundred guessers, and
what tests miss.
"""

import math

import numpy as np

from dpviz.charts import Chart, Look, at_most_of_100
from dpviz.charts.privacy.frequencies import Part, hundred, shared_out, two_lists
from dpviz.charts.privacy.loss import delta_curve, loss_law
from dpviz.charts.privacy.trade_off import trade_off
from dpviz.pages.neighbours.cards import anyone, guesser
from dpviz.pages.neighbours.sentences import error_of, guessed, worlds
from dpviz.pages.neighbours.study import NeighboursStudy


def lists_chart(study: NeighboursStudy, look: Look, base: int | None = None) -> Chart:
    """Two lists side by side, counted out of `base` releases."""
    first, second = study.chances
    return two_lists(
        study.data.label,
        np.asarray(study.data.order),
        first.value,
        second.value,
        study.pair.moved,
        worlds=worlds(study),
        noun=study.family.noun,
        verb=study.family.verb,
        hers="a candidate whose runs she makes better"
        if study.scores is None
        else "an item that she counts in",
        error=error_of(study.chances),
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
        exceeds=(curve.above, curve.above_back) if loss.method == "exact" else None,
        most=None if loss.method == "exact" else curve.most,
        look=look,
    )


def trade_off_chart(study: NeighboursStudy, look: Look) -> Chart:
    """What a test must miss that may be wrong so often in the world without her."""
    tests, exact = study.tests, study.loss.method == "exact"
    return trade_off(
        tests.alarms,
        tests.misses,
        tests.least,
        tests.allowed,
        worlds=worlds(study),
        exact=exact,
        look=look,
    )


def guesses_chart(study: NeighboursStudy, look: Look) -> Chart:
    """What a hundred guessers could be right about."""
    loss = study.loss
    person = guesser(loss)
    least, most = (
        "" if loss.method == "exact" else "at least ",
        at_most_of_100(max(anyone(loss), person)) / 100,
    )
    luck, hers, others, wrong = shared_out(
        [0.5, math.floor(100 * person) / 100 if least else person, most, 1.0]
    )
    parts = [
        Part(luck, "are right by tossing a coin"),
        Part(
            hers, f"more are right{', at least,' if least else ''} by the best use of one release"
        ),
        Part(others, "more could be right about somebody else"),
        Part(wrong, "are wrong, whatever they do"),
    ]
    says = (
        f"Of 100 who guess whether {guessed(study)}, {least}{50 + hers} can be right; "
        f"about nobody more than {50 + hers + others}."
    )
    how = (
        "A guesser knows everything but whether the one person is in the data, sees one release,"
        " and guesses."
    )
    return hundred(parts, says, how, look=look)
