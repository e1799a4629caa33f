"""What a team has to answer before ε can be computed: frozen, validated once, without a score.

Published: a list of the k best, `releases` times over `period`. Protected: the `unit` of `data`,
with what one of them can change (sensitivity, direction, contributions, whether the list of items
was known). Accepted: what all releases may cost, as how many of 100 guessers are right
(`most_right`) or as ε at δ (`most_epsilon`). Good: the `goal`. Decided on: data that may be looked
at, and how different the real ones may be: all scores from `smaller` to `larger` times as large,
and `periods` of the past. Allowed: `designs`, of which `taken` is published with (None: the
cheapest).
Invariant: `Question.from_scenario(question.scenario(epsilon)) == question`, so links, files and the page carry
all of it.
"""

from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from dpviz.base import (
    ParameterError,
    check_flag,
    check_integer,
    check_number,
    declared_parameters,
    store_fields,
)
from dpviz.base.former_names import FormerClassMethod, former_names
from dpviz.studies import Design
from dpviz.studies.data_spec import DataSpec, check_text
from dpviz.studies.decision.design_menus import (
    ALLOWED,
    delta_per_release,
    design_label,
    design_menu,
    fit_designs,
    have_same_mechanisms,
    is_default_menu,
    menu_key,
)
from dpviz.studies.decision.goals import default_goal, goal_text, read_goal
from dpviz.studies.scenario import Scalar, Scenario
from dpviz.topk import Goal, TopKMechanism

PREFIX: Final = "decide."
"""What the names of its entries begin with among the page parameters of a scenario."""

ACCEPTED: Final = ("most_right", "most_epsilon")
"""The two ways to say what all releases may cost."""

DATA_MAY_BE: Final = ("smaller", "larger", "periods")
"""How different the real data may be."""

ON_PAGE: Final = (
    "goal", "releases", "delta", "own_share", "picked", "decided_on", "period", "taken", "counts_in",
    *ACCEPTED, *DATA_MAY_BE,
)  # fmt: skip
"""The entries that are answers; one more, "fixed", says whether ε is one."""

UNITS: Final = ("person", "household", "device", "person-day", "person-month", "visit")
"""Whom ε can protect, to choose from; any other word will do."""

DECIDED_ON: Final = {
    "generated": "made-up data",
    "past": "data of the past that may be looked at",
    "public": "data that are public already",
    "protected": "the protected data themselves",
}
"""On which data ε is decided; where it is on the private ones that will be published from, the
sheet says so.
"""

UNSAID: Final = "not answered whether these are the protected data"

_MOST_RELEASES = 100_000
_MOST_PERIODS = 60
_MOST_LARGER = 1000.0
_DELTA = 1e-6
_SHARE = 0.5


@former_names(
    delta_of_one="release_delta",
    each="releases_per_unit",
    menu="uses_default_menu",
    scenario="to_scenario",
    target="parsed_goal",
    where_from="data_origin",
)
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
    counts_in
        In how many of the releases one unit can count at most, such as 1 for a person-day in daily
        lists; None for all.
    most_right
        What all releases may cost: after them a guesser who knows everything else may be right
        about at most so many of 100, from 51 to 99; None where it is not said so.
    most_epsilon
        The same as ε of all releases at `delta`; None where it is not said so.
    goal
        How good a list must be: a `Goal` or its text, such as "9 of 10 in 0.9"; None for all but a
        tenth of the k right in 9 of 10 releases.
    decided_on
        A key of `DECIDED_ON`: "generated", "past", "public" or "protected" data; None for "past"
        where data are uploaded, else "generated".
    smaller, larger
        All scores of the real data may be from `smaller` (above 0, at most 1) to `larger` (from 1
        on) times those decided on.
    periods
        On how many score vectors of past periods, besides, the goal has to be met; their scores are
        never in it.
    designs
        The mechanisms that are allowed. Where they are one of the menus of
        `dpviz.studies.decision.design_menus`, and not `picked`, they are the menu of the data; those whose
        own δ adds up over releases have `release_delta`.
    taken
        The index of the one that is published with; None for the cheapest, by what the limit is
        said in: the fewest right guesses with `most_right`, else the smallest total.
    epsilon
        ε of one release; None for the smallest that meets the goal, rounded up.
    delta
        δ of all releases together, from 0 to below 1, at which their total is stated.
    own_share
        The share of δ, above 0, that releases use up between them where their own δ add up.
    picked
        Whether somebody picked them, so that they stay when other data have another menu.

    Raises
    ------
    ParameterError
        For what cannot be used.

    Examples
    --------
    >>> question = Question(k=10, goal="9 of 10 in 0.9", releases=12, period="a year")
    >>> question.goal_text, Question.from_scenario(question.to_scenario(0.5)) == question
    ('9 of 10 in 0.9', True)
    """

    name: str = ""
    k: int = 10
    releases: int = 1
    period: str = ""
    data: DataSpec = field(default_factory=DataSpec)
    counts_in: int | None = None
    most_right: int | None = None
    most_epsilon: float | None = None
    goal: Goal | str | None = None
    decided_on: str | None = None
    smaller: float = 1.0
    larger: float = 1.0
    periods: int = 0
    designs: tuple[Design, ...] = ALLOWED
    taken: int | None = None
    epsilon: float | None = None
    delta: float = _DELTA
    own_share: float = _SHARE
    picked: bool = False

    def __post_init__(self) -> None:
        declared = {p.name: p for p in declared_parameters(TopKMechanism)}
        k = int(declared["k"].check_value(self.k))
        goal = default_goal(k) if self.goal is None else self.goal
        made_up = self.decided_on is None and self.data.source != "uploaded"
        decided_on = "generated" if made_up else self.decided_on
        if decided_on is not None and decided_on not in DECIDED_ON:
            raise ParameterError("decided_on", self.decided_on, "one of " + ", ".join(DECIDED_ON))
        if self.most_right is not None and self.most_epsilon is not None:
            raise ParameterError(
                "most_epsilon", self.most_epsilon, "left out where most_right is given"
            )
        if not self.designs:
            raise ParameterError("the number of designs", 0, "at least 1")
        taken, most = self.taken, self.counts_in
        releases = check_integer("releases", self.releases, low=1, high=_MOST_RELEASES)
        delta = check_number("delta", self.delta, low=0.0, high=1.0, below=True)
        share = check_number("own_share", self.own_share, low=0.0, above=True, high=1.0)
        picked, own = (
            check_flag("picked", self.picked) or not is_default_menu(self.designs),
            design_menu(self.data, k),
        )
        menu = tuple(self.designs) if picked else own
        right, spent = self.most_right, self.most_epsilon
        store_fields(
            self,
            name=check_text("name", self.name),
            period=check_text("period", self.period),
            k=k,
            releases=releases,
            counts_in=None
            if most is None or most == releases
            else check_integer("counts_in", most, low=1),
            most_right=None
            if right is None
            else check_integer("most_right", right, low=51, high=99),
            most_epsilon=None
            if spent is None
            else check_number("most_epsilon", spent, low=0.0, above=True),
            goal=read_goal(
                goal_text(goal, k) if isinstance(goal, Goal) else goal, k
            ),  # none is about one item
            decided_on=decided_on,
            smaller=check_number("smaller", self.smaller, low=0.0, above=True, high=1.0),
            larger=check_number("larger", self.larger, low=1.0, high=_MOST_LARGER),
            periods=check_integer("periods", self.periods, low=0, high=_MOST_PERIODS),
            designs=fit_designs(menu, k, delta, delta_per_release(delta, releases, share)),
            taken=None
            if taken is None
            else check_integer("taken", taken, low=0, high=len(menu) - 1),
            epsilon=None if self.epsilon is None else declared["epsilon"].check_value(self.epsilon),
            delta=delta,
            own_share=share,
            picked=picked and not have_same_mechanisms(menu, own),
        )

    @property
    def parsed_goal(self) -> Goal:
        """The goal, as a `Goal`."""
        if not isinstance(self.goal, Goal):
            raise TypeError(self.goal)
        return self.goal

    @property
    def data_origin(self) -> str:
        """Which data it is decided on, in words; of a file only what somebody said.

        >>> Question(data=DataSpec(source="uploaded")).data_origin
        'not answered whether these are the protected data'
        """
        return UNSAID if self.decided_on is None else DECIDED_ON[self.decided_on]

    @property
    def goal_text(self) -> str:
        """The goal as it is written."""
        return goal_text(self.parsed_goal, self.k)

    @property
    def releases_per_unit(self) -> int:
        """In how many releases one unit counts at most."""
        return self.releases if self.counts_in is None else min(self.counts_in, self.releases)

    @property
    def unit(self) -> str:
        """Whom ε protects, in a word."""
        return self.data.unit or "person"

    @property
    def uses_default_menu(self) -> bool:
        """Whether nobody picked mechanisms."""
        return not self.picked

    @property
    def release_delta(self) -> float:
        """δ that one release may have of its own, where these add up."""
        return delta_per_release(self.delta, self.releases, self.own_share)

    def label(self, design: Design) -> str:
        """What people call a design here."""
        return design_label(design, self.k, self.data.contributions)

    def replace(self, **changes: Any) -> Self:
        """The same question with some answers changed; where that changes the menu, nothing on it
        is taken by hand.
        """
        if (
            not self.picked
            and "designs" not in changes
            and menu_key(changes.get("data", self.data)) != menu_key(self.data)
        ):
            changes = {"taken": None, **changes}
        return replace(self, **changes)

    def to_scenario(self, epsilon: float) -> Scenario:
        """The scenario that asks it again, at the ε found; it holds no scores."""
        page: dict[str, Scalar | None] = {
            "goal": self.goal_text,
            "releases": self.releases,
            "delta": self.delta,
            "picked": self.picked or None,
            "own_share": self.own_share if self.own_share != _SHARE else None,
            "decided_on": self.decided_on,
            "fixed": self.epsilon is not None,
            "period": self.period or None,
            "taken": self.taken,
            "counts_in": self.counts_in,
            "most_right": self.most_right,
            "most_epsilon": self.most_epsilon,
            "smaller": self.smaller if self.smaller < 1 else None,
            "larger": self.larger if self.larger > 1 else None,
            "periods": self.periods or None,
        }
        return Scenario(
            data=self.data,
            epsilon=epsilon,
            k=self.k,
            designs=self.designs,
            page={PREFIX + name: value for name, value in page.items() if value is not None},
            name=self.name,
        )

    of = FormerClassMethod("of", "from_scenario")

    @classmethod
    def from_scenario(
        cls, scenario: Scenario, *, designs: tuple[Design, ...] | None = None
    ) -> Self:
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
        given = {
            n[len(PREFIX) :]: value for n, value in scenario.page.items() if n.startswith(PREFIX)
        }
        fixed = given.pop("fixed", False)
        return cls(
            name=scenario.name,
            k=scenario.k,
            data=scenario.data,
            designs=scenario.designs if designs is None else designs,
            epsilon=scenario.epsilon if fixed is True else None,
            **{name: value for name, value in given.items() if name in ON_PAGE},  # type: ignore[arg-type]
        )
