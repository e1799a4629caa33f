"""Question that a team answers before ε is computed: frozen, validated once, without a score.

Invariant: `Question.from_scenario(question.to_scenario(epsilon)) == question`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from dpviz.base import (
    ParameterError,
    check_choice,
    check_flag,
    check_integer,
    check_number,
    check_text,
    declared_parameters,
    store_fields,
)
from dpviz.base.former_names import FormerClassMethod, former_names
from dpviz.studies import DataSpec, Design, Scalar, Scenario
from dpviz.studies.decision.design_menus import (
    ALLOWED,
    adapt_designs_to_release,
    delta_per_release,
    design_label,
    design_menu,
    design_menu_key,
    have_same_mechanisms,
    is_default_menu,
)
from dpviz.studies.decision.goals import default_goal, goal_text, read_goal
from dpviz.studies.decision.other_lists import OtherLists, read_other_lists
from dpviz.topk import Goal, TopKMechanism

PREFIX: Final = "decide."
"""Prefix of the question's entries among the page parameters of a scenario."""


ON_PAGE: Final = (
    "goal", "releases", "delta", "own_share", "picked", "decided_on", "period", "taken", "counts_in",
    "most_right", "most_epsilon", "smaller", "larger", "periods", "also",
)  # fmt: skip
"""Entries that are answers; one more, "fixed", says whether ε is one."""

UNITS: Final = ("person", "household", "device", "person-day", "person-month", "visit")
"""Suggested units of privacy; any other word is allowed."""

DECIDED_ON: Final = {
    "generated": "made-up data",
    "past": "data of the past that may be looked at",
    "public": "data that are public already",
    "protected": "the protected data themselves",
}
"""Kinds of data that ε may be decided on; the sheet names protected ones."""

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
    """A question to decide ε: what is published, about whom, how good it must be, on which data.

    Parameters
    ----------
    name
        Name of what is published.
    k
        Items on a list.
    releases
        Number of lists.
    period
        Time over which they come out, in words.
    data
        Data specification: where scores come from and what one person can change of them.
    counts_in
        Releases that one unit can count in at most, such as 1 for a person-day in daily lists; None
        for all.
    most_right
        Limit on the cost of all releases: right guesses of 100 by an attacker who knows everything
        else, from 51 to 99. None for no such limit.
    most_epsilon
        Limit on ε of all releases at `delta`; None for no such limit.
    goal
        A `Goal` or its text, such as "9 of 10 in 0.9"; None for all but a tenth of the k right in 9
        of 10 releases.
    decided_on
        A key of `DECIDED_ON`; None for "generated", unless data are uploaded.
    smaller, larger
        All real scores may be from `smaller` (above 0, at most 1) to `larger` (at least 1) times
        those decided on.
    periods
        Number of score vectors of past periods that have to meet the goal too.
    designs
        Allowed mechanisms. One of the menus of `design_menus`, unless `picked`, is replaced by the
        menu of the data. Designs whose own δ adds up over releases get `release_delta`.
    taken
        Index of the design that is published with; None for the cheapest, in the unit of the limit.
    epsilon
        ε of one release; None for the smallest that meets the goal, rounded up.
    delta
        δ of all releases together, from 0 to below 1, at which their total is stated.
    own_share
        Share of δ, above 0, for the releases' own δ where these add up.
    also
        Other lists about the same people that are in the total, as "12 at 0.5; 1 at 2 (1e-7)":
        their number, the ε of each and its δ.
    picked
        True if somebody picked the designs, so that they stay when the data change.

    Raises
    ------
    ParameterError
        For a value that is not allowed.

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
    also: str = ""
    picked: bool = False

    def __post_init__(self) -> None:
        declared = {p.name: p for p in declared_parameters(TopKMechanism)}
        k = int(declared["k"].check_value(self.k))
        goal = default_goal(k) if self.goal is None else self.goal
        made_up = self.decided_on is None and self.data.source != "uploaded"
        decided_on = "generated" if made_up else self.decided_on
        if decided_on is not None:
            check_choice("decided_on", decided_on, DECIDED_ON)
        if self.most_right is not None and self.most_epsilon is not None:
            raise ParameterError(
                "most_epsilon", self.most_epsilon, "left out where most_right is given"
            )
        if not self.designs:
            raise ParameterError("the number of designs", 0, "at least 1")
        taken, most = self.taken, self.counts_in
        if most is not None:
            most = check_integer("counts_in", most, low=1)
        releases = check_integer("releases", self.releases, low=1, high=_MOST_RELEASES)
        delta = check_number("delta", self.delta, low=0.0, high=1.0, below=True)
        share = check_number("own_share", self.own_share, low=0.0, above=True, high=1.0)
        picked, own = (
            check_flag("picked", self.picked) or not is_default_menu(self.designs),
            design_menu(self.data, k),
        )
        menu = tuple(self.designs) if picked else own
        right, spent = self.most_right, self.most_epsilon
        others = read_other_lists(check_text("also", self.also))
        left = _delta_left(delta, others)
        if left < delta and left <= 0:
            raise ParameterError("also", self.also, f"of less δ in all than delta, {delta:g}")
        store_fields(
            self,
            name=check_text("name", self.name),
            period=check_text("period", self.period),
            k=k,
            releases=releases,
            counts_in=None if most == releases else most,
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
            designs=adapt_designs_to_release(
                menu, k, delta, delta_per_release(left, releases, share)
            ),
            taken=None
            if taken is None
            else check_integer("taken", taken, low=0, high=len(menu) - 1),
            epsilon=None if self.epsilon is None else declared["epsilon"].check_value(self.epsilon),
            delta=delta,
            own_share=share,
            also="; ".join(map(str, others)),
            picked=picked and not have_same_mechanisms(menu, own),
        )

    @property
    def parsed_goal(self) -> Goal:
        """The goal as a `Goal`."""
        if not isinstance(self.goal, Goal):
            raise TypeError(self.goal)
        return self.goal

    @property
    def data_origin(self) -> str:
        """Kind of data it is decided on, in words.

        >>> Question(data=DataSpec(source="uploaded")).data_origin
        'not answered whether these are the protected data'
        """
        return UNSAID if self.decided_on is None else DECIDED_ON[self.decided_on]

    @property
    def goal_text(self) -> str:
        """The goal as text."""
        return goal_text(self.parsed_goal, self.k)

    @property
    def releases_per_unit(self) -> int:
        """Releases that one unit counts in at most."""
        return self.releases if self.counts_in is None else min(self.counts_in, self.releases)

    @property
    def other_lists(self) -> tuple[OtherLists, ...]:
        """Other lists about the same people."""
        return read_other_lists(self.also)

    @property
    def unit(self) -> str:
        """Unit of privacy, in a word."""
        return self.data.unit or "person"

    @property
    def states_noise(self) -> bool:
        """True if every design states its noise, so that no ε can be chosen."""
        return all(design.stated_scale for design in self.designs)

    @property
    def uses_default_menu(self) -> bool:
        """True if nobody picked mechanisms."""
        return not self.picked

    @property
    def release_delta(self) -> float:
        """δ of one release, where these add up."""
        left = _delta_left(self.delta, self.other_lists)
        return delta_per_release(left, self.releases, self.own_share)

    def label(self, design: Design) -> str:
        """Label of a design here."""
        return design_label(design, self.k, self.data.contributions)

    def replace(self, **changes: Any) -> Self:
        """The question with some answers changed; a change of menu resets `taken`."""
        if (
            not self.picked
            and "designs" not in changes
            and design_menu_key(changes.get("data", self.data)) != design_menu_key(self.data)
        ):
            changes = {"taken": None, **changes}
        return replace(self, **changes)

    def to_scenario(self, epsilon: float) -> Scenario:
        """Scenario that asks this question at ε; it holds no scores."""
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
            "also": self.also or None,
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
        """The question in a scenario; what it does not say has its default.

        Parameters
        ----------
        scenario
            The scenario.
        designs
            Designs in place of the scenario's; None for those.

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


def _delta_left(delta: float, others: Iterable[OtherLists]) -> float:
    """The part of δ that other lists leave to the releases."""
    return delta - sum(each.delta for each in others)
