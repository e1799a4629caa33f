"""What a team has to answer before ε can be computed: frozen, validated once, without a score.

Published: a list of the k best, `releases` times over `period`. Protected: the `unit` of `data`, with what one of them
can change (sensitivity, direction, contributions, whether the list of items was known). Good: the `goal`, as people
write it: "m of k in p" for at least m of the k chosen right (scoring at least the k-th largest score) in a share p of
releases, "top in 99 %". Decided on: data that may be looked at. Allowed: `designs`, of which `taken` is published with
(None: the one with the least ε).
Invariants: `Question.of(question.scenario(epsilon)) == question`, so links, files and the page carry all of it;
`read_goal(goal_text(goal, k), k) == goal`.
"""

import math
import re
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from dpviz.base import ParameterError, check_integer, check_number, parameters_of, settle
from dpviz.studies import Design
from dpviz.studies.data_spec import DataSpec, check_text
from dpviz.studies.scenario import Scalar, Scenario
from dpviz.topk import EVENTS, Goal, TopKMechanism

_NAMED = (*EVENTS, "share")
_WRITTEN = (
    'written as "{most} of {k} in 0.9" or as "{names} in 0.9", with a share above 0 and below 1 (0.9, 90 %, 9 of 10)'
)
_SHARE = r"(?:(?P<number>[0-9]*\.?[0-9]+)\s*(?P<percent>%)?|(?P<part>[0-9]+)\s+of\s+(?P<whole>[0-9]+))"
_GOAL = re.compile(
    r"\s*(?:(?:at least\s+)?(?P<least>[0-9]+)\s+of\s+(?:the\s+)?(?P<k>[0-9]+)|(?P<event>[a-z]+))"
    rf"\s+in\s+{_SHARE}(?:\s+(?:of\s+)?releases)?\s*",
    re.IGNORECASE,
)


def read_goal(text: str, k: int) -> Goal:
    """The goal that `text` states for a list of `k`. Raises `ParameterError` for one that it does not.

    >>> read_goal("9 of 10 in 0.9", 10).name, read_goal("at least 9 of the 10 in 9 of 10 releases", 10).probability
    ('hits_at_least_9', 0.9)
    >>> read_goal("top in 99 %", 10)
    Goal(probability=0.99, event='top', item=None, at_least=None)
    >>> read_goal("9 of 12 in 0.9", 10)
    Traceback (most recent call last):
    ...
    dpviz.base.errors.ParameterError: goal must be about the 10 that are published (k), not '9 of 12 in 0.9'.
    """
    match = _GOAL.fullmatch(text) if isinstance(text, str) else None
    event = "hits" if match is None or match["event"] is None else match["event"].lower()
    share = math.nan if match is None else _share(match)
    if match is None or not 0 < share < 1 or event not in (*_NAMED, "hits") or (event == "hits" and not match["least"]):
        raise ParameterError("goal", text, _WRITTEN.format(most=k - k // 10, k=k, names="|".join(_NAMED)))
    if event != "hits":
        return Goal(event=event, probability=share)
    if int(match["k"]) != k:
        raise ParameterError("goal", text, f"about the {k:,} that are published (k)")
    if not 1 <= int(match["least"]) <= k:
        raise ParameterError("goal", text, f"about at least 1 and at most {k:,} of the {k:,}")
    return Goal(event="hits", at_least=int(match["least"]), probability=share)


def _share(match: re.Match[str]) -> float:
    if match["part"] is not None:
        return int(match["part"]) / int(match["whole"]) if int(match["whole"]) else math.nan
    number = float(match["number"])
    return number / 100 if match["percent"] else number


def default_goal(k: int) -> Goal:
    """All but a tenth of the k right in 9 of 10 releases.

    >>> [goal_text(default_goal(k), k) for k in (1, 5, 10)]
    ['1 of 1 in 0.9', '5 of 5 in 0.9', '9 of 10 in 0.9']
    """
    return Goal(event="hits", at_least=k - k // 10, probability=0.9)


def goal_text(goal: Goal, k: int) -> str:
    """The goal as `read_goal` reads it."""
    what = goal.event if goal.at_least is None else f"{goal.at_least} of {k}"
    return f"{what} in {goal.probability!r}"


def goal_words(goal: Goal, k: int) -> str:
    """What is asked of a release, as the end of a sentence.

    >>> goal_words(read_goal("9 of 10 in 0.9", 10), 10), goal_words(read_goal("great in 0.9", 10), 10)
    ('at least 9 of the 10 are right', 'ranks 1 to 1 are all in and none past rank 11 is')
    """
    if goal.at_least is not None:
        return f"at least {goal.at_least:,} of the {k:,} are right" if goal.at_least < k else f"all {k:,} are right"
    words = {
        "top": f"exactly the top {k:,} come out",
        "optimal": f"the {k:,} chosen have the {k:,} largest scores",
        "great": f"ranks 1 to {-(-k // 10):,} are all in and none past rank {k + k // 10:,} is",
        "good": f"ranks 1 to {-(-k // 100):,} are all in and none past rank {k + k // 2:,} is",
        "share": f"the share of the true top {k:,} expected reaches the goal",
    }
    return words[goal.event]


PREFIX: Final = "decide."
"""What the names of its entries begin with among the page parameters of a scenario."""

ON_PAGE: Final = ("goal", "releases", "delta", "decided_on", "period", "taken")
"""The entries that are answers; one more, "fixed", says whether ε is one."""

UNITS: Final = ("person", "household", "device", "person-day", "person-month", "visit")
"""Whom ε can protect, to choose from; any other word will do."""

DECIDED_ON: Final = {
    "generated": "made-up data",
    "past": "data of the past that may be looked at",
    "public": "data that are public already",
}
"""On which data ε can be decided; never on the private ones that will be published from."""

ALLOWED: Final = (
    Design(),
    Design(parameters={"noise": "exponential"}),
    Design(mechanism="one_shot"),
    Design(mechanism="one_shot", parameters={"noise": "laplace"}),
    Design(mechanism="joint"),
)
"""The designs that are looked at where nobody says which."""

_MOST_RELEASES = 100_000
_DELTA = 1e-6


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is published, about whom, how good it must be, and on which data that is decided.

    Parameters
    ----------
    name
        What is published, as people call it.
    k
        How many items a list has.
    releases
        How many lists come out.
    period
        Over what time, in words.
    data
        Where the scores come from, and what one person can change of them.
    goal
        How good a list must be: a `Goal` or its text, such as "9 of 10 in 0.9"; None for all but a tenth of the k right
        in 9 of 10 releases.
    decided_on
        A key of `DECIDED_ON`: "generated", "past" or "public" data; None for "past" where data are uploaded, else
        "generated".
    designs
        The mechanisms that are allowed.
    taken
        The index of the one that is published with; None for the one that needs the least ε.
    epsilon
        ε of one release; None for the smallest that meets the goal, rounded up to three digits.
    delta
        δ above 0 and below 1 at which totals of many releases are stated.

    Raises
    ------
    ParameterError
        For what cannot be used.

    Examples
    --------
    >>> question = Question(k=10, goal="9 of 10 in 0.9", releases=12, period="a year")
    >>> question.goal_text, Question.of(question.scenario(0.5)) == question
    ('9 of 10 in 0.9', True)
    """

    name: str = ""
    k: int = 10
    releases: int = 1
    period: str = ""
    data: DataSpec = field(default_factory=DataSpec)
    goal: Goal | str | None = None
    decided_on: str | None = None
    designs: tuple[Design, ...] = ALLOWED
    taken: int | None = None
    epsilon: float | None = None
    delta: float = _DELTA

    def __post_init__(self) -> None:
        declared = {p.name: p for p in parameters_of(TopKMechanism)}
        k = int(declared["k"].check(self.k))
        goal = default_goal(k) if self.goal is None else self.goal
        default = "past" if self.data.source == "uploaded" else "generated"
        decided_on = default if self.decided_on is None else self.decided_on
        if decided_on not in DECIDED_ON:
            allowed = "one of " + ", ".join(DECIDED_ON) + " (figures of private data are private themselves)"
            raise ParameterError("decided_on", self.decided_on, allowed)
        if not self.designs:
            raise ParameterError("the number of designs", 0, "at least 1")
        taken = self.taken
        settle(
            self,
            name=check_text("name", self.name),
            period=check_text("period", self.period),
            k=k,
            releases=check_integer("releases", self.releases, low=1, high=_MOST_RELEASES),
            goal=read_goal(goal_text(goal, k) if isinstance(goal, Goal) else goal, k),  # none is about one item
            decided_on=decided_on,
            designs=tuple(self.designs),
            taken=None if taken is None else check_integer("taken", taken, low=0, high=len(self.designs) - 1),
            epsilon=None if self.epsilon is None else declared["epsilon"].check(self.epsilon),
            delta=check_number("delta", self.delta, low=0.0, high=1.0, below=True),
        )

    @property
    def target(self) -> Goal:
        """The goal, as a `Goal`."""
        if not isinstance(self.goal, Goal):
            raise TypeError(self.goal)
        return self.goal

    @property
    def goal_text(self) -> str:
        """The goal as it is written."""
        return goal_text(self.target, self.k)

    @property
    def unit(self) -> str:
        """Whom ε protects, in a word."""
        return self.data.unit or "person"

    def replace(self, **changes: Any) -> Self:
        """The same question with some answers changed."""
        return replace(self, **changes)

    def scenario(self, epsilon: float) -> Scenario:
        """The scenario that asks it again, at the ε found; it holds no scores."""
        page: dict[str, Scalar | None] = {
            "goal": self.goal_text,
            "releases": self.releases,
            "delta": self.delta,
            "decided_on": str(self.decided_on),
            "fixed": self.epsilon is not None,
            "period": self.period or None,
            "taken": self.taken,
        }
        return Scenario(
            data=self.data,
            epsilon=epsilon,
            k=self.k,
            designs=self.designs,
            page={PREFIX + name: value for name, value in page.items() if value is not None},
            name=self.name,
        )

    @classmethod
    def of(cls, scenario: Scenario, *, designs: tuple[Design, ...] | None = None) -> Self:
        """The question that a scenario holds; what it does not say has its default.

        Parameters
        ----------
        scenario
            The scenario.
        designs
            Taken instead of the scenario's; None for those.

        Returns
        -------
        Self
            The question.
        """
        given = {n[len(PREFIX) :]: value for n, value in scenario.page.items() if n.startswith(PREFIX)}
        fixed = given.pop("fixed", False)
        return cls(
            name=scenario.name,
            k=scenario.k,
            data=scenario.data,
            designs=scenario.designs if designs is None else designs,
            epsilon=scenario.epsilon if fixed is True else None,
            **{name: value for name, value in given.items() if name in ON_PAGE},  # type: ignore[arg-type]
        )
