"""Each entry of each menu of dpviz is in a contract test class."""

import pytest

import dpviz.base.noise
from dpviz import TOP_K
from dpviz.base.registry import Registry
from tests.contract import MechanismContract
from tests.menus import Contract, contracts, on_the_menu, registries, uncovered

MENUS = registries()


def test_everything_on_a_menu_is_in_a_contract() -> None:
    assert uncovered(MENUS, contracts()) == []


def test_what_is_registered_without_a_contract_is_told() -> None:
    told = "TOP_K: no contract test class covers 'mock'."
    with on_the_menu(TOP_K, object()):
        assert told in uncovered({"TOP_K": TOP_K}, contracts())


def test_a_new_menu_without_a_contract_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    colours: Registry[int] = Registry("colour")
    colours.add("red", 1, label="Red")
    monkeypatch.setattr(dpviz.base.noise.Noise, "COLOURS", colours, raising=False)
    (found,) = ({place: menu} for place, menu in registries().items() if menu is colours)
    entry, menu = uncovered(found, contracts())
    assert entry.endswith("COLOURS: no contract test class covers 'red'.")
    assert menu.endswith("COLOURS: one class has to name this menu and hold its tests, not none.")


def test_tests_of_ones_own_are_no_way_round_the_contract() -> None:
    class TestOwn(Contract):
        menu = TOP_K
        names = frozenset(TOP_K)

        def test_nothing(self) -> None:
            """No test at all."""

    class TestReplaced(MechanismContract):
        examples = []

        def test_draws_show_no_loss_above_epsilon(self) -> None:
            """No test at all."""

    told = uncovered({"TOP_K": TOP_K}, (*contracts(), TestOwn, TestReplaced))
    assert "TestReplaced replaces test_draws_show_no_loss_above_epsilon of its contract." in told
    both = "one class has to name this menu and hold its tests, not MechanismContract, TestOwn."
    assert f"TOP_K: {both}" in told
