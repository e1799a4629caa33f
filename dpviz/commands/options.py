"""Options declared once, as parameters of registry entries, and read back; and shared options.

An entry is named with its own values, `canonical:gamma=0.3,noise=laplace`.
"""

import argparse
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.base import Parameter, ParameterError, Registry, check_integer, declared_parameters


def flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def refuse_given_options(holder: object, names: Iterable[str], condition: str) -> None:
    """Raise for a given option that must be left out; `condition` completes the sentence."""
    for name in names:
        if (value := getattr(holder, name)) is not None:
            raise ParameterError(flag(name), value, f"left out {condition}", "needless")


class Option:
    def __init__(self, *names: str, **settings: Any) -> None:
        self.names, self.settings = names, settings

    def __call__(self, parser: argparse._ActionsContainer) -> None:
        parser.add_argument(*self.names, **self.settings)

    @property
    def dest(self) -> str:
        return self.names[0].removeprefix("--").replace("-", "_")


class OptionGroup:
    """Options below a title."""

    def __init__(self, title: str, *options: Option) -> None:
        self.title, self.options = title, options

    def __call__(self, parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
        group = parser.add_argument_group(self.title)
        for option in self.options:
            option(group)
        return group


def parse_share(text: str) -> float:
    """Number, or per cent; argparse explains other errors.

    >>> parse_share("0.95"), parse_share("95%")
    (0.95, 0.95)
    """
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def workers_option(note_on_one: str = "") -> Option:
    """Option for the number of processes; `note_on_one` explains the value 1."""
    return Option(
        "-j",
        "--workers",
        type=int,
        metavar="N",
        help=f"the number of processes (default: one per core{note_on_one})",
    )


def worker_count(args: argparse.Namespace) -> int:
    """Number of processes, by default that of the cores."""
    return (
        os.cpu_count() or 1
        if args.workers is None
        else check_integer("workers", args.workers, low=1, high=1024)
    )


def parse_parameter(declared_parameter: Parameter, text: str) -> Any:
    """Text of an option as the parameter's value, checked.

    >>> from dpviz.topk.mechanism import TopKMechanism
    >>> epsilon, k = declared_parameters(TopKMechanism)
    >>> parse_parameter(epsilon, "0.5"), parse_parameter(k, "10")
    (0.5, 10)
    """
    if declared_parameter.is_flag:
        return declared_parameter.check_value(
            {"true": True, "false": False}.get(text.lower(), text)
        )
    if declared_parameter.choices is not None:
        return declared_parameter.check_value(text)
    try:
        number: float = int(text) if declared_parameter.integer else float(text)
    except ValueError:
        return declared_parameter.check_value(text)  # which says what is allowed
    return declared_parameter.check_value(number)


def entry_parameters(entry: type, shared_names: Sequence[str]) -> dict[str, Parameter]:
    return {p.name: p for p in declared_parameters(entry) if p.name not in shared_names}


@dataclass(frozen=True)
class ParameterOptions:
    """An option for every parameter that any entry of the registry has of its own."""

    title: str
    registry: Registry[Any]
    prefix: str = ""
    shared: Sequence[str] = ()

    def __call__(self, parser: argparse.ArgumentParser) -> None:
        group, what = parser.add_argument_group(self.title), self.registry.what
        # one text where all owners say the same, else a text for each
        texts: dict[str, dict[tuple[str, str, str], list[str]]] = {}
        for entry in self.registry:
            for name, own in entry_parameters(self.registry[entry], self.shared).items():
                said = own.label, parameter_help(own), _says(own)
                texts.setdefault(name, {}).setdefault(said, []).append(entry)
        for name, groups in texts.items():
            told = (
                f"{label}: {allowed}. For {', '.join(owners)}. {says}".rstrip()
                for (label, allowed, says), owners in groups.items()
            )
            settings: dict[str, Any] = {
                "dest": f"{what}.{name}",
                "metavar": "VALUE",
                "help": " ".join(told).replace("%", "%%"),
            }
            option = name.replace("_", "-")
            try:
                group.add_argument(f"--{self.prefix}{option}", **settings)
            except argparse.ArgumentError:  # a command has that name for something of its own
                group.add_argument(f"--{what}-{option}", **settings)


def given_option_values(args: argparse.Namespace, registry: Registry[Any]) -> dict[str, str]:
    """Given values of the options of `ParameterOptions`."""
    start = f"{registry.what}."
    return {
        n[len(start) :]: v for n, v in vars(args).items() if n.startswith(start) and v is not None
    }


def registry_menu(registry: Registry[Any]) -> str:
    return " ".join(
        " ".join(filter(None, (f"{name}: {registry.says(name)}", registry.field_names_text(name))))
        for name in registry
    )


def _says(declared: Parameter) -> str:
    return (
        registry_menu(declared.choices) if isinstance(declared.choices, Registry) else declared.help
    )


def parameter_help(declared_parameter: Parameter) -> str:
    """Allowed values, and the default."""
    if declared_parameter.is_flag:
        return "true or false"
    if declared_parameter.choices is not None:
        allowed = "one of " + ", ".join(declared_parameter.choices)
    else:
        kind = "a whole number" if declared_parameter.integer else "a number"
        low = (
            ""
            if declared_parameter.low is None
            else f" {'above' if declared_parameter.above else 'from'} {declared_parameter.low:,.12g}"
        )
        upto = " and below" if declared_parameter.below else " up to"
        high = "" if declared_parameter.high is None else f"{upto} {declared_parameter.high:,.12g}"
        allowed = kind + low + high
    return (
        allowed
        if declared_parameter.is_required or declared_parameter.is_optional
        else f"{allowed} (default {declared_parameter.default})"
    )


def parse_entry(
    text: str,
    registry: Registry[Any],
    option_values: Mapping[str, str],
    *,
    shared_names: Sequence[str] = (),
) -> tuple[str, dict[str, Any]]:
    """Parse `name` or `name:parameter=value,…`; its own values go before those of the options.

    >>> from dpviz.topk.mechanism import TOP_K
    >>> parse_entry("canonical:gamma=0", TOP_K, {"noise": "laplace"}, shared_names=("epsilon", "k"))
    ('canonical', {'noise': 'laplace', 'gamma': 0.0})
    >>> parse_entry("permute-and-flip", TOP_K, {}, shared_names=("epsilon", "k"))
    ('peeling', {'noise': 'exponential'})
    """
    called, colon, rest = text.partition(":")
    name, fixed = registry.find(called)
    declared = entry_parameters(registry[name], shared_names)
    texts = {n: v for n, v in option_values.items() if n in declared}
    texts |= {n: str(v) for n, v in fixed.items() if n in declared}
    for part in rest.split(",") if colon else ():
        parameter, equals, value = (piece.strip() for piece in part.partition("="))
        if parameter not in declared or not equals:
            allowed = (
                "one of " + (", ".join(declared) or "none at all") + ", each with = and its value"
            )
            raise ParameterError(f"a parameter of {name}", part, allowed)
        if parameter in fixed and parse_parameter(declared[parameter], value) != fixed[parameter]:
            allowed = f"{fixed[parameter]} for {called}, else named {name}"
            raise ParameterError(parameter, value, allowed, "choice")
        texts[parameter] = value
    return name, {n: parse_parameter(declared[n], value) for n, value in texts.items()}


def refuse_unused_options(
    names: Sequence[str], registry: Registry[Any], option_values: Mapping[str, str]
) -> None:
    """Raise for an option that none of the named entries uses."""
    for parameter in option_values:
        if not any(parameter in entry_parameters(registry[name], ()) for name in names):
            allowed = f"left out for {', '.join(dict.fromkeys(names))}"
            raise ParameterError(flag(parameter), option_values[parameter], allowed, "needless")
