"""A hundred who guess whether one unit is in the data: how many a decision lets be right, at most."""

from dpviz.charts.chart import Chart
from dpviz.charts.look import LIGHT, Look
from dpviz.charts.privacy.hundred import Part, hundred
from dpviz.reports.decision import words
from dpviz.studies.decision import Question

__all__ = ["guessers"]


def guessers(question: Question, one: float, every: float, *, look: Look = LIGHT) -> Chart:
    """The icon array of how often a guess can be right: after `one` release, and after `every` one of them."""
    releases = question.releases
    first, last = words.at_most_of_100(one), words.at_most_of_100(every)
    parts = [Part(50, "are right by tossing a coin"), Part(first - 50, "more can be right after one release, at most")]
    if releases > 1:
        parts.append(Part(last - first, f"more after all {releases:,} releases, at most"))
    parts.append(Part(100 - (last if releases > 1 else first), "are wrong, whatever they do"))
    says = words.guess_sentence(one, "After one release")
    if releases > 1:
        says += " " + words.guess_sentence(every, f"After all {releases:,}")
    how = f"A hundred people who know everything else guess whether one {question.unit} is in the data."
    return hundred(parts, says, how, look=look)
