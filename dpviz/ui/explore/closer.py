"""Look closer: what is not needed at first sight, each under a line that says what it shows."""

from functools import partial

from dpviz import charts
from dpviz.studies.scenario import Scenario
from dpviz.ui.explore.class_map import class_map
from dpviz.ui.explore.draws import draws
from dpviz.ui.explore.parameters import asked_for
from dpviz.ui.explore.picture import all_scores
from dpviz.ui.shell.show import folded, heading
from dpviz.ui.work.answer import Answer
from dpviz.ui.work.pending import part, there

__all__ = ["closer"]


def closer(scenario: Scenario, answer: Answer, look: charts.Look) -> None:
    """All scores where the first screen has room for some only, the heatmap, many draws; a link may open them."""
    heading("Look closer")
    by_rank, kinds = partial(all_scores, scenario, answer, look), partial(class_map, answer, look)
    many = partial(draws, answer, look)
    if answer.scores.d > charts.MOST_NAMED:
        folded(
            f"All {answer.scores.d:,} scores by rank, with the chance of each",
            "all_scores",
            partial(part, "all_scores", by_rank, there(answer.job, "inclusion_bounds")),
        )
    folded(
        "Every kind of answer: how many of the best are in, and how far down the worst item lies",
        "class_map",
        partial(part, "class_map", kinds, lambda: (answer.grid is None, answer.job.finished), alone=True),
        opened=asked_for("measure", "h", "t"),
    )
    folded(
        "A hundred releases drawn, or one in full",
        "draws",
        partial(part, "draws", many, there(answer.job, "hits"), alone=True),
        opened=asked_for("draws"),
    )
