"""Nothing slips through: whatever is on a menu of dpviz is in a contract test class, and a menu
without one is told.
"""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

import dpviz.base.noise
from dpviz import CANDIDATES, GAPS, NOISES, THRESHOLD, TOP_K, TOP_ONE
from dpviz.base.registry import Registry
from tests.contract import MechanismContract
from tests.menus import Contract, contracts, is_contract, on_the_menu, registries, uncovered

MENUS = registries()


def test_everything_on_a_menu_is_in_a_contract() -> None:
    assert uncovered(MENUS, contracts()) == []


def test_the_menus_of_mechanisms_and_noises_are_found() -> None:
    found = {id(menu) for menu in MENUS.values()}
    assert {id(menu) for menu in (TOP_K, GAPS, THRESHOLD, TOP_ONE, CANDIDATES, NOISES)} <= found


@pytest.mark.parametrize("place", MENUS)
def test_what_is_registered_without_a_contract_is_told(place: str) -> None:
    menu, told = {place: MENUS[place]}, f"{place}: no contract test class covers 'mock'."
    with on_the_menu(MENUS[place], object()):
        assert told in uncovered(menu, contracts())
    assert told not in uncovered(menu, contracts())


@pytest.mark.parametrize(
    "owner", [dpviz.base.noise, dpviz.base.noise.Noise], ids=["in a module", "in a class"]
)
def test_a_new_menu_without_a_contract_is_told(owner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    colours: Registry[int] = Registry("colour")
    colours.add("red", 1, label="Red")
    monkeypatch.setattr(owner, "COLOURS", colours, raising=False)
    (found,) = ({place: menu} for place, menu in registries().items() if menu is colours)
    entry, menu = uncovered(found, contracts())
    assert entry.endswith("COLOURS: no contract test class covers 'red'.")
    assert menu.endswith("COLOURS: one class has to name this menu and hold its tests, not none.")


@pytest.mark.parametrize("place", MENUS)
def test_every_entry_says_in_one_line_what_it_is_and_when_to_take_it(place: str) -> None:
    menu = MENUS[place]
    said = {name: menu.says(name) for name in menu}
    wrong = [name for name, line in said.items() if not 20 <= len(line) <= 170]
    assert not wrong, f"{place}: a line of 20 to 170 letters has to say what {', '.join(wrong)} is"
    assert len(set(said.values())) == len(said)


@pytest.mark.parametrize(
    "menu", [TOP_K, GAPS, THRESHOLD, TOP_ONE, CANDIDATES, NOISES], ids=lambda menu: menu.what
)
def test_a_line_is_said_as_a_sentence(menu: Registry[Any]) -> None:
    for name in menu:
        assert re.fullmatch(r"[A-Z].*\bTake it\b.*[.]", menu.says(name), re.DOTALL), (
            f"the line of {name}"
        )


def test_a_class_without_tests_is_no_contract() -> None:
    class TestMock(Contract):
        menu = TOP_K
        names = frozenset(TOP_K)

    assert not is_contract(TestMock)
    assert all(is_contract(cls) for cls in contracts())


def test_tests_of_ones_own_are_no_way_round_the_contract() -> None:
    class TestMock(Contract):
        menu = TOP_K
        names = frozenset({"mock"})

        def test_nothing(self) -> None:
            """No test at all."""

    with on_the_menu(TOP_K, object()):
        told = uncovered({"TOP_K": TOP_K}, (*contracts(), TestMock))
    assert (
        "TOP_K: one class has to name this menu and hold its tests, not MechanismContract,"
        " TestMock." in told
    )


def test_neither_is_a_test_replaced() -> None:
    class TestMock(MechanismContract):
        examples = []

        def test_draws_show_no_loss_above_epsilon(self) -> None:
            """No test at all."""

    told = uncovered({"TOP_K": TOP_K}, (*contracts(), TestMock))
    assert "TestMock replaces test_draws_show_no_loss_above_epsilon of its contract." in told


def test_only_what_pytest_collects_holds_anything() -> None:
    assert MechanismContract not in contracts()
    for cls in contracts():
        collected = sys.modules[cls.__module__]
        assert getattr(collected, cls.__name__) is cls
        assert cls.__name__.startswith("Test")
        assert Path(str(collected.__file__)).name.startswith("test_")
