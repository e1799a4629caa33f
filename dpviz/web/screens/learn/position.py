"""Where a person is in the lessons: the link says it, and is all that says it.

Invariants: what a link cannot say is left out, never raised; going somewhere is writing the link.
"""

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz.teaching.activities import FULL
from dpviz.teaching.lesson import LESSONS, RELEASES, StepReference
from dpviz.web.session import state

SIZES = (1, 10, 100, RELEASES)
LARGEST_SEED = 2**32 - 1


@dataclass(frozen=True)
class LessonPlace(StepReference):
    """A step of a lesson, with the seed of its releases, how many are shown, and the setting.

    `mark` is where a chance is expected, of a hundred; `law` whether the exact chances were asked
    for.
    """

    seed: int = 1
    setting: float | None = None
    releases: int = 0
    mark: int | None = None
    law: bool = False

    @property
    def law_shown(self) -> bool:
        """Whether the exact chances are seen: at once where no mark is asked for."""
        return (
            self.law
            or self.step_content.experiment is None
            or self.step_content.experiment.guess is None
        )

    @property
    def can_draw(self) -> bool:
        """Whether releases can be made: not before a mark is set, where one is asked for."""
        return self.law_shown or self.mark is not None or self.releases > 0

    @property
    def current_setting(self) -> float:
        """The setting of its experiment: where the control starts, unless one was chosen."""
        if self.setting is not None or self.step_content.experiment is None:
            return self.setting or 0.0
        return self.step_content.experiment.start

    def place_at_step(self, step: int) -> "LessonPlace":
        """Another step of the lesson, as it begins."""
        return LessonPlace(
            self.lesson, min(max(step, 0), len(self.lesson_content.steps) - 1), self.seed
        )

    def to_query(self) -> dict[str, str]:
        """As the parameters of a link; steps count from 1 there."""
        query = {"lesson": self.lesson, "step": str(self.step + 1), "seed": str(self.seed)}
        if self.setting is not None:
            query["setting"] = f"{self.setting:g}"
        if self.releases:
            query["releases"] = str(self.releases)
        if self.mark is not None:
            query["mark"] = str(self.mark)
        if self.law:
            query["law"] = "1"
        return query


def current_place() -> LessonPlace | None:
    """Where the link says; None for the list of lessons."""
    query = st.query_params
    key = query.get("lesson", "")
    if key not in LESSONS:
        return None
    lesson = LESSONS[key]
    step = _whole(query.get("step"), 1, 1, len(lesson.steps)) - 1
    place = LessonPlace(key, step, _whole(query.get("seed"), lesson.seed, 0, LARGEST_SEED))
    experiment = lesson.steps[step].experiment
    if experiment is None:
        return place
    settings = {f"{value:g}": value for value in experiment.settings()}
    releases = _whole(query.get("releases"), 0, 0, RELEASES)
    setting = settings.get(query.get("setting", ""))
    mark = _whole(query["mark"], 0, 0, FULL) if "mark" in query else None
    releases = releases if releases in SIZES else 0
    return replace(
        place, setting=setting, releases=releases, mark=mark, law=query.get("law") == "1"
    )


def go_to_place(place: LessonPlace | None) -> None:
    """Be somewhere else: None is the list."""
    st.query_params.from_dict(({} if place is None else place.to_query()) | state.presenter_query())


def move_by_steps(by: int) -> None:
    """Be so many steps further than where one is when it is pressed, which may be drawn still."""
    place = current_place()
    if place is not None:
        go_to_place(place.place_at_step(place.step + by))


def change_place(**changes: Any) -> None:
    """Be at the same step with something changed."""
    place = current_place()
    if place is not None:
        go_to_place(replace(place, **changes))


def draw_next_releases() -> None:
    """As many releases as there are, of the next seed; all of them where there were none."""
    place = current_place()
    if place is not None:
        go_to_place(replace(place, releases=place.releases or RELEASES, seed=place.seed + 1))


def _whole(text: str | None, default: int, low: int, high: int) -> int:
    """A whole number of a link, the default where it is none, the nearest that is allowed where it
    is too large.
    """
    if text is None or not (text.isascii() and text.isdigit() and len(text) <= 10):
        return default
    return min(max(int(text), low), high)
