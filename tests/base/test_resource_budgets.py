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
    assert of.current_budgets.__wrapped__().workers == of.SIZES[size].workers


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
    assert of.server_memory_bytes() == 1e9


@pytest.mark.parametrize("gigabytes", [1, 2, 4, 8, 32])
def test_all_together_fit_the_machine(gigabytes: int) -> None:
    budgets = of.choose_budgets(gigabytes * 1e9)
    together = budgets.process + budgets.workers * budgets.worker + of._FORKED
    assert together <= 0.9 * gigabytes * 1e9
    assert budgets.sessions < budgets.process / 2


def test_a_server_knows_when_its_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    assert of.process_memory_bytes() > 10_000_000
    monkeypatch.setattr(of, "process_memory_bytes", lambda: of.current_budgets().process + 1)
    monkeypatch.setattr(of._SERVER, "keeps_to_budget", False)
    assert not of.is_memory_over_budget()  # the library alone
    monkeypatch.setattr(of._SERVER, "keeps_to_budget", True)
    assert of.is_memory_over_budget()
