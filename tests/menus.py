"""Contracts of menus, and how menus and test classes are found."""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, NoReturn

import pytest

import dpviz
from dpviz.base.registry import Registry

TESTS = Path(__file__).parent


class Contract:
    """The base of the classes with the tests that one menu's entries have to pass."""

    menu: ClassVar[Registry[Any]]
    # the contract of others on the menu, where it is not of all kinds
    beside: ClassVar[type["Contract"] | None] = None
    # the entries it was made for: all of the menu where the tests iterate it
    names: ClassVar[frozenset[str]]

    @classmethod
    def covered(cls) -> frozenset[str]:
        """The names on the menu that this class holds to the contract."""
        return cls.names

    def missing(self, what: str) -> NoReturn:
        """Fails for a definition that a subclass has not written."""
        told = "Written apart from the library, it is what laws, draws and privacy are held to."
        pytest.fail(f"{type(self).__name__} needs {what}. {told}")


class ContractOfExamples(Contract):
    """The base of contracts whose subclasses list examples; others are not covered."""

    examples: ClassVar[list[Any]]

    @classmethod
    def covered(cls) -> frozenset[str]:
        return frozenset(example.name for example in cls.examples)


def registries() -> dict[str, Registry[Any]]:
    """Every registry of dpviz, under the shortest name by which a module or a class holds it."""
    found: dict[int, tuple[str, Registry[Any]]] = {}
    for module in modules():
        for owner in (module, *(held for held in vars(module).values() if isinstance(held, type))):
            for name, held in vars(owner).items():
                if isinstance(held, Registry):
                    place = ".".join(
                        [module.__name__, *([owner.__name__] if owner is not module else []), name]
                    )
                    known, _ = found.get(id(held), (place, held))
                    found[id(held)] = min(place, known, key=lambda text: (len(text), text)), held
    return dict(found.values())


def modules() -> Iterator[ModuleType]:
    """dpviz and every module in it."""
    yield dpviz
    for found in pkgutil.walk_packages(dpviz.__path__, f"{dpviz.__name__}."):
        yield importlib.import_module(found.name)


@cache
def contracts() -> tuple[type[Contract], ...]:
    """The contract classes that pytest collects: named Test…, in a module test_….py."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("test_*.py"))}
    names = [path.relative_to(TESTS.parent) for path, text in texts.items() if "Contract" in text]
    found = [importlib.import_module(".".join(name.with_suffix("").parts)) for name in names]
    held = [each for module in found for name, each in vars(module).items() if name[:4] == "Test"]
    return tuple(filter(is_contract, held))


def is_contract(held: object) -> bool:
    return isinstance(held, type) and issubclass(held, Contract) and bool(checks_of(held))


def checks_of(contract: type[Contract]) -> list[str]:
    """The names of its tests."""
    return [name for name in dir(contract) if name.startswith("test_")]


def base_of(contract: type[Contract]) -> type[Contract]:
    """The class that names the menu and holds the tests."""
    return next(
        cls for cls in contract.__mro__ if issubclass(cls, Contract) and "menu" in vars(cls)
    )


def uncovered(menus: Mapping[str, Registry[Any]], classes: Iterable[type[Contract]]) -> list[str]:
    """A sentence for each entry that no contract test class holds, and each way round one."""
    told = []
    for place, menu in menus.items():
        holding = [cls for cls in classes if cls.menu is menu]
        held = frozenset[str]().union(*(cls.covered() for cls in holding))
        told += [f"{place}: no contract test class covers {n!r}." for n in menu if n not in held]
        bases = {base_of(cls) for cls in holding}
        bases -= {base for base in bases if base.beside in bases}
        if len(bases) != 1:
            named = ", ".join(sorted(base.__name__ for base in bases)) or "none"
            told.append(
                f"{place}: one class has to name this menu and hold its tests, not {named}."
            )
        told += [
            f"{cls.__name__} replaces {name} of its contract."
            for cls in holding
            for name in checks_of(base_of(cls))
            if getattr(cls, name) is not getattr(base_of(cls), name)
        ]
    return told


def contract_for(menu: Registry[Any], name: str) -> type[Contract]:
    """The contract test class that holds what is called so."""
    return next(cls for cls in contracts() if cls.menu is menu and name in cls.covered())


def held_to(menu: Registry[Any], name: str, *examples: Any, **changes: Any) -> type[Contract]:
    """The contract of what is called so, for other examples."""
    base = contract_for(menu, name)
    own = {"examples": list(examples)} if examples else {}
    return type(f"Mock{base.__name__}", (base,), {**own, **changes})


def failing(contract: type[Contract], mock: Any, checks: Iterable[str] = ()) -> set[str]:
    """The tests of a contract that fail, of those named or of all, run while `mock` is registered."""
    found = set()
    with on_the_menu(contract.menu, mock):
        for name in checks or checks_of(contract):
            try:
                getattr(contract(), name)()
            except (AssertionError, pytest.fail.Exception):
                found.add(name)
    return found


@contextmanager
def on_the_menu(menu: Registry[Any], entry: Any, name: str = "mock") -> Iterator[None]:
    """`entry` is registered while this is open, whether it qualifies or not."""
    check, menu._check = menu._check, lambda name, entry: ""
    menu.add(name, entry, label=name)
    menu._check = check
    try:
        yield
    finally:
        del menu._entries[name]
