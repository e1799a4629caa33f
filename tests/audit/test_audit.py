"""Random cases of large counts, short lists and own noises, beside oracles that notice an error."""

import pytest

from tests.audit.extremes import FAMILIES
from tests.audit.runner import Family, violations

_EACH = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)


@_EACH
def test_a_share_of_the_cases_is_within_what_is_told(family: Family) -> None:
    assert violations(family, family.few) == []


@pytest.mark.long
@pytest.mark.timeout(1500)
@_EACH
def test_no_figure_of_any_case_is_beyond_what_is_told_of_it(family: Family) -> None:
    assert violations(family, family.many) == []


@pytest.mark.long
@_EACH
def test_each_family_notices_a_figure_that_is_wrong(
    family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    for owner, name, wrong in family.broken:
        right = vars(owner)[name] if isinstance(owner, type) else getattr(owner, name)
        with monkeypatch.context() as broken:
            broken.setattr(owner, name, wrong(right))
            assert violations(family, family.few), f"it does not notice a wrong {name}"
