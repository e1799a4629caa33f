"""The handout of a session: seeds and room to write, then the answers on a page of their own.

Invariant: the draws of a lesson's seed never change, so students see the releases counted here.
"""

from collections.abc import Sequence
from urllib.parse import urlencode

from dpviz.charts import percent
from dpviz.export.document import render_document
from dpviz.export.lessons.prose import paragraphs, render_inline
from dpviz.teaching.lesson import IN_SHORT, LETTERS, RELEASES, WORDS, Experiment, Lesson

_SIZES = (10, 100, RELEASES)
_LEAD = (
    f"{IN_SHORT}: write down your prediction before you draw. With the seed given here, you see"
    " the releases that the answers count. With another seed you see others. The exact chances"
    " stay the same."
)


def render_handout(title: str, lessons: Sequence[Lesson], address: str = "") -> str:
    """The handout as one HTML page; `address` is that of the app, for the links."""

    def link(lesson: Lesson) -> str:
        query = {"lesson": lesson.key, "step": 1, "seed": lesson.seed}
        return f"{address}/learn?{urlencode(query)}"

    return render_document(
        "handout",
        title=title,
        lead=_LEAD,
        lessons=lessons,
        link=link,
        words=WORDS,
        sizes=_SIZES,
        letters=LETTERS,
        inline=render_inline,
        paragraphs=paragraphs,
        drawn=_drawn,
    )


def _drawn(experiment: Experiment, seed: int) -> str:
    drawn = {size: experiment.draw_outcome_counts(experiment.start, seed, size) for size in _SIZES}
    lines = []
    for row, (outcome, share) in enumerate(
        zip(experiment.outcomes, experiment.law(experiment.start), strict=True)
    ):
        came = ", ".join(f"{counts[row]:,} of {size:,}" for size, counts in drawn.items())
        lines.append(f"{outcome} {came}, exactly {percent(float(share))}")
    return f"Seed {seed}: {'; '.join(lines)}."
