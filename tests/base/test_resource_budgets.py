"""Budgets are those of the machine, or of what a setting says it has."""

import pytest

from dpviz.base import resource_budgets as of
from dpviz.base.errors import ParameterError


@pytest.mark.parametrize(
    ("said", "size"), [("500", 2), ("2000", 2), ("7900", 8), ("24000", 24), ("900000", 24)]
)
def test_a_setting_overrides_the_memory_of_the_machine(
    said: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(of.ENVIRONMENT, said)
    assert of.current_budgets.__wrapped__() == of.SIZES[size]


@pytest.mark.parametrize("said", ["", "two", "-1", "0", "1e3", "²"])
def test_a_setting_that_is_no_number_is_refused(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(of.ENVIRONMENT, said)
    with pytest.raises(ParameterError, match="DPVIZ_MEMORY must be a whole number of MB"):
        of.current_budgets.__wrapped__()


def test_a_container_s_limit_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    limit = f"{tmp_path}/limit"
    with open(limit, "w", encoding="ascii") as file:
        file.write("1000000000\n")
    monkeypatch.delenv(of.ENVIRONMENT, raising=False)
    monkeypatch.setattr(of, "_LIMITS", (f"{tmp_path}/none", limit))
    assert of._memory() == 1e9
    assert of.current_budgets.__wrapped__() == of.SIZES[2]
