"""The papers' numbers as their checks ask for them, and which check stands for which number.

A check is a test in the file of its paper that finds a number another way than dpviz does, or what
computes it on small data; it says by `@pytest.mark.checks` for which claims it stands.
"""

import importlib
from collections.abc import Iterator
from functools import cache

from dpviz.export.reproduction.claims.claim import CLAIMS, PAPERS, RecomputedValues
from dpviz.export.reproduction.claims.table import VERDICTS


@cache
def finding(name: str) -> RecomputedValues:
    return CLAIMS[name].recompute_values({})


def value(name: str) -> float:
    (one,) = finding(name).values.values()
    return one


def stored(name: str) -> float:
    """Its figure as it is stored: to be asked for where the claim takes a second to compute."""
    return VERDICTS[name][1]


def checked() -> dict[str, set[str]]:
    """By paper, the claims for which the checks in its file say that they stand."""
    return {paper: set(_named_in(f"tests.export.test_claims_{paper}")) for paper in PAPERS}


def _named_in(file: str) -> Iterator[str]:
    for name, test in vars(importlib.import_module(file)).items():
        for mark in getattr(test, "pytestmark", ()) if name.startswith("test_") else ():
            if mark.name == "checks":
                yield from mark.args
