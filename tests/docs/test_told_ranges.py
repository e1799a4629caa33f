"""The range that a docstring tells of a number is the one that is taken."""

import math
import re
from collections.abc import Mapping
from typing import Any

import pytest

import dpviz
from dpviz import ParameterError
from tests.docs.test_docstrings import described

GIVEN: Mapping[str, Mapping[str, Any]] = {
    "AdaptiveSparseVector": {"epsilon": 1.0, "k": 1, "threshold": 5.0},
    "Canonical": {"epsilon": 1.0, "k": 1},
    "DistanceToInstability": {"epsilon": 1.0, "delta": 1e-6},
    "GaussianCounts": {"epsilon": 1.0, "k": 1, "delta": 1e-6},
    "GeneralisedExponential": {"epsilon": 1.0},
    "JointExponential": {"epsilon": 1.0, "k": 1},
    "KnownThreshold": {"threshold": 0.5},
    "LargeMargin": {"epsilon": 1.0, "delta": 1e-6},
    "LimitedDomain": {"epsilon": 1.0, "k": 1, "delta": 1e-6},
    "NegativeBinomialRepeats": {},
    "NoisyTopKWithGap": {"epsilon": 1.0, "k": 1},
    "OneShot": {"epsilon": 1.0, "k": 1},
    "Peeling": {"epsilon": 1.0, "k": 1},
    "PercentileSparseVector": {"percentile": 0.5, "epsilon": 1.0, "candidate_epsilon": 0.1},
    "PoissonRepeats": {},
    "Question": {"k": 10},
    "RandomStopping": {},
    "Scenario": {},
    "SparseVector": {"epsilon": 1.0, "k": 1, "threshold": 5.0},
    "ThresholdCounts": {"epsilon": 1.0, "k": 1, "delta": 1e-6},
    "ThresholdSearch": {"percentile": 0.05, "candidate_epsilon": 0.1},
    "compose": {"releases": [dpviz.Canonical(epsilon=0.1, k=1)]},
    "delta_of_one": {"delta": 1e-6, "releases": 2},
    "guess_bound": {"epsilon": 1.0},
    "posterior_bound": {"prior": 0.5, "epsilon": 1.0},
}
SAID = re.compile(
    r"(?:\b(?P<how>above|from|≥) (?P<low>−?[\d½]+)(?! to d\b| to n\b))"
    r"(?: (?P<upto>up to|and below|to below|to) (?P<high>[\d½]+))?"
)


def number(text: str) -> float:
    return 0.5 if text == "½" else float(text.replace("−", "-"))


def is_taken(name: str, parameter: str, value: float) -> bool:
    whole = isinstance(GIVEN[name].get(parameter), int) and value == int(value)
    try:
        getattr(dpviz, name)(**{**GIVEN[name], parameter: int(value) if whole else value})
    except ParameterError as refused:
        return not re.search(
            rf"^{parameter} must be .*(from|above|below|at least|at most)", str(refused)
        )
    return True


TOLD = [
    (name, parameter, found)
    for name in GIVEN
    for parameter, text in described(getattr(dpviz, name).__doc__).items()
    if (found := SAID.search(text.replace("\n", " ")))
    and not re.search(r"\b(in place of|beside)\b|whole|None for|from 1 to d", text)
    and parameter not in {"branch_count", "steps", "queries", "samples", "sigma", "scale"}
]


@pytest.mark.parametrize(
    ("name", "parameter", "found"), TOLD, ids=[f"{name}.{parameter}" for name, parameter, _ in TOLD]
)
def test_the_ends_of_a_range(name: str, parameter: str, found: re.Match[str]) -> None:
    low = number(found["low"])
    assert is_taken(name, parameter, low) == (found["how"] != "above"), found[0]
    assert not is_taken(name, parameter, math.nextafter(low, -math.inf) if low else -1e-9), found[0]
    if found["high"]:
        high = number(found["high"])
        assert is_taken(name, parameter, high) == ("below" not in found["upto"]), found[0]
        assert not is_taken(name, parameter, high * (1 + 1e-9)), found[0]
