"""Figures of the top-k laws lie within their stated errors, by ball arithmetic."""

from itertools import chain

import pytest

from dpviz import Canonical, OneShot, Scores
from tests.oracle.cases import VARIANTS, top_k_cases
from tests.oracle.compare import outside, top_k_gaps


# `tests.benchmarks.true_error` has the long table.
@pytest.mark.parametrize(("large", "count"), [(False, 7), (True, 4)], ids=["ordinary", "large"])
@pytest.mark.parametrize(("law", "variant"), [(law, v) for law in VARIANTS for v in VARIANTS[law]])
def test_figures_are_within_their_error(law: str, variant: str, large: bool, count: int) -> None:
    cases = top_k_cases(law, variant, count, most_items=6, large=large)
    gaps = [gap for case in cases for gap in top_k_gaps(case.mechanism, case.scores)]
    assert len(gaps) > 20 * count
    assert outside(iter(gaps)) == []


def test_no_more_mass_is_left_out_than_told() -> None:
    """To the last digit: with gumbel noise what is pruned is told by the very sum that drops it."""
    made = (top_k_cases("canonical", "gumbel", 25, large=large) for large in (False, True))
    found = (top_k_gaps(case.mechanism, case.scores) for case in chain.from_iterable(made))
    gaps = [gap for gap in chain.from_iterable(found) if gap.figure == "mass not listed"]
    assert sum(gap.bound > 0 for gap in gaps) > 10
    assert outside(iter(gaps)) == []


def test_a_figure_off_by_more_than_its_error_is_told() -> None:
    """The comparison itself can fail: a law of other scores is outside."""
    m, s = Canonical(epsilon=1.0, k=2), Scores([3.0, 2.0, 1.0, 0.0])
    assert outside(top_k_gaps(m, s)) == []
    law = m.distribution(Scores([3.0, 2.0, 1.0, 1e-9]))

    class Shifted(Canonical):
        def distribution(self, *_: object, **__: object) -> object:  # type: ignore[override]
            return law

    assert outside(top_k_gaps(Shifted(epsilon=1.0, k=2), s))


def test_many_tied_items() -> None:
    """One-shot with many items: the whole window is undecided."""
    m, s = OneShot(epsilon=20.0, k=8, noise="laplace"), Scores([float(i // 4) for i in range(24)])
    assert outside(top_k_gaps(m, s)) == []
