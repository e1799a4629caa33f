"""Design: one mechanism on the menu with its own parameters, before ε and k are known."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

from dpviz.base import (
    Parameter,
    ParameterError,
    check_choice,
    check_kind,
    check_mechanism,
    declared_parameters,
    store_fields,
)
from dpviz.base.former_names import former_names
from dpviz.topk import TOP_K, TopKMechanism
from dpviz.topk.user_sampler import FromSampler, SamplerMechanism

_SHARED = ("epsilon", "k")  # one for all designs
_OTHER_MENUS = (
    ("dpviz.gaps", "GAPS", "gaps -m"),
    ("dpviz.gaps", "THRESHOLD", "gaps -m"),
    ("dpviz.margin", "TOP_ONE", "margin"),
    ("dpviz.candidates", "CANDIDATES", "candidates --rule"),
)


def _own_parameters(cls: type) -> tuple[Parameter, ...]:
    return tuple(p for p in declared_parameters(cls) if p.name not in _SHARED)


def complete_parameters(owner_name: str, cls: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Every own parameter of `cls` with its checked value or default, but for flags that are off."""
    declared = {p.name: p for p in _own_parameters(cls)}
    for name in values:
        check_choice(f"a parameter of {owner_name}", name, declared)
    checked = {name: p.check_value(values.get(name, p.default)) for name, p in declared.items()}
    return {
        name: value for name, value in checked.items() if value is not None and value is not False
    }


def resolve_top_k_name(text: Any) -> tuple[str, dict[str, Any]]:
    """Name on the menu for any name of the field, and the parameters that it fixes."""
    if not isinstance(text, str):
        check_mechanism(text, TopKMechanism, "a name on the menu, or a mechanism for k items")
    if not TOP_K.knows(text):
        for module, name, command in _OTHER_MENUS:  # slow to import, and for an error alone
            menu = getattr(import_module(module), name)
            if menu.knows(text):
                allowed = (
                    f"one of {', '.join(TOP_K)} ({text} is another kind of choice, see"
                    f" {menu[menu.find(text)[0]].__name__} and dpviz {command})"
                )
                raise ParameterError("mechanism", text, allowed, "choice")
    return TOP_K.find(text)


def _on_the_menu(kind: type[Any], name: str = "") -> str:
    """Name of a class on the menu, which it is put on first if need be."""
    known = next((known for known, entry in TOP_K.items() if entry is kind), None)
    if known is None:
        if not issubclass(kind, TopKMechanism):
            raise ParameterError(
                "mechanism", kind, "a name on the menu, or a subclass of TopKMechanism"
            )
        TOP_K.put(name or kind.__name__, kind, label=name or kind.__name__)
    return known or name or kind.__name__


def _design(name: str, kind: type[Any] | None, parameters: Mapping[str, Any]) -> "Design":
    """Unpickle a design; a class of another process is put on the menu first."""
    return Design(
        mechanism=name if kind is None else _on_the_menu(kind, name), parameters=parameters
    )


def _design_drawn(name: str, sampler: FromSampler, parameters: Mapping[str, Any]) -> "Design":
    return _design(name, sampler.as_class(name), parameters)


@former_names(declared="own_parameters", label_for="label_for_data", text="parameter_text")
@dataclass(frozen=True, kw_only=True)
class Design:
    """One mechanism by name with its own parameters; ε and k come from the scenario.

    Parameters
    ----------
    mechanism
        A name in `TOP_K`, or any name that the field uses, such as "permute-and-flip". Or a
        mechanism, whose ε and k are left out. Or a class of one's own or a `FromSampler`. That is
        put on the menu, in worker processes too, under the name of the class or of the function
        that draws.
    parameters
        The mechanism's own, such as `gamma`; missing ones have their defaults.

    Examples
    --------
    >>> Design(mechanism="canonical").parameters
    {'gamma': 0.5, 'noise': 'gumbel'}
    >>> Design(mechanism="permute-and-flip").label
    'Peeling · exponential'
    """

    mechanism: Any = "canonical"
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_kind("parameters", self.parameters, Mapping, "a mapping of names to values")
        if isinstance(self.mechanism, FromSampler):
            called = getattr(self.mechanism.draw, "__name__", "")
            store_fields(
                self,
                mechanism=self.mechanism.as_class(
                    called if called.isidentifier() else "FromSampler"
                ),
            )
        if isinstance(self.mechanism, TopKMechanism) and not isinstance(
            self.mechanism, SamplerMechanism
        ):
            own = {
                p.name: getattr(self.mechanism, p.attribute)
                for p in _own_parameters(type(self.mechanism))
            }
            store_fields(
                self, mechanism=type(self.mechanism), parameters={**own, **self.parameters}
            )
        if isinstance(self.mechanism, type):
            store_fields(self, mechanism=_on_the_menu(self.mechanism))
        name, fixed = resolve_top_k_name(self.mechanism)
        for at in fixed.keys() & self.parameters.keys():
            check_choice(at, self.parameters[at], [fixed[at]])
        store_fields(
            self,
            mechanism=name,
            parameters=complete_parameters(name, TOP_K[name], {**self.parameters, **fixed}),
        )
        if self.stated_scale == "sigma" and "noise" in self.parameters:
            store_fields(self, parameters={**self.parameters, "noise": "gaussian"})

    @property
    def stated_scale(self) -> str | None:
        """The parameter that states the noise in place of ε; None where ε is free."""
        scales = TOP_K[self.mechanism].noise_scales
        return next((name for name in scales if name in self.parameters), None)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle a class that is not dpviz's own along: other processes lack it on the menu."""
        kind = TOP_K[self.mechanism]
        if issubclass(kind, SamplerMechanism):
            return _design_drawn, (self.mechanism, kind.source, dict(self.parameters))
        return _design, (
            self.mechanism,
            None if kind.__module__.partition(".")[0] == "dpviz" else kind,
            dict(self.parameters),
        )

    def build(self, epsilon: float, k: int) -> TopKMechanism:
        """Build the mechanism.

        Parameters
        ----------
        epsilon
            ε above 0, the total for one release; not used where the noise is stated.
        k
            Number of items that come out.

        Returns
        -------
        TopKMechanism
            The mechanism.
        """
        budget = {} if self.stated_scale else {"epsilon": epsilon}
        return TOP_K[self.mechanism](**budget, k=k, **self.parameters)

    @property
    def own_parameters(self) -> tuple[Parameter, ...]:
        """Own parameters as the mechanism declares them."""
        return _own_parameters(TOP_K[self.mechanism])

    @property
    def parameter_text(self) -> str:
        """Parameters as one text.

        >>> Design(mechanism="canonical").parameter_text
        'gamma=0.5;noise=gumbel'
        """
        return ";".join(f"{name}={value}" for name, value in self.parameters.items())

    @property
    def label(self) -> str:
        """Label of the mechanism with the parameters that differ from their defaults."""
        return self._with_parameters(TOP_K.label(self.mechanism))

    def label_for_data(self, k: int, contributions: int | None) -> str:
        """Label on data where people may count in few items; some mechanisms then have another.

        Parameters
        ----------
        k
            Number of items that come out.
        contributions
            Items that one person can count in at most; None for any number.

        Returns
        -------
        str
            The label.

        Examples
        --------
        >>> Design(mechanism="one_shot", parameters={"noise": "laplace"}).label_for_data(10, 1)
        'Noisy counts · laplace'
        """
        return self._with_parameters(self.build(1.0, k).called(contributions))

    def _with_parameters(self, name: str) -> str:
        changed = []
        for p in self.own_parameters:
            value = self.parameters.get(p.name, p.default)
            if value is True:
                changed.append(p.name.replace("_", " "))
            elif value != p.default:
                called = p.label if len(p.label) == 1 else p.name  # a symbol says it best
                changed.append(
                    f"{called} {value:g}"
                    if isinstance(value, int | float)
                    else str(value).replace("_", "-")
                )
        return " · ".join([name, *changed])


SEARCHED: Final = (
    Design(),
    Design(mechanism="one_shot"),
    Design(mechanism="one_shot", parameters={"noise": "laplace"}),
)
"""Designs of a question that names none: those whose releases need no floating-point noise."""
