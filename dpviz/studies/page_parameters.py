"""Page parameters of a scenario, declared once; a refused value counts as not given."""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from typing import Any, Generic, Self, TypeVar

from dpviz.base import Parameter, ParameterError, check_flag, declared_parameters
from dpviz.studies.scenario import Scalar

P = TypeVar("P")
Check = Callable[[object], Any]


class DeclaredParameters(Generic[P]):
    """Declared parameters of `cls` under a prefix; `by_label` names them by label in errors."""

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
        return tuple(self.prefix + name for name in self.declared)

    def with_declarations(self, **changes: Mapping[str, Any]) -> Self:
        """A copy with some declarations changed: with_declarations(size={"high": 9})."""
        changed = copy(self)
        changed.declared = self.declared | {
            name: replace(self.declared[name], **change)
            for name, change in changes.items()
            if name in self.declared
        }
        return changed

    def check(self, name: str, value: object) -> Any:
        """The value if it is allowed; raises `ParameterError` otherwise."""
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
        """Values by name, the default where one is missing or refused; and refusals by name."""
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
        """The same as an instance of `cls`."""
        values, refused = self.read_values(page)
        return self.cls(**values), refused
