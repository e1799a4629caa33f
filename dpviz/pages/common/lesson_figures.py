"""Figure of a lesson's experiment: the exact law at each setting, and releases of one seed."""

from collections.abc import Mapping

import pandas as pd

from dpviz.base import Ints
from dpviz.charts import Chart, Look, percent
from dpviz.charts.teaching.draws_and_law import draws_and_law_chart
from dpviz.pages.common.page_view import PagePreview, PreviewText
from dpviz.pages.common.slider_file import (
    LessonActivities,
    SliderFigure,
    SliderPosition,
    build_position,
)
from dpviz.teaching.lesson import FULL, NEAR, RELEASES, Experiment, Lesson


def experiment_chart(
    experiment: Experiment,
    setting: float,
    counts: Ints,
    look: Look,
    *,
    show_law: bool = True,
    guess_of_hundred: int | None = None,
) -> Chart:
    """Counts of shape (drawn, outcomes) beside the exact law; `guess_of_hundred` is a guess of 100."""
    beside = {one.name: one.law(setting) for one in experiment.beside if show_law}
    law, says = (experiment.law(setting), experiment.says(setting)) if show_law else (None, "")
    marked = (
        experiment.guess is not None
        and guess_of_hundred is not None
        and setting == experiment.start
    )
    return draws_and_law_chart(
        experiment.outcomes,
        law,
        counts,
        name=experiment.name,
        beside=beside,
        other_names=experiment.drawn_law_names[1:],
        says=says,
        look=look,
        mark=(experiment.guess.outcome, guess_of_hundred / FULL)
        if marked and experiment.guess is not None and guess_of_hundred is not None
        else None,
    )


def guess_feedback_sentence(experiment: Experiment, guess_of_hundred: int | None) -> str:
    """The guess beside the exact chance; "" where there is none."""
    if experiment.guess is None or guess_of_hundred is None:
        return ""
    so = experiment.exact_percentage_at_start
    off = abs(guess_of_hundred - so)
    near = (
        "You were close."
        if off <= NEAR
        else f"You were {off:.0f} too {'high' if guess_of_hundred > so else 'low'}."
    )
    return (
        f"You marked {guess_of_hundred} of {FULL}. The exact chance is {percent(so / FULL)}. {near}"
    )


def experiment_preview(
    chart: Chart, key: str, texts: Mapping[str, PreviewText] | None = None
) -> PagePreview:
    return PagePreview(texts=texts or {}, charts={key: chart}, lead=chart.says_now, height=0.0)


def build_lesson_figure(
    lesson: Lesson,
    experiment: Experiment,
    *,
    seed: int,
    start_setting: float,
    releases: int = RELEASES,
) -> SliderFigure:
    """Figure of an experiment, from setting `start_setting`; `releases` are drawn with `seed`."""
    settings = experiment.settings()
    return SliderFigure(
        title=lesson.title,
        lead=lesson.says,
        slider_quantity="" if experiment.control is None else experiment.control.label,
        steps=tuple(_taught(experiment, setting, seed, releases) for setting in settings),
        start=settings.index(start_setting),
        charts=(
            f"Releases of {experiment.name} and the exact chances"
            if releases
            else f"The exact chances of {experiment.name}",
        ),
        note=f"Proof: {lesson.proved}",
        activities=LessonActivities(
            seed=seed,
            exact_chance=""
            if experiment.guess is None
            else percent(float(experiment.law(experiment.start)[experiment.guess.outcome])),
            guess=experiment.guess,
            demonstration=next(
                (step.at_work for step in lesson.steps if step.at_work is not None), None
            ),
            formula=next((step.formula for step in lesson.steps if step.formula is not None), None),
        ),
    )


def _taught(experiment: Experiment, setting: float, seed: int, releases: int) -> SliderPosition:
    laws = {name: law(setting) for name, law in experiment.laws.items()}
    drawn = experiment.draw_outcome_counts_per_law(setting, seed, releases)
    named = (
        dict(zip(experiment.drawn_law_names, drawn.tolist(), strict=True))
        if len(experiment.drawn_law_names) > 1
        else {"": drawn[0].tolist()}
    )
    table = pd.DataFrame(
        {"outcome": experiment.outcomes}
        | {
            f"drawn, of {releases:,}" + (f", {one}" if one else ""): [f"{n:,}" for n in counts]
            for one, counts in named.items()
        }
        | {f"exactly, {name}": [percent(p) for p in law.tolist()] for name, law in laws.items()}
    )

    def draw(look: Look) -> tuple[Chart, pd.DataFrame]:
        chart = draws_and_law_chart(
            experiment.outcomes,
            laws[experiment.name],
            drawn,
            name=experiment.name,
            beside={name: law for name, law in laws.items() if name != experiment.name},
            other_names=experiment.drawn_law_names[1:],
            look=look,
        )
        return chart, table

    value = "" if experiment.control is None else experiment.control.value_label(setting)
    return build_position(value, experiment.says(setting), [[]], draw)
