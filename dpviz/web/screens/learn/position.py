"""A place in the lessons, kept in the link only, whose invalid parts are left out."""

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dpviz.teaching.lesson import FULL, RELEASES
from dpviz.teaching.lessons import LESSONS, StepReference
from dpviz.web.session import state

SIZES = (1, 10, 100, RELEASES)
LARGEST_SEED = 2**32 - 1


@dataclass(frozen=True)
class LessonPlace(StepReference):
    """A step of a lesson, with its seed, releases, setting, expected chance (`mark`), and `law`."""

    seed: int = 1
    setting: float | None = None
    releases: int = 0
    mark: int | None = None
    law: bool = False

    @property
    def law_shown(self) -> bool:
        """True where the exact chances are shown: at once where no mark is asked for."""
        return (
            self.law
            or self.step_content.experiment is None
            or self.step_content.experiment.guess is None
        )

    @property
    def can_draw(self) -> bool:
        """True where releases can be made: after the mark, where one is asked for."""
        return self.law_shown or self.mark is not None or self.releases > 0

    @property
    def current_setting(self) -> float:
        """Setting of its experiment: the control's start, unless one was chosen."""
        return (
            self.setting or 0.0
            if self.setting is not None or self.step_content.experiment is None
            else self.step_content.experiment.start
        )

    def place_at_step(self, step: int) -> "LessonPlace":
        return LessonPlace(
            self.lesson, min(max(step, 0), len(self.lesson_content.steps) - 1), self.seed
        )

    def to_query(self) -> dict[str, str]:
        """Query parameters of a link, where steps count from 1."""
        query = {
            "lesson": self.lesson,
            "step": str(self.step + 1),
            "seed": str(self.seed),
            "setting": None if self.setting is None else f"{self.setting:g}",
            "releases": str(self.releases) if self.releases else None,
            "mark": None if self.mark is None else str(self.mark),
            "law": "1" if self.law else None,
        }
        return {name: value for name, value in query.items() if value is not None}


def current_place() -> LessonPlace | None:
    """Place in the link; None for the list of lessons."""
    query = st.query_params
    key = query.get("lesson", "")
    if key not in LESSONS:
        return None
    lesson = LESSONS[key]
    step = _whole(query.get("step"), 1, 1, len(lesson.steps)) - 1
    place = LessonPlace(key, step, _whole(query.get("seed"), lesson.seed, 0, LARGEST_SEED))
    if (experiment := lesson.steps[step].experiment) is None:
        return place
    settings = {f"{value:g}": value for value in experiment.settings()}
    releases = _whole(query.get("releases"), 0, 0, RELEASES)
    releases = releases if releases in SIZES else 0
    return replace(
        place,
        setting=settings.get(query.get("setting", "")),
        releases=releases,
        mark=_whole(query["mark"], 0, 0, FULL) if "mark" in query else None,
        law=query.get("law") == "1",
    )


def learn_query(**query: str) -> dict[str, str]:
    """Query of a link within Learn, which stays in the presenter view."""
    return query | state.presenter_query()


def open_in_learn(**query: str) -> None:
    st.query_params.from_dict(learn_query(**query))


def go_to_place(place: LessonPlace | None) -> None:
    """Go to a place; None is the list."""
    open_in_learn(**({} if place is None else place.to_query()))


def move_by_steps(by: int) -> None:
    """Move from the step that is open when the press arrives; the drawing may be older."""
    if (place := current_place()) is not None:
        go_to_place(place.place_at_step(place.step + by))


def change_place(**changes: Any) -> None:
    if (place := current_place()) is not None:
        go_to_place(replace(place, **changes))


def draw_next_releases() -> None:
    """Draw as many releases of the next seed, or all of them where there were none."""
    if (place := current_place()) is not None:
        go_to_place(replace(place, releases=place.releases or RELEASES, seed=place.seed + 1))


def _whole(text: str | None, default: int, low: int, high: int) -> int:
    """Integer in a link, within limits; the default where it is none."""
    return (
        default
        if text is None or not (text.isascii() and text.isdigit() and len(text) <= 10)
        else min(max(int(text), low), high)
    )
