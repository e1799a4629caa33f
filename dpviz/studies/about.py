"""What a figure, a table, a print or a file shows, said on the thing itself: one description for all that leaves.

Invariants: pure, the date is handed in; data are called as the person called them, an uploaded file's own name and the
scores appear nowhere; settings are told even where they are the defaults.
"""

import re
from dataclasses import dataclass
from datetime import date as Date
from typing import Any

from dpviz.base.parameters import Parameter, parameters
from dpviz.base.registry import Registry
from dpviz.base.scores import ADDED, REPLACED, Scores
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.studies.scenario import DataSpec, Design, Scenario

__all__ = ["About", "Pair", "Shown", "about", "data_name", "own_settings", "setting"]

_SHARED = {"epsilon", "k"}
_SYMBOLS = {"gamma": "γ", "delta": "δ", "epsilon": "ε"}

Pair = tuple[str, str]  # what is set, and to what


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What a page shows where it is not the scenario's designs: the mechanism, what it is set to, and its own k."""

    mechanism: str
    settings: tuple[Pair, ...] = ()
    k: int | None = None


@dataclass(frozen=True, kw_only=True)
class About:
    """What is shown: `release` (ε and k), `mechanism` with its `settings`, `data`, and when, as pairs in order."""

    page: str
    mechanism: str
    date: Date
    name: str = ""
    data: tuple[Pair, ...] = ()
    release: tuple[Pair, ...] = ()
    settings: tuple[Pair, ...] = ()
    seed: int | None = None
    link: str = ""

    @property
    def rows(self) -> tuple[Pair, ...]:
        """Everything, a pair for each line."""
        seed = () if self.seed is None else (("Seed", str(self.seed)),)
        given = (("Name", self.name), ("Page", self.page), *self.data, *self.release, ("Mechanism", self.mechanism))
        rows = (*given, *self.settings, *seed, ("Date", self.date.isoformat()), ("Link", self.link))
        return tuple((what, value) for what, value in rows if value)

    @property
    def line(self) -> str:
        """Everything but the link in one line, for a caption."""
        bare = {"Name", "Page", "Data", "Neighbours", "Mechanism", "Date"}
        told = [value if what in bare else _equation(what, value) for what, value in self.rows if what != "Link"]
        return " · ".join(["dpviz", *told])

    def file_name(self, what: str = "") -> str:
        """The start of a file's name: page, what it holds, ε, k and mechanism, in letters that every system takes."""
        release = [f"{'epsilon' if name == 'ε' else name} {value}" for name, value in self.release]
        text = " ".join(["dpviz", self.page, what, *release, self.mechanism])
        return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.")[:120]


def about(
    page: str,
    scenario: Scenario,
    scores: Scores | None,
    *,
    date: Date,
    link: str = "",
    shown: Shown | None = None,
) -> About:
    """What a page shows: `shown`, or the scenario's designs at its ε and k. Without `scores` they are not told.

    >>> from dpviz.data import EXAMPLES
    >>> told = about("Explore", Scenario(), EXAMPLES["help_line"].scores(), date=Date(2026, 11, 22))
    >>> print(told.line[:103])
    dpviz · Explore · City help line (an example, made up) · d = 60 · Δ = 1 · one person added or removed ·
    >>> told.file_name("scores")
    'dpviz-explore-scores-epsilon-1-k-10-canonical'
    """
    if shown is None and len(scenario.designs) == 1:
        shown = Shown(
            mechanism=_called(scenario.designs[0], scenario, scores), settings=own_settings(scenario.designs[0])
        )
    elif shown is None:
        names = [_called(design, scenario, scores) for design in scenario.designs]
        own = (", ".join(_equation(*pair) for pair in own_settings(design)) for design in scenario.designs)
        letters = (f"{chr(ord('A') + i)}, {name}" for i, name in enumerate(names))  # as the charts call them
        shown = Shown(mechanism=", ".join(names), settings=tuple(zip(letters, own, strict=True)))
    return About(
        page=page,
        mechanism=shown.mechanism,
        date=date,
        name=scenario.name,
        data=() if scores is None else _data(scenario.data, scores),
        release=() if scores is None else (("ε", f"{scenario.epsilon:.10g}"), ("k", f"{shown.k or scenario.k}")),
        settings=shown.settings,
        seed=scenario.seed,
        link=link,
    )


def data_name(spec: DataSpec) -> str:
    """What the data are called: by the person, else by the menu; uploaded ones have no other name."""
    if spec.called:
        return spec.called
    menu: dict[str, Registry[Any]] = {"example": EXAMPLES, "generated": GENERATORS}
    return menu[spec.source].label(spec.name) if spec.source in menu else "Your own scores"


def setting(declared: Parameter, value: Any) -> Pair:
    """A declared parameter with its value, as a person reads them."""
    choices = declared.choices
    if choices is not None:
        value = choices.label(value) if isinstance(choices, Registry) else choices[value]
    elif isinstance(value, float):
        value = f"{value:.10g}"
    return _SYMBOLS.get(declared.name, declared.label), str(value)


def _called(design: Design, scenario: Scenario, scores: Scores | None) -> str:
    return design.build(scenario.epsilon, scenario.k).called(None if scores is None else scores.contributions)


def own_settings(design: Design) -> tuple[Pair, ...]:
    """What a design sets beside ε and k."""
    mechanism = type(design.build(1.0, 1))
    return tuple(setting(p, design.parameters[p.name]) for p in parameters(mechanism) if p.name not in _SHARED)


def _data(spec: DataSpec, scores: Scores) -> tuple[Pair, ...]:
    origin = {"example": " (an example, made up)", "generated": " (generated)"}.get(spec.source, "")
    made: tuple[Pair, ...] = ()
    if spec.source == "generated":
        made = tuple(setting(p, spec.parameters[p.name]) for p in parameters(GENERATORS[spec.name]))
    most = scores.contributions
    return (
        ("Data", data_name(spec) + origin),
        *made,
        ("d", f"{scores.d:,}"),
        ("Δ", f"{scores.sensitivity:.10g}"),
        ("Neighbours", ADDED if scores.monotonic else REPLACED),
        ("Unit", spec.unit or ""),
        ("One person counts in", "any number of items" if most is None else f"at most {most:,} items"),
    )


def _equation(what: str, value: str) -> str:
    return f"{what} = {value}" if len(what) == 1 else f"{what[0].lower()}{what[1:]}: {value}"
