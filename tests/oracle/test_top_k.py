"""Every figure of the top-k laws lies within its stated error of the truth."""

import pytest

from dpviz import Canonical, Scores
from tests.oracle.cases import VARIANTS, top_k_cases
from tests.oracle.compare import outside, top_k_gaps

SELECTED = 7  # cases of each law and noise


@pytest.mark.parametrize(
    ("law", "variant"), [(law, v) for law, variants in VARIANTS.items() for v in variants]
)
def test_figures_are_within_their_error(law: str, variant: str) -> None:
    gaps = [
        gap
        for case in top_k_cases(law, variant, SELECTED, most_items=5)
        for gap in top_k_gaps(case.mechanism, case.scores)
    ]
    assert len(gaps) > 20 * SELECTED
    assert outside(iter(gaps)) == []


def test_no_more_mass_is_left_out_than_stated() -> None:
    """To the last digit: with gumbel noise what is pruned is told by the very sum that drops it."""
    cases = [
        case
        for large in (False, True)
        for case in top_k_cases("canonical", "gumbel", 25, large=large)
    ]
    gaps = [
        gap
        for case in cases
        for gap in top_k_gaps(case.mechanism, case.scores)
        if gap.figure == "mass not listed"
    ]
    assert sum(gap.bound > 0 for gap in gaps) > 10
    assert outside(iter(gaps)) == []


def test_a_figure_off_by_more_than_its_error_is_found() -> None:
    """The comparison itself can fail: a law of other scores is outside."""
    m, s = Canonical(epsilon=1.0, k=2), Scores([3.0, 2.0, 1.0, 0.0])
    assert outside(top_k_gaps(m, s)) == []
    law = m.distribution(Scores([3.0, 2.0, 1.0, 1e-9]))

    class Shifted(Canonical):
        def distribution(self, *_: object, **__: object) -> object:  # type: ignore[override]
            return law

    assert outside(top_k_gaps(Shifted(epsilon=1.0, k=2), s))
