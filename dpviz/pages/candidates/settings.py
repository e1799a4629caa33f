"""Page parameters of Candidates and, under the same prefix, those that all rules share."""

from dataclasses import dataclass, fields, make_dataclass
from typing import Any

import numpy as np

from dpviz.base import parameter
from dpviz.candidates import CANDIDATES, PercentileSparseVector
from dpviz.studies import DeclaredParameters

VIEWS = {
    "outcome": "Published run",
    "price": "What it costs",
    "stop": "When to stop",
    "percentile": "Find a good candidate",
    "leaks": "What leaks",
}
POOLS = {
    "built_in": "Private models, run by this app",
    "typed": "A typed table",
    "uploaded": "A file of runs",
}
FIRST_RULE = "random_stopping"
_RULES = {name: CANDIDATES.label(name) for name in dict.fromkeys((FIRST_RULE, *CANDIDATES))}
FORMS = {"oracle": "Chances known (ideal)", "sampled": "Chances from sampled runs"}
MOST_STEPS = 16  # of a demonstration
LARGEST_LEAK = 10.0  # ε1 that demonstrations are drawn for
# γ that curves are computed at
STOPS = tuple(float(f"{stop:.3g}") for stop in np.geomspace(1e-3, 1.0, 31))


@dataclass(frozen=True, kw_only=True)
class CandidatesSettings:
    """View, price of one run, built-in candidates, and the share of good runs."""

    view: str = parameter("outcome", choices=VIEWS, label="View")
    pool: str = parameter("built_in", choices=POOLS, label="Candidates from")
    rule: str = parameter(FIRST_RULE, choices=_RULES, label="Rule")
    epsilon1: float = parameter(
        0.5,
        low=0.0,
        above=True,
        high=1e4,
        label="ε1, the price of one run",
        help=(
            "Every run, with its score, is ε1-differentially private. For your own runs you must"
            " make sure of this."
        ),
    )
    delta1: float = parameter(
        0.0,
        low=0.0,
        high=0.5,
        label="δ1 of one run",
        help=(
            "0 for pure differential privacy. Above 0 the built-in gradient runs use Gaussian"
            " noise, which some rules do not cover."
        ),
    )
    people: int = parameter(
        600, low=20, high=100_000, integer=True, label="People in the training data"
    )
    runs: int = parameter(200, low=1, high=5_000, integer=True, label="Runs of each candidate")
    share: float = parameter(
        0.05,
        low=0.0,
        above=True,
        high=0.9,
        label="Top share p of all runs",
        help="A run is good if it is among the best share p of all candidates' runs.",
    )


@dataclass(frozen=True, kw_only=True)
class GaussianRun:
    """A run that is a Gaussian mechanism, and the δ of totals."""

    noise: float = parameter(
        4.0,
        low=0.1,
        high=1000.0,
        label="Noise of one run, σ/Δ",
        help="Standard deviation divided by the sensitivity.",
    )
    delta: float = parameter(1e-6, low=1e-300, high=0.5, label="δ of the totals")


@dataclass(frozen=True, kw_only=True)
class DemonstrationSizes:
    k: int = parameter(8, low=1, high=MOST_STEPS, integer=True, label="Candidates K")
    steps: int = parameter(8, low=1, high=MOST_STEPS, integer=True, label="Steps R down")
    failure: float = parameter(
        0.1,
        low=0.0,
        above=True,
        high=0.5,
        label="Chance that a run fails",
        help="At most 1/(1 + e^ε1).",
    )


@dataclass(frozen=True, kw_only=True)
class SearchForm:
    """Source of the chances in the percentile search; its other parameters are the rule's."""

    form: str = parameter("oracle", choices=FORMS, label="Form")
    samples: int = parameter(
        2_000, low=1, high=1_000_000, integer=True, label="Runs N for each query"
    )


CANDIDATES_PAGE = DeclaredParameters(CandidatesSettings, "pc.")
GAUSSIAN = DeclaredParameters(GaussianRun, "pc.gaussian.")
DEMONSTRATIONS = DeclaredParameters(DemonstrationSizes, "pc.leak.")
FORM = DeclaredParameters(SearchForm, "pc.sv.")
SEARCH = DeclaredParameters(PercentileSparseVector, "pc.sv.")
_LIMITS = [
    (name, "int | None", parameter(None, low=0, integer=True, label="limit"))
    for name in CANDIDATES
    if any(item.name == "limit" for item in fields(CANDIDATES[name]))
]
LIMITS: DeclaredParameters[object] = DeclaredParameters(
    make_dataclass("Limits", _LIMITS), "pc.limit.", by_label=True
)


def page_parameter_names() -> tuple[str, ...]:
    pages: list[DeclaredParameters[Any]] = [
        CANDIDATES_PAGE,
        GAUSSIAN,
        DEMONSTRATIONS,
        FORM,
        SEARCH,
        LIMITS,
    ]
    pages += [DeclaredParameters(CANDIDATES[name], CANDIDATES_PAGE.prefix) for name in CANDIDATES]
    return tuple(name for page in pages for name in page.prefixed_names)
