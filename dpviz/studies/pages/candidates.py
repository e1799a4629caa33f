"""What the page Candidates adds to the scenario: its own parameters and the rules', and the pool of candidates.

Parameters of one name are one for all rules, so that rules are compared at the same γ. A table of runs is never in a
scenario: whoever has one hands its pool over.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, make_dataclass
from typing import Any

import numpy as np

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import parameter, parameters
from dpviz.base.progress import Progress
from dpviz.candidates import CANDIDATES, CandidateRule, PercentileSparseVector
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.trained_runs import GRID, logistic_regression_runs
from dpviz.candidates.worth import top_quantile
from dpviz.studies.pages.declared import Declared
from dpviz.studies.scenario import Scalar, Scenario

__all__ = [
    "CANDIDATES_PAGE",
    "DEMONSTRATIONS",
    "FIRST",
    "FORM",
    "FORMS",
    "GAUSSIAN",
    "LARGEST_LEAK",
    "LIMITS",
    "MOST_STEPS",
    "POOLS",
    "SEARCH",
    "STOPS",
    "THRESHOLD",
    "VIEWS",
    "Asked",
    "CandidatesParameters",
    "Made",
    "Pools",
    "built_in",
    "every_rule",
    "grows_dearer",
    "of_rule",
    "rule_at_stop",
    "rule_on",
    "search_on",
    "stop_on",
    "stops_allowed",
    "suited_threshold",
]

VIEWS = {
    "outcome": "What comes out",
    "price": "What it costs",
    "stop": "When to stop",
    "percentile": "Find a good one",
    "leaks": "What leaks",
}
POOLS = {"built_in": "Private models, really run", "typed": "A table to type", "uploaded": "A file of runs"}
FIRST = "random_stopping"
_RULES = {name: CANDIDATES.label(name) for name in dict.fromkeys((FIRST, *CANDIDATES))}
FORMS = {"oracle": "Chances known (ideal)", "sampled": "Chances from sampled runs"}
MOST_STEPS = 16  # of a demonstration
LARGEST_LEAK = 10.0  # ε1 that demonstrations are drawn for
THRESHOLD = 0.8  # of the built-in runs
STOPS = tuple(float(f"{stop:.3g}") for stop in np.geomspace(1e-3, 1.0, 31))  # γ that curves are computed at
_OWN_SHARE = 0.25  # of one's own runs that reach the threshold where none is named


@dataclass(frozen=True, kw_only=True)
class CandidatesParameters:
    """What is looked at, what one run of a candidate costs, how the built-in ones are made, what a top run is."""

    view: str = parameter("outcome", choices=VIEWS, label="View")
    pool: str = parameter("built_in", choices=POOLS, label="Candidates from")
    rule: str = parameter(FIRST, choices=_RULES, label="Rule")
    epsilon1: float = parameter(
        0.5,
        low=0.0,
        above=True,
        high=1e4,
        label="ε1, the price of one run",
        help="Every run, its score included, is ε1-differentially private. For your own runs this is yours to know.",
    )
    delta1: float = parameter(
        0.0,
        low=0.0,
        high=0.5,
        label="δ1 of one run",
        help="0 for pure ones. Above 0 the built-in gradient runs use Gaussian noise; some rules do not cover that.",
    )
    people: int = parameter(600, low=20, high=100_000, integer=True, label="People trained on")
    runs: int = parameter(200, low=1, high=5_000, integer=True, label="Runs of each candidate")
    share: float = parameter(
        0.05,
        low=0.0,
        above=True,
        high=0.9,
        label="Top share p of all runs",
        help="A run counts as good if it is among the best share p of the runs of all candidates.",
    )


@dataclass(frozen=True, kw_only=True)
class GaussianRun:
    """One run that is a Gaussian mechanism, and what totals are stated at."""

    noise: float = parameter(
        4.0, low=0.1, high=1000.0, label="Noise of one run, σ/Δ", help="Standard deviation over sensitivity."
    )
    delta: float = parameter(1e-6, low=1e-300, high=0.5, label="δ of the totals")


@dataclass(frozen=True, kw_only=True)
class Demonstrations:
    """The sizes of the demonstrations of leaks."""

    k: int = parameter(8, low=1, high=MOST_STEPS, integer=True, label="Candidates K")
    steps: int = parameter(8, low=1, high=MOST_STEPS, integer=True, label="Steps R down")
    failure: float = parameter(
        0.1, low=0.0, above=True, high=0.5, label="Chance that a run fails", help="At most 1/(1 + e^ε1)."
    )


@dataclass(frozen=True, kw_only=True)
class SearchForm:
    """How the percentile search knows chances; its own parameters are the rule's."""

    form: str = parameter("oracle", choices=FORMS, label="Form")
    samples: int = parameter(2_000, low=1, high=1_000_000, integer=True, label="Runs N a query")


CANDIDATES_PAGE = Declared(CandidatesParameters, "pc.")
GAUSSIAN = Declared(GaussianRun, "pc.gaussian.")
DEMONSTRATIONS = Declared(Demonstrations, "pc.leak.")
FORM = Declared(SearchForm, "pc.sv.")
SEARCH = Declared(PercentileSparseVector, "pc.sv.")
_LIMITS = [
    (name, "int | None", parameter(None, low=0, integer=True, label="limit"))
    for name in CANDIDATES
    if any(item.name == "limit" for item in fields(CANDIDATES[name]))
]
LIMITS: Declared[object] = Declared(make_dataclass("Limits", _LIMITS), "pc.limit.", by_label=True)


def of_rule(name: str, threshold: float) -> Declared[CandidateRule]:
    """The parameters of a rule; `threshold` is its default for one that has a threshold."""
    return Declared(CANDIDATES[name], "pc.").suited(threshold={"default": threshold})


def suited_threshold(own: CandidatePool | None) -> float:
    """Where a threshold begins: at one that a quarter of one's own uploaded runs reach."""
    return THRESHOLD if own is None else top_quantile(own, _OWN_SHARE)


def rule_on(
    page: Mapping[str, Scalar], name: str, threshold: float = THRESHOLD, *, limited: bool = True, **changes: Any
) -> CandidateRule:
    """The rule with the page's parameters, some changed. Raises `ParameterError` where they do not do for it."""
    values = of_rule(name, threshold).values_on(page)[0]
    if name in LIMITS.declared:
        values["limit"] = (limited and LIMITS.values_on(page)[0][name]) or None
    return CANDIDATES[name](**{**values, **changes})


def every_rule(page: Mapping[str, Scalar], threshold: float = THRESHOLD) -> list[CandidateRule]:
    """All rules with the page's parameters, but for those that they do not do for."""
    ways = []
    for name in CANDIDATES:
        with suppress(ParameterError):
            ways.append(rule_on(page, name, threshold))
    return ways


def stop_on(page: Mapping[str, Scalar]) -> float:
    """The page's γ."""
    return float(of_rule(FIRST, THRESHOLD).values_on(page)[0]["stop"])


def rule_at_stop(
    page: Mapping[str, Scalar], name: str, threshold: float = THRESHOLD
) -> Callable[[float], CandidateRule]:
    """The rule at any γ, without a limit of one's own; a rule without γ makes 1/γ runs on average."""
    has_stop = "stop" in {declared.name for declared in parameters(CANDIDATES[name])}
    base = rule_on(page, name, threshold, limited=False, **({"stop": 0.5} if has_stop else {}))

    def make(gamma: float) -> CandidateRule:
        if not has_stop:
            return base.replace(mean=1 / gamma)
        return base.replace(stop=gamma, **({"limit": None} if hasattr(base, "limit") else {}))

    return make


def stops_allowed(make: Callable[[float], CandidateRule], gammas: list[float]) -> list[float]:
    """The γ that the rule takes: some do not take 1."""
    try:
        make(gammas[-1])
    except ParameterError:
        return gammas[:-1]
    return gammas


def grows_dearer(make: Callable[[float], CandidateRule], epsilon1: float) -> bool:
    """Whether more runs make the total ε larger, for pure candidates of this ε1."""
    return make(0.01).total_epsilon(epsilon1)[0] > make(0.5).total_epsilon(epsilon1)[0] + 1e-9


def search_on(page: Mapping[str, Scalar], epsilon1: float, **changes: Any) -> PercentileSparseVector:
    """The percentile search as the page has it. Raises `ParameterError` where its parameters do not do."""
    values, form = SEARCH.values_on(page)[0], FORM.on(page)[0]
    names = ["percentile", "epsilon"]
    given = {}
    if form.form == "sampled":
        names += ["queries", "delta", "epsilon0"]
        given["samples"] = form.samples
    given |= {name: values[name] for name in names}
    return PercentileSparseVector(**{**given, "candidate_epsilon": epsilon1, **changes})


@dataclass(frozen=True, eq=False)
class Made:
    """A pool that is there: its key, what it is called, whether it stands for runs."""

    pool: CandidatePool
    key: str
    name: str
    empirical: bool
    note: str


@dataclass(frozen=True)
class Asked:
    """A pool that is wanted: its key, what it is called, its number of candidates, and how it is made."""

    key: str
    name: str
    size: int
    make: Callable[[Progress], Made]


@dataclass(frozen=True)
class Pools:
    """The pool at any price ε1 of one run: runs of `own` tables are as they are, others are made anew.

    `own` is the pool of an uploaded table of runs; `empirical` where the pool stands for runs; `key` is that
    of a table, which no scenario has.
    """

    at: Callable[[float], Asked]
    anew: bool = True
    own: CandidatePool | None = None
    empirical: bool = True
    key: str = ""


def built_in(scenario: Scenario, epsilon1: float | None = None) -> Asked:
    """The private models as the page has them made; with runs at another price where ε1 is given."""
    page = CANDIDATES_PAGE.on(scenario.page)[0]
    people, runs, delta, seed = page.people, page.runs, page.delta1, scenario.seed
    epsilon = page.epsilon1 if epsilon1 is None else epsilon1
    name = "Private logistic regressions"
    key = f"built-in runs {people} {runs} {epsilon!r} {delta!r} {seed}"

    def make(progress: Progress) -> Made:
        made = logistic_regression_runs(
            people=people, epsilon=epsilon, delta=delta, runs=runs, seed=seed, progress=progress
        )
        note = f"without privacy the accuracy would be {made.accuracy_without_privacy:.3g}"
        return Made(made.pool, key, name, True, note)

    return Asked(key, name, len(GRID), make)
