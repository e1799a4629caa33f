"""The parameters that a page adds to a scenario, declared once as the fields of a frozen dataclass,
and read off it.

They stand in the scenario under the page's prefix, so links, files and commands have them alike.
Invariant: a value that its declaration refuses counts as not given, and why is handed over to be
told.
"""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from typing import Any, Generic, Self, TypeVar

from dpviz.base import Parameter, ParameterError, check_flag, declared_parameters
from dpviz.studies.scenario import Scalar

P = TypeVar("P")
Check = Callable[[object], Any]


class DeclaredParameters(Generic[P]):
    """The declared parameters of `cls`, under a prefix.

    `checks` go before a declaration's own; `by_label` makes sentences call a parameter by its
    label.
    """

    def __init__(
        self,
        cls: type[P],
        prefix: str = "",
        *,
        checks: Mapping[str, Check] | None = None,
        by_label: bool = False,
    ) -> None:
        self.cls, self.prefix = cls, prefix
        self.checks = dict(checks or {})
        self.declared: dict[str, Parameter] = {p.name: p for p in declared_parameters(cls)}
        self.by_label = by_label

    @property
    def prefixed_names(self) -> tuple[str, ...]:
        """The parameters as a scenario names them."""
        return tuple(self.prefix + name for name in self.declared)

    def with_declarations(self, **changes: Mapping[str, Any]) -> Self:
        """With some declarations changed, as the data at hand ask for: suited(size={"high": 9,
        "default": 3}).
        """
        changed = copy(self)
        changed.declared = self.declared | {
            name: replace(self.declared[name], **change)
            for name, change in changes.items()
            if name in self.declared
        }
        return changed

    def check(self, name: str, value: object) -> Any:
        """The value, if it is allowed; raises `ParameterError` else."""
        declared = self.declared[name]
        called = replace(declared, name=declared.label) if self.by_label else declared
        if name in self.checks:
            value = self.checks[name](value)
        if isinstance(declared.default, bool):
            return check_flag(called.name, value)
        if isinstance(declared.default, str) and declared.choices is None:
            return value  # a text is read by a check of its own
        return called.check_value(value)

    def read_values(
        self, page: Mapping[str, Scalar]
    ) -> tuple[dict[str, Any], dict[str, ParameterError]]:
        """Every value by name, the default where `page` has none or it is refused; and why it is,
        by name.
        """
        values, refused = {}, {}
        for name, declared in self.declared.items():
            values[name] = declared.default
            if self.prefix + name in page:
                try:
                    values[name] = self.check(name, page[self.prefix + name])
                except ParameterError as err:
                    refused[name] = err
        return values, refused

    def read_settings(self, page: Mapping[str, Scalar]) -> tuple[P, dict[str, ParameterError]]:
        """The same as an instance."""
        values, refused = self.read_values(page)
        return self.cls(**values), refused
