"""Provenance of a figure, table, print or file: one description for everything that leaves.

Invariants: the date is handed in; data have the name a person gave, never a file's name or scores.
"""

import math
import re
from dataclasses import dataclass
from datetime import date as Date
from typing import Any, NamedTuple

from dpviz.base import ADDED, REPLACED, Parameter, Registry, Scores, declared_parameters
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.design import Design
from dpviz.studies.scenario import Scenario
from dpviz.topk import TOP_K

_SYMBOLS = {"gamma": "γ", "delta": "δ", "epsilon": "ε"}

Pair = tuple[str, str]  # what is set, and to what


class Fact(NamedTuple):
    """A setting and its value; `clear` where the value needs no name."""

    what: str
    value: str
    clear: bool = False


@dataclass(frozen=True, kw_only=True)
class ShownMechanism:
    """A mechanism in place of the designs; `needs_names`: ε holds only for known names."""

    mechanism: str
    settings: tuple[Pair, ...] = ()
    k: int | None = None
    needs_names: bool = True


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """Page, data, ε and k (`release`), mechanism with `settings` (defaults too), and date."""

    page: str
    mechanism: str
    date: Date
    name: str = ""
    data: tuple[Fact, ...] = ()
    release: tuple[Pair, ...] = ()
    settings: tuple[Pair, ...] = ()
    seed: int | None = None
    link: str = ""

    @property
    def _facts(self) -> tuple[Fact, ...]:
        seed = "" if self.seed is None else str(self.seed)
        facts = (
            Fact("Name", self.name, clear=True),
            Fact("Page", self.page, clear=True),
            *self.data,
            *(Fact(*pair) for pair in self.release),
            Fact("Mechanism", self.mechanism, clear=True),
            *(Fact(*pair) for pair in self.settings),
            Fact("Seed", seed),
            Fact("Date", self.date.isoformat(), clear=True),
        )
        return tuple(fact for fact in facts if fact.value)

    @property
    def rows(self) -> tuple[Pair, ...]:
        link = (("Link", self.link),) if self.link else ()
        return (*((fact.what, fact.value) for fact in self._facts), *link)

    @property
    def caption(self) -> str:
        values = (
            fact.value if fact.clear else _equation(fact.what, fact.value) for fact in self._facts
        )
        return " · ".join(["dpviz", *values])

    def file_name(self, content: str = "") -> str:
        """Start of a file's name: page, content, ε, k and mechanism, in portable letters."""
        release = [f"{'epsilon' if name == 'ε' else name} {value}" for name, value in self.release]
        text = " ".join(["dpviz", self.page, content, *release, self.mechanism])
        return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.")[:120]


def build_provenance(
    page: str,
    scenario: Scenario,
    scores: Scores | None,
    *,
    date: Date,
    link: str = "",
    shown_mechanism: ShownMechanism | None = None,
) -> Provenance:
    """Provenance of `shown_mechanism`, or of the scenario's designs; none without `scores`."""
    told = (
        ()
        if scores is None
        else _data(
            scenario.data, scores, mechanisms_needing_known_names(scenario, scores, shown_mechanism)
        )
    )
    budgets = {scenario.epsilon} if shown_mechanism else {m.epsilon for m in scenario.mechanisms}
    budget = ", ".join("none" if one == math.inf else f"{one:.10g}" for one in sorted(budgets))
    if shown_mechanism is None and len(scenario.designs) == 1:
        shown_mechanism = ShownMechanism(
            mechanism=_called(scenario.designs[0], scenario, scores),
            settings=design_settings(scenario.designs[0]),
        )
    elif shown_mechanism is None:
        names = [_called(design, scenario, scores) for design in scenario.designs]
        settings = (
            ", ".join(_equation(*pair) for pair in design_settings(design))
            for design in scenario.designs
        )
        # designs have the letters that charts give them
        letters = (f"{chr(ord('A') + i)}, {name}" for i, name in enumerate(names))
        shown_mechanism = ShownMechanism(
            mechanism=", ".join(names), settings=tuple(zip(letters, settings, strict=True))
        )
    return Provenance(
        page=page,
        mechanism=shown_mechanism.mechanism,
        date=date,
        name=scenario.name,
        data=told,
        release=()
        if scores is None
        else (
            ("ε", budget),
            ("k", f"{shown_mechanism.k or scenario.k}"),
        ),
        settings=shown_mechanism.settings,
        seed=scenario.seed,
        link=link,
    )


def mechanisms_needing_known_names(
    scenario: Scenario, scores: Scores, shown_mechanism: ShownMechanism | None = None
) -> str:
    """Labels of the mechanisms whose ε does not hold on these scores; "" where all hold."""
    if scores.names_known:
        return ""
    if shown_mechanism is not None:
        return shown_mechanism.mechanism if shown_mechanism.needs_names else ""
    needing = (design for design in scenario.designs if TOP_K[design.mechanism].needs_names)
    return ", ".join(dict.fromkeys(_called(design, scenario, scores) for design in needing))


def data_name(spec: DataSpec) -> str:
    """Name that the person or the menu gives the data; uploaded ones have no other."""
    if spec.called:
        return spec.called
    menu: dict[str, Registry[Any]] = {"example": EXAMPLES, "generated": GENERATORS}
    return menu[spec.source].label(spec.name) if spec.source in menu else "Your own scores"


def format_setting(declared_parameter: Parameter, value: Any) -> Pair:
    """A declared parameter and its value, as people read them."""
    choices = declared_parameter.choices
    if choices is not None:
        value = choices.label(value) if isinstance(choices, Registry) else choices[value]
    elif value is True:
        value = "yes"
    elif isinstance(value, float):
        value = f"{value:.10g}"
    return _SYMBOLS.get(declared_parameter.name, declared_parameter.label), str(value)


def _called(design: Design, scenario: Scenario, scores: Scores | None) -> str:
    return design.build(scenario.epsilon, scenario.k).called(
        None if scores is None else scores.contributions
    )


def design_settings(design: Design) -> tuple[Pair, ...]:
    return tuple(
        format_setting(p, design.parameters[p.name])
        for p in design.own_parameters
        if p.name in design.parameters
    )


def _data(spec: DataSpec, scores: Scores, unheld: str) -> tuple[Fact, ...]:
    origin = {"example": " (a made-up example)", "generated": " (generated)"}.get(spec.source, "")
    made: tuple[Fact, ...] = ()
    if spec.source == "generated":
        made = tuple(
            Fact(*format_setting(p, spec.parameters.get(p.name, p.default)))
            for p in declared_parameters(GENERATORS[spec.name])
        )
    most = scores.contributions
    names = "none" + (f", so ε does not hold for {unheld}" if unheld else "")
    return (
        Fact("Data", data_name(spec) + origin, clear=True),
        *made,
        Fact("d", f"{scores.d:,}"),
        Fact("Δ", f"{scores.sensitivity:.10g}"),
        Fact("Neighbours", ADDED if scores.monotonic else REPLACED, clear=True),
        Fact("Unit", spec.unit or ""),
        Fact(
            "One person counts in",
            "any number of items" if most is None else f"at most {most:,} items",
        ),
        Fact("List of all possible items", "" if scores.names_known else names),
    )


def _equation(what: str, value: str) -> str:
    return f"{what} = {value}" if len(what) == 1 else f"{what[0].lower()}{what[1:]}: {value}"
