"""Parts of a lesson: steps of prose, questions and experiments, as plain data.

Invariants: `law` sums to 1; `draw` follows it, by the mechanism's own sampler. A seed, a setting
and a size fix what is drawn; a smaller size shows the first of the same `RELEASES`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Ints,
    Scores,
    check_generator,
    check_integer,
)
from dpviz.base.arrays import cached_property
from dpviz.studies import Scenario

FULL = 100
"""End of the scale of guesses: releases, of a hundred."""

Sign = Literal["", "now", "out", "won"]
SIGNS: dict[Sign, str] = {"": "", "now": "now", "out": "out", "won": "chosen"}
"""Marks of a row, and the word for each."""


@dataclass(frozen=True)
class GuessPrompt:
    """Question for the chance of one outcome (its index), asked before anything is drawn."""

    asks: str
    outcome: int = 0


@dataclass(frozen=True)
class WalkthroughRow:
    """Row of a picture: a bar from zero, `noise` added to it, and the text `shown`."""

    name: str
    value: float
    shown: str = ""
    noise: float = 0.0
    sign: Sign = ""


@dataclass(frozen=True)
class WalkthroughMove:
    """One step of a mechanism: a sentence, its rows, and a `line` that a row has to reach."""

    says: str
    rows: tuple[WalkthroughRow, ...]
    line: float | None = None


@dataclass(frozen=True)
class Walkthrough:
    """One release, step by step; `outcome` is an index of the experiment's outcomes, or None."""

    moves: tuple[WalkthroughMove, ...]
    outcome: int | None = None


@dataclass(frozen=True)
class Demonstration:
    """A mechanism at work: a title, and a function that plays one release."""

    title: str
    play: Callable[[Generator], Walkthrough]


@dataclass(frozen=True)
class Formula:
    """A formula in LaTeX, and a sentence that reads it aloud."""

    latex: str
    says: str


RELEASES = 1000
"""Releases that an experiment makes; a page shows the first few, or all."""

NEAR = 5
"""Of a hundred releases, how far a close guess may be off."""

SLACK = 1e-9
"""Rounding allowed between two figures that are the same."""

Kind = Literal["tell", "predict", "run", "explain"]
WORDS: Mapping[Kind, str] = {
    "tell": "Read",
    "predict": "Predict",
    "run": "Try",
    "explain": "Understand",
}
"""Name of each kind of step, as a person reads it."""
IN_SHORT = f"{WORDS['predict']}, {WORDS['run'].lower()}, {WORDS['explain'].lower()}"
LETTERS = "ABCDEFGH"
"""Letters of the answers to a question, in order."""
Law = Callable[[float], Floats]
"""Setting → exact chance of each outcome."""
Draw = Callable[[float, Generator, int], Ints]
"""Setting, generator, number of releases → outcome of each release."""


@dataclass(frozen=True)
class Control:
    """The control under a picture; `names`, one a value, are shown instead of the numbers."""

    key: str
    label: str
    values: tuple[float, ...]
    start: float
    names: tuple[str, ...] = ()

    def value_label(self, value: float) -> str:
        return self.names[self.values.index(value)] if self.names else f"{value:g}"


@dataclass(frozen=True)
class ComparedLaw:
    """A law on the outcomes of an experiment, and its sampler; a mere bound has none."""

    name: str
    law: Law
    draw: Draw | None = None


@dataclass(frozen=True)
class Experiment:
    """Outcomes of one release, their exact law, and a sampler."""

    name: str
    outcomes: tuple[str, ...]
    law: Law
    draw: Draw
    says: Callable[[float], str]  # the sentence for a setting
    control: Control | None = None
    beside: tuple[ComparedLaw, ...] = ()  # at most three, to compare with
    guess: GuessPrompt | None = None  # with one, the exact chances are shown last

    @property
    def laws(self) -> dict[str, Law]:
        """Laws by name, the experiment's own first."""
        return {self.name: self.law} | {other.name: other.law for other in self.beside}

    @property
    def drawn_law_names(self) -> tuple[str, ...]:
        return self.name, *(other.name for other in self.beside if other.draw is not None)

    @property
    def start(self) -> float:
        """Setting to begin with; 0 without a control."""
        return 0.0 if self.control is None else self.control.start

    def settings(self) -> tuple[float, ...]:
        return (self.start,) if self.control is None else self.control.values

    @property
    def exact_percentage_at_start(self) -> float:
        """Where a guess would be exactly right, of a hundred releases."""
        return FULL * float(self.law(self.start)[0 if self.guess is None else self.guess.outcome])

    def draw_outcome_counts(
        self, setting: float, rng: Generator | int, size: int = RELEASES
    ) -> Ints:
        """Count each outcome in the first `size` of `RELEASES` releases, shape (outcomes,)."""
        return self._counted(self.draw, setting, check_generator(rng), size)

    def draw_outcome_counts_per_law(self, setting: float, seed: int, size: int = RELEASES) -> Ints:
        """Count the outcomes of all that is drawn, each by its own seed: (drawn, outcomes)."""
        draws = [other.draw for other in self.beside if other.draw is not None]
        others = (
            self._counted(draw, setting, np.random.default_rng([seed, number]), size)
            for number, draw in enumerate(draws, 1)
        )
        return np.stack([self.draw_outcome_counts(setting, seed, size), *others])

    def _counted(self, draw: Draw, setting: float, rng: Generator, size: int) -> Ints:
        size = check_integer("size", size, low=0, high=RELEASES)
        drawn = draw(setting, rng, RELEASES)[:size]
        return np.bincount(drawn.astype(np.intp), minlength=len(self.outcomes)).astype(np.int64)


@dataclass(frozen=True)
class MultipleChoice:
    """A question, the index of its right answer, and the mistake in each choice."""

    text: str
    choices: tuple[str, ...]
    answer: int
    because: str
    mistakes: tuple[str, ...]  # that of the right choice is not shown

    def choice_reasons(self) -> tuple[str, ...]:
        """Reason for each choice: the mistake in it, or why it is right."""
        return (*self.mistakes[: self.answer], self.because, *self.mistakes[self.answer + 1 :])


@dataclass(frozen=True)
class PageLink:
    """A link to a page of the app: the page's name, the link's text, and the scenario."""

    page: str
    says: str
    scenario: Scenario

    def page_and_query(self) -> tuple[str, dict[str, str]]:
        return self.page, self.scenario.to_query()


@dataclass(frozen=True)
class Step:
    """One step, its text in markdown; only a `predict` step asks its question openly."""

    kind: Kind
    title: str
    text: str
    question: MultipleChoice | None = None
    experiment: Experiment | None = None
    way: PageLink | None = None
    at_work: Demonstration | None = None
    formula: Formula | None = None


@dataclass(frozen=True)
class Case:
    """Counts in no order, an ε, a list length k, and the counts that one person is in (`moves`)."""

    counts: tuple[int, ...]
    epsilon: float
    k: int
    moves: tuple[int, ...]

    @property
    def scores(self) -> Scores:
        return Scores(self.counts, monotonic=True)

    @property
    def scores_with_person(self) -> Scores:
        return Scores(
            [n + more for n, more in zip(self.counts, self.moves, strict=True)], monotonic=True
        )


@dataclass(frozen=True)
class Claim:
    """A sentence as it stands in the prose, and a predicate that says if it holds of a case."""

    says: str
    holds: Callable[[Case], bool]


@dataclass(frozen=True)
class Lesson:
    """A lesson; `title`, `says` and `able` are read first, so they answer no question."""

    key: str
    title: str
    says: str  # a line for the menu
    minutes: int
    able: tuple[str, ...]  # what a reader can say afterwards
    proved: str  # the sources
    build_steps: Callable[[], tuple[Step, ...]]
    seed: int = 1
    claims: tuple[Claim, ...] = ()

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return self.build_steps()

    def prediction_step_number(self, step: int) -> int | None:
        """Number of the `predict` step that `step` asks, tries out or first answers; else None."""
        for number in range(step, -1, -1):
            if self.steps[number].kind == "predict":
                return number
            if self.steps[number].kind != "run" and number < step:
                return None
        return None
