"""Random cases of smallest ε, curves and lists, beside oracles that notice a wrong figure."""

import pytest

from tests.audit import budgets, extremes
from tests.audit.runner import Family, audit, violations

FAMILIES: list[Family] = [*budgets.FAMILIES, *extremes.FAMILIES]
_EACH = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


@_EACH
def test_a_share_of_the_cases_is_within_what_is_told(family: Family) -> None:
    audit(family, family.few)


@pytest.mark.long
@pytest.mark.timeout(1500)
@_EACH
def test_no_figure_of_any_case_is_beyond_what_is_told_of_it(family: Family) -> None:
    audit(family, family.many)


@pytest.mark.long
@_EACH
def test_each_family_notices_a_figure_that_is_wrong(
    family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    for owner, name, wrong in family.broken:
        right = vars(owner)[name] if isinstance(owner, type) else getattr(owner, name)
        with monkeypatch.context() as broken:
            broken.setattr(owner, name, wrong(right))
            found = violations(family, range(family.few))
            assert found, f"{family.name} does not notice a wrong {name}"
