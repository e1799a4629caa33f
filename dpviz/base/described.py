"""What every frozen description on a menu has in common: a name, a key, and copies with changes.

Invariants: the declared parameters are validated when it is made; equal keys mean equal descriptions, so
caches, files and seeds may go by them.
"""

from dataclasses import dataclass, fields, replace
from typing import Protocol, Self

from dpviz.base.notebook import notebook_table
from dpviz.base.parameters import check

__all__ = ["Described"]


class _Menu(Protocol):
    """What a description needs of the registry that it is on."""

    def name_of(self, entry: object) -> str:
        """The name under which `entry` is registered."""


@dataclass(frozen=True)
class Described:
    """The base of the frozen dataclasses that a registry lists; `_menu` says which one.

    Raises `ParameterError` when it is made with a value that is not allowed.
    """

    def __post_init__(self) -> None:
        check(self)

    @classmethod
    def _menu(cls) -> _Menu:
        """The registry it is on."""
        raise TypeError(f"{cls.__name__} is on no menu")

    @property
    def name(self) -> str:
        """The name in the registry."""
        return self._menu().name_of(type(self))

    @property
    def key(self) -> str:
        """One text that stands for this description and no other: for caches, files and seeds."""
        values = ",".join(f"{f.name}={getattr(self, f.name)!r}" for f in sorted(fields(self), key=lambda f: f.name))
        return f"{self.name}({values})"

    def _repr_html_(self) -> str:
        """Its parameters."""
        rows = [(f.name, getattr(self, f.name)) for f in fields(self)]
        return notebook_table(type(self).__name__, rows)

    @property
    def zcdp(self) -> float | None:
        """ρ of zero-concentrated DP, where one below the ε²/2 of any ε-DP release is proved; else None."""
        return None

    def replace(self, **changes: object) -> Self:
        """The same description with other parameters."""
        return replace(self, **changes)
