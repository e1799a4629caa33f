"""What a lesson is made of: steps of prose, questions and experiments, as plain data without a
screen.

A lesson has one idea. Its steps tell, ask for a prediction, try an experiment, explain; a class, a
page, slides and a handout show the same ones, by the same `WORDS`. Every figure in prose, every
answer, every reason and every law is computed when it is asked for.
Invariants: `law` sums to 1; `draw` follows it, by the mechanism's own sampler; a seed, a setting
and a number of releases say what is drawn, and of `RELEASES` the first few are what a smaller
number shows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator

from dpviz.base import Floats, Ints, ParameterError, Registry, check_generator, check_integer
from dpviz.studies import Scenario
from dpviz.teaching.activities import Demonstration, Formula, GuessPrompt
from dpviz.teaching.lesson_claims import Claim

RELEASES = 1000
"""How many releases an experiment makes; shown are the first few, or all."""

Kind = Literal["tell", "predict", "run", "explain"]
WORDS: Mapping[Kind, str] = {
    "tell": "Read",
    "predict": "Predict",
    "run": "Try",
    "explain": "Understand",
}
"""What a person reads for each kind of step."""
IN_SHORT = f"{WORDS['predict']}, {WORDS['run'].lower()}, {WORDS['explain'].lower()}"
"""A lesson in three words."""
Law = Callable[[float], Floats]
"""setting → the chance of each outcome, exact."""
Draw = Callable[[float, Generator, int], Ints]
"""setting, luck, number of releases → the outcome of each."""


@dataclass(frozen=True)
class Control:
    """The one control under a picture: it takes one of `values`, and starts at `start`.

    `names`, one for each value, are what a person sees instead of the numbers.
    """

    key: str
    label: str
    values: tuple[float, ...]
    start: float
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.start not in self.values:
            raise ParameterError("start", self.start, f"one of {self.values}")
        if self.names and len(self.names) != len(self.values):
            raise ParameterError(
                "the number of names", len(self.names), f"{len(self.values)}, one a value"
            )

    def value_label(self, value: float) -> str:
        """What a person reads for a value."""
        return self.names[self.values.index(value)] if self.names else f"{value:g}"


@dataclass(frozen=True)
class Experiment:
    """What a lesson runs: what is counted of each release, and the exact chance of each outcome.

    `name` is what is drawn ("permute-and-flip"); `beside` are laws on the same outcomes to compare
    with, by name, at most three; `draws_beside`, by the same names, draw those that are mechanisms
    or worlds and no mere bound. `says` is the sentence that matters at a setting. `law` and
    `beside` are kept by whoever makes them where they cost more than a moment; `draw` gives the
    outcome of each of `size` releases. `guess` is asked before anything is drawn, and with it the
    exact chances are shown last.
    """

    name: str
    outcomes: tuple[str, ...]
    law: Law
    draw: Draw
    says: Callable[[float], str]
    control: Control | None = None
    beside: tuple[tuple[str, Law], ...] = ()
    draws_beside: tuple[tuple[str, Draw], ...] = ()
    guess: GuessPrompt | None = None

    def __post_init__(self) -> None:
        unknown = [name for name, _ in self.draws_beside if name not in dict(self.beside)]
        if unknown:
            raise ParameterError(
                "what is drawn beside", unknown, f"some of {', '.join(dict(self.beside))}"
            )

    @property
    def drawn_names(self) -> tuple[str, ...]:
        """The names of all that is drawn."""
        return self.name, *(name for name, _ in self.draws_beside)

    @property
    def start(self) -> float:
        """The setting to begin with; 0 where there is no control."""
        return 0.0 if self.control is None else self.control.start

    def settings(self) -> tuple[float, ...]:
        """Every setting there is."""
        return (self.start,) if self.control is None else self.control.values

    def draw_outcome_counts(
        self, setting: float, rng: Generator | int, size: int = RELEASES
    ) -> Ints:
        """How often each outcome came in the first `size` of `RELEASES` releases, shape
        (outcomes,).

        A seed gives the same releases at each size: the first of a thousand is the one that is
        drawn alone.
        """
        return self._counted(self.draw, setting, check_generator(rng), size)

    def draw_all_counts(self, setting: float, seed: int, size: int = RELEASES) -> Ints:
        """The same of all that is drawn, each with luck of its own: shape (drawn, outcomes),
        `draw_outcome_counts` first.
        """
        others = (
            self._counted(draw, setting, np.random.default_rng([seed, number]), size)
            for number, (_, draw) in enumerate(self.draws_beside, 1)
        )
        return np.stack([self.draw_outcome_counts(setting, seed, size), *others])

    def _counted(self, draw: Draw, setting: float, rng: Generator, size: int) -> Ints:
        size = check_integer("size", size, low=0, high=RELEASES)
        drawn = draw(setting, rng, RELEASES)[:size]
        return np.bincount(drawn.astype(np.intp), minlength=len(self.outcomes)).astype(np.int64)


@dataclass(frozen=True)
class MultipleChoice:
    """A question with its choices; `answer` computes which is right, `because` says why, with
    figures.

    `mistakes`, one for each choice, say what is wrong with it, with figures too ("" for the right
    one).
    """

    text: str
    choices: tuple[str, ...]
    answer: Callable[[], int]
    because: Callable[[], str]
    mistakes: Callable[[], tuple[str, ...]]

    def choice_reasons(self) -> tuple[str, ...]:
        """Of each choice, what is wrong with it, or why it is right."""
        right, mistakes = self.answer(), self.mistakes()
        if len(mistakes) != len(self.choices):
            raise ParameterError(
                "the number of mistakes", len(mistakes), f"{len(self.choices)}, one a choice"
            )
        return (*mistakes[:right], self.because(), *mistakes[right + 1 :])


@dataclass(frozen=True)
class PageLink:
    """A way to a page of the app, set up: the page's name, what the link says, and the scenario."""

    page: str
    says: str
    scenario: Scenario

    def page_and_query(self) -> tuple[str, dict[str, str]]:
        """The page and the parameters of the link to it."""
        return self.page, self.scenario.to_query()


@dataclass(frozen=True)
class Step:
    """One step: prose in markdown, and what goes with it.

    A question is asked openly where the step predicts, and has its answer folded inside elsewhere.
    `at_work` shows one release being made; `formula` says in symbols what the prose says in words.
    """

    kind: Kind
    title: str
    text: Callable[[], str]
    question: MultipleChoice | None = None
    experiment: Experiment | None = None
    way: PageLink | None = None
    at_work: Demonstration | None = None
    formula: Formula | None = None


@dataclass(frozen=True)
class Lesson:
    """A lesson: its title, how many minutes it takes, what one is able to say after it, where it is
    proved, its steps.

    `says` is one line for the menu; `seed` is the one it opens with. `claims` are its sentences
    that generalise. Title, line and what one is able to say are read before anything is asked: they
    answer nothing.
    """

    key: str
    title: str
    says: str
    minutes: int
    able: tuple[str, ...]
    proved: str
    steps: tuple[Step, ...]
    seed: int = 1
    claims: tuple[Claim, ...] = ()

    def __post_init__(self) -> None:
        check_integer("minutes", self.minutes, low=3, high=10)
        if not self.steps:
            raise ParameterError("the number of steps", 0, "at least 1")

    def prediction_step(self, step: int) -> int | None:
        """The number of the step whose prediction `step` asks for, tries out, or answers as the
        first that tells.

        None where there is none, or it has been answered before.
        """
        for number in range(step, -1, -1):
            if self.steps[number].kind == "predict":
                return number
            if self.steps[number].kind != "run" and number < step:
                return None
        return None


LESSONS: Registry[Lesson] = Registry(
    "lesson",
    first=(
        "opening_story", "permute_and_flip", "anonymous_and_private", "what_is_learnt_without_you", "what_k_costs",
        "noisy_counts", "a_name_of_one", "worth_of_a_list", "ties", "counts_and_the_factor_two", "order_of_queries",
        "gaps_and_their_bias", "best_of_many_runs", "ten_releases_later", "a_bound_that_does_not_hold", "large_margin",
    ),
)  # fmt: skip
"""The menu of lessons, in teaching order."""


def add_lesson(lesson: Lesson) -> None:
    """Put a lesson on the menu."""
    LESSONS.add(lesson.key, lesson, label=lesson.title, says=lesson.says)


@dataclass(frozen=True)
class StepReference:
    """A step of a lesson on the menu, counted from 0."""

    lesson: str
    step: int = 0

    @property
    def lesson_content(self) -> Lesson:
        """The lesson."""
        return LESSONS[self.lesson]

    @property
    def step_content(self) -> Step:
        """The step."""
        return self.lesson_content.steps[self.step]
