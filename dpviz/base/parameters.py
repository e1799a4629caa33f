"""Parameters declared once for validation, page controls, command line and JSON.

Invariants: bool is never a number; NaN and infinities are refused; names come from a registry.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import MISSING, dataclass, field, fields, replace
from decimal import Decimal
from functools import cache
from numbers import Integral, Real
from typing import Any, Generic, Self, TypeVar

import numpy as np

from dpviz.base.arrays import Floats
from dpviz.base.errors import ParameterError
from dpviz.base.packed_strings import PackedStrings
from dpviz.base.text_format import replace_surrogates

P = TypeVar("P")
Check = Callable[[object], Any]
Scalar = str | int | float | bool
_KEY = "dpviz.parameter"
_LONG = 10**15  # written as a power of ten
_MOST = 10**18  # of a whole number without a limit of its own: arrays and floats hold all of these
_NO_NUMBERS = bool, np.timedelta64  # which Python counts among whole numbers


@dataclass(frozen=True)
class Parameter:
    """Declaration of one parameter, for a control, an option or a file."""

    name: str
    label: str
    help: str
    default: Any
    low: float | None
    high: float | None
    above: bool
    below: bool
    integer: bool
    choices: Mapping[str, object] | None
    attribute: str
    keyword: str
    """Its name where a method has that of the field, else ""."""

    @property
    def is_required(self) -> bool:
        return self.default is MISSING

    @property
    def is_flag(self) -> bool:
        """True for a yes or no, which links and files leave out where it is no."""
        return self.default is False

    @property
    def is_optional(self) -> bool:
        """True if None stands for "not given", which links and files leave out."""
        return self.default is None

    def check_value(self, value: object) -> Any:  # None, a plain number or a name
        """The value as a plain number or name; raises `ParameterError` where it is not allowed."""
        if value is None and self.is_optional:
            return None
        if isinstance(self.default, bool):
            return check_flag(self.name, value)
        if self.choices is not None:
            return check_choice(self.name, value, self.choices)
        if isinstance(self.default, str):
            return value  # a text is read by a check of its own
        if getattr(value, "ndim", 0) or isinstance(value, list | tuple):
            allowed = (
                "one number: figures_by_epsilon takes several ε, a Sweep takes designs × ε × k"
            )
            raise ParameterError(self.name, value, allowed)
        if self.integer:
            return check_integer(self.name, value, low=self.low, high=self.high)
        limits = {"low": self.low, "high": self.high, "above": self.above, "below": self.below}
        return check_number(self.name, value, **limits)  # type: ignore[arg-type]


def parameter(
    default: object = MISSING,
    *,
    low: float | None = None,
    high: float | None = None,
    above: bool = False,
    below: bool = False,
    integer: bool = False,
    choices: Mapping[str, object] | None = None,
    label: str,
    help: str = "",
    keyword: str = "",
) -> Any:  # whatever the field is declared to be
    """Dataclass field that carries its declaration, see `Parameter`."""
    declared = {
        "label": label,
        "help": help,
        "low": low,
        "high": high,
        "above": above,
        "below": below,
        "integer": integer,
        "choices": choices,
        "keyword": keyword,
    }
    # a keyword of another name is not the field's own: the class stores what it is given
    return field(default=default, init=not keyword, metadata={_KEY: declared})


def delta_parameter(
    help: str = "It should be below 1 divided by the number of people.", high: float = 1.0
) -> Any:
    """The leeway δ as every mechanism declares it: above 0, a millionth if not said."""
    return open_interval_parameter(1e-6, "δ", help, high)


def open_interval_parameter(default: float, label: str, help: str = "", high: float = 1.0) -> Any:
    """A number above 0 and below `high`."""
    return parameter(default, low=0.0, above=True, high=high, below=True, label=label, help=help)


@cache
def declared_parameters(cls: type) -> tuple[Parameter, ...]:
    """Declared parameters of a dataclass, in order."""
    return tuple(
        Parameter(
            name=f.metadata[_KEY]["keyword"] or f.name,
            attribute=f.name,
            default=f.default,
            **f.metadata[_KEY],
        )
        for f in fields(cls)
        if _KEY in f.metadata
    )


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
        self.declared: dict[str, Parameter] = {p.name: p for p in declared_parameters(cls)}  # type: ignore[arg-type]
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
        return called.check_value(self.checks[name](value) if name in self.checks else value)

    def read_values(
        self, page_values: Mapping[str, Scalar]
    ) -> tuple[dict[str, Any], dict[str, ParameterError]]:
        """Values by name, the default where one is missing or refused; and refusals by name."""
        values, refused = {}, {}
        for name, declared in self.declared.items():
            values[name] = declared.default
            if self.prefix + name in page_values:
                try:
                    values[name] = self.check(name, page_values[self.prefix + name])
                except ParameterError as err:
                    refused[name] = err
        return values, refused

    def read_settings(
        self, page_values: Mapping[str, Scalar]
    ) -> tuple[P, dict[str, ParameterError]]:
        """The same as an instance of `cls`."""
        values, refused = self.read_values(page_values)
        return self.cls(**values), refused


def check_parameters(instance: object) -> None:
    """Validate every declared parameter of a frozen dataclass and store its plain value."""
    declared = declared_parameters(type(instance))  # type: ignore[arg-type]
    checked = {p.attribute: p.check_value(getattr(instance, p.attribute)) for p in declared}
    store_fields(instance, **checked)


def store_fields(instance: object, /, **values: object) -> None:
    """Set fields of a frozen dataclass while it is being made."""
    for name, value in values.items():
        object.__setattr__(instance, name, value)


def check_number(
    name: str,
    value: object,
    *,
    low: float | None = None,
    high: float | None = None,
    above: bool = False,
    below: bool = False,
) -> float:
    """`value` as a finite float within the limits."""
    number = math.nan
    if not isinstance(value, _NO_NUMBERS) and isinstance(value, Real | Decimal):
        with suppress(OverflowError, ValueError):  # no float holds it, or a signalling NaN
            number = float(value)
    inside = (low is None or number > low or (number == low and not above)) and (
        high is None or number < high or (number == high and not below)
    )
    if not math.isfinite(number) or not inside:
        kind = "a finite number" if low is None and high is None else "a number"
        raise ParameterError(name, value, _allowed(kind, low, high, above, below), "range")
    return number


def check_integer(
    name: str, value: object, *, low: float | None = None, high: float | None = None
) -> int:
    """`value` as an int within the limits; 2.0 is refused, numpy's integers are not."""
    if not isinstance(value, _NO_NUMBERS) and isinstance(value, Integral):
        number = int(value)
        if high is None and number > _MOST:
            high = _MOST
        if (low is None or number >= low) and (high is None or number <= high):
            return number
    raise ParameterError(name, value, _allowed("a whole number", low, high), "range")


def check_open_interval(name: str, value: object, high: float = 1.0) -> float:
    """`value` as a float strictly between 0 and `high`."""
    return check_number(name, value, low=0.0, above=True, high=high, below=True)


def check_choice(name: str, value: object, choices: Collection[str]) -> str:
    """`value` if it is one of the names to choose from."""
    if not isinstance(value, str) or value not in choices:
        allowed = ", ".join(choices) or "none at all"
        raise ParameterError(name, value, f"one of {allowed}", "choice")
    return value


def check_flag(name: str, value: object) -> bool:
    """`value` as True or False; numpy's bool is allowed."""
    if not isinstance(value, bool | np.bool_):
        raise ParameterError(name, value, "True or False")
    return bool(value)


def check_several(name: str, values: Any, allowed: str) -> list[Any]:
    """`values` as a list; one thing alone, a text included, is refused."""
    alone = isinstance(values, str | bytes | Mapping) or getattr(values, "ndim", 1) == 0
    if alone or not isinstance(values, Iterable):
        raise ParameterError(name, values, allowed)
    return list(values)


def check_item_indices(
    name: str, items: Iterable[int], item_count: int, allowed: str = "distinct item indices"
) -> list[int]:
    """`items` as distinct indices below `item_count`."""
    given = check_several(name, items, "a list of item indices")
    indices = [check_integer(name, item, low=0, high=item_count - 1) for item in given]
    if len(set(indices)) < len(indices):
        raise ParameterError(name, indices, allowed)
    return indices


def check_numbers(name: str, values: object) -> Floats:
    """`values` as an array of floats of any shape."""
    with suppress(TypeError, ValueError, OverflowError):
        given = np.asarray(values)
        if given.dtype.kind in "biufO":
            return given.astype(float)
    raise ParameterError(name, values, "a number, or an array of numbers")


def refuse_set_or_mask(name: str, values: object) -> None:
    """Refuse a set, whose order varies, and a masked array, whose mask would be lost."""
    if isinstance(values, set | frozenset):
        raise ParameterError(name, values, "a list: a set has no order, and nothing twice")
    if isinstance(values, np.ma.MaskedArray):
        raise ParameterError(
            name, values, "a list without masked entries (`.compressed()` leaves them out)"
        )


def check_labels(labels: object, size: int, noun: str) -> Sequence[str]:
    """`labels` as `size` immutable texts that UTF-8 has; `noun` says in an error what each labels."""
    refuse_set_or_mask("labels", labels)
    if isinstance(labels, PackedStrings):
        texts: Sequence[str] = labels
    else:
        given = list(labels) if isinstance(labels, Mapping) else labels
        texts = check_several("labels", given, f"a list of {size} texts")
    if len(texts) != size:
        raise ParameterError("the number of labels", len(texts), f"{size}, one {noun}")
    if isinstance(texts, PackedStrings):
        return texts
    for i, text in enumerate(texts):
        if not isinstance(text, str):
            raise ParameterError(f"labels[{i}]", text, "a text")
    return tuple(replace_surrogates(str(text)) for text in texts)


def check_generator(rng: object, *, default: int | None = None) -> np.random.Generator:
    """`rng`, or a generator seeded with it; None is refused unless there is a `default`."""
    rng = default if rng is None else rng
    if isinstance(rng, np.random.Generator):
        return rng
    if isinstance(rng, _NO_NUMBERS) or not isinstance(rng, Integral) or rng < 0:
        raise ParameterError(
            "rng", rng, "a numpy.random.Generator, or a seed, a whole number of at least 0"
        )
    return np.random.default_rng(int(rng))


def _allowed(
    kind: str, low: float | None, high: float | None, above: bool = False, below: bool = False
) -> str:
    if low is not None and high is not None:
        if above:
            return (
                f"{kind} above {_plain(low)} and {'below' if below else 'at most'} {_plain(high)}"
            )
        if below:
            return f"{kind} of at least {_plain(low)} and below {_plain(high)}"
        return f"{kind} from {_plain(low)} to {_plain(high)}"
    if low is not None:
        return f"{kind} above {_plain(low)}" if above else f"{kind} of at least {_plain(low)}"
    return f"{kind} of at most {_plain(high)}" if high is not None else kind


def _plain(limit: float) -> str:
    if isinstance(limit, int) and limit >= _LONG:
        return f"10^{math.log10(limit):g}"
    return f"{limit:,.0f}" if limit == int(limit) else f"{limit:g}"
