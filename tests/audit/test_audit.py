"""Two thousand random cases of all that is told, beside oracles that notice a wrong figure."""

import pytest

from tests.audit import accounts, budgets, decisions, extremes, losses, neighbours
from tests.audit.runner import Family, audit, violations

_PARTS = (losses, neighbours, accounts, budgets, extremes, decisions)
FAMILIES: list[Family] = [family for part in _PARTS for family in part.FAMILIES]
_EACH = pytest.mark.parametrize("family", FAMILIES, ids=[family.name for family in FAMILIES])


@_EACH
def test_a_share_of_the_cases_is_within_what_is_told(family: Family) -> None:
    audit(family, family.few)


@pytest.mark.long
@pytest.mark.timeout(1500)
@_EACH
def test_no_figure_of_any_case_is_beyond_what_is_told_of_it(family: Family) -> None:
    audit(family, family.many)


def test_these_are_two_thousand_cases_and_no_two_families_share_theirs() -> None:
    assert sum(family.many for family in FAMILIES) >= 2_000
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)


@pytest.mark.long
@_EACH
def test_each_family_notices_a_figure_that_is_wrong(
    family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    for owner, name, wrong in family.broken:
        right = vars(owner)[name] if isinstance(owner, type) else getattr(owner, name)
        with monkeypatch.context() as broken:
            broken.setattr(owner, name, wrong(right))
            assert violations(family, range(family.few)), (
                f"{family.name} does not notice a wrong {name}"
            )
