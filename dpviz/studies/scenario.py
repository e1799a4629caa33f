"""The scenario: one source of every parameter, from which links, files and the command line speak.

A `Scenario` says where the scores come from, one ε, one k, which designs are looked at, what the page
adds, and the seed of anything drawn. It holds a specification of the data, never the data, except for
uploaded scores, which travel in its JSON and in memory but never in a link.
Invariants: everything is validated when it is made; both codecs give back an equal scenario.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self, get_args

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import Parameter, check_integer, check_number, parameters
from dpviz.base.scores import Scores
from dpviz.data import DEFAULT_EXAMPLE, EXAMPLES, GENERATORS
from dpviz.topk.mechanism import TOP_K, TopKMechanism

__all__ = ["VERSION", "DataSpec", "Design", "Scenario"]

VERSION = 1
_SHARED = ("epsilon", "k")  # one for all designs
_LATER = ("contributions", "items_known")  # written only where they are said: what was stored before stays as it is
_LARGEST_SEED = 2**32 - 1
_MOST_DESIGNS = 12

Source = Literal["example", "generated", "uploaded"]
Scalar = str | int | float | bool


def _own_parameters(cls: type) -> tuple[Parameter, ...]:
    return tuple(p for p in parameters(cls) if p.name not in _SHARED)


def _filled(what: str, cls: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Every own parameter of `cls` with its checked value, defaults put in."""
    declared = {p.name: p for p in _own_parameters(cls)}
    for name in given:
        if name not in declared:
            raise ParameterError(f"a parameter of {what}", name, "one of " + (", ".join(declared) or "none at all"))
    return {name: p.check(given.get(name, p.default)) for name, p in declared.items()}


@dataclass(frozen=True, kw_only=True)
class DataSpec:
    """Where the scores come from, without holding them.

    `source` is "example" (a name in `EXAMPLES`), "generated" (a name in `GENERATORS` with its
    `parameters`) or "uploaded". `sensitivity` and `monotonic` of None mean those of the example, or
    Δ = 1 and monotonic for generated counts; Δ = 1 and not monotonic for uploaded scores, which holds for counts
    too. `contributions` is how many items one person can count in at most (None: any number), `items_known`
    whether the list of items was known before the data were (None: not said).
    """

    source: Source = "example"
    name: str = DEFAULT_EXAMPLE
    parameters: Mapping[str, Any] = field(default_factory=dict)
    sensitivity: float | None = None
    monotonic: bool | None = None
    contributions: int | None = None
    items_known: bool | None = None

    def __post_init__(self) -> None:
        if self.source not in get_args(Source):
            raise ParameterError("source", self.source, "one of " + ", ".join(get_args(Source)))
        filled: dict[str, Any] = {}
        sensitivity, monotonic = 1.0, True
        if self.source == "generated":
            filled = _filled(self.name, GENERATORS[self.name], self.parameters)
        elif self.source == "example":
            sensitivity, monotonic = EXAMPLES[self.name].sensitivity, EXAMPLES[self.name].monotonic
        else:
            monotonic = False
            object.__setattr__(self, "name", "")  # a file's name is nobody else's business
        if self.sensitivity is not None:
            sensitivity = check_number("sensitivity", self.sensitivity, low=0.0, above=True)
        if self.monotonic is not None:
            if not isinstance(self.monotonic, bool):
                raise ParameterError("monotonic", self.monotonic, "True or False")
            monotonic = self.monotonic
        if self.contributions is not None:
            object.__setattr__(self, "contributions", check_integer("contributions", self.contributions, low=1))
        if self.items_known is not None and not isinstance(self.items_known, bool):
            raise ParameterError("items_known", self.items_known, "True or False")
        object.__setattr__(self, "parameters", filled)
        object.__setattr__(self, "sensitivity", sensitivity)
        object.__setattr__(self, "monotonic", monotonic)

    def scores(self) -> Scores:
        """The scores of an example or a generator."""
        declared: dict[str, Any] = {"sensitivity": self.sensitivity, "monotonic": self.monotonic}
        if self.source == "example":
            return replace(EXAMPLES[self.name].scores(**declared), contributions=self.contributions)
        if self.source == "generated":
            made = GENERATORS[self.name](**self.parameters).scores(**declared)
            return replace(made, contributions=self.contributions)
        raise ParameterError("data", "uploaded", "loaded again: a link never holds scores")


@dataclass(frozen=True, kw_only=True)
class Design:
    """One mechanism of `TOP_K` by name, with its own parameters; ε and k come from the scenario.

    >>> Design(mechanism="canonical").parameters
    {'gamma': 0.5, 'noise': 'gumbel'}
    """

    mechanism: str = "canonical"
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        filled = _filled(self.mechanism, TOP_K[self.mechanism], self.parameters)
        object.__setattr__(self, "parameters", filled)

    def build(self, epsilon: float, k: int) -> TopKMechanism:
        """The mechanism at this ε and k."""
        return TOP_K[self.mechanism](epsilon=epsilon, k=k, **self.parameters)

    @property
    def text(self) -> str:
        """The parameters as one text.

        >>> Design(mechanism="canonical").text
        'gamma=0.5;noise=gumbel'
        """
        return ";".join(f"{name}={value}" for name, value in self.parameters.items())

    @property
    def label(self) -> str:
        """The mechanism's label with the parameters that differ from their defaults."""
        return self._with_parameters(TOP_K.label(self.mechanism))

    def label_for(self, k: int, contributions: int | None) -> str:
        """The label where one person counts in at most so many items, which some mechanisms have another name for.

        >>> Design(mechanism="one_shot", parameters={"noise": "laplace"}).label_for(10, 1)
        'Noisy counts · laplace'
        """
        return self._with_parameters(self.build(1.0, k).called(contributions))

    def _with_parameters(self, name: str) -> str:
        changed = []
        for p in _own_parameters(TOP_K[self.mechanism]):
            value = self.parameters[p.name]
            if value != p.default:
                changed.append(f"{p.name} {value:g}" if isinstance(value, float) else str(value).replace("_", "-"))
        return " · ".join([name, *changed])


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """Everything that a page, a link, a file or a command needs to say the same figures again.

    >>> scenario = Scenario(epsilon=2.0, k=3)
    >>> Scenario.from_query(scenario.to_query()) == scenario
    True
    >>> scenario.mechanisms[0].key
    "canonical(epsilon=2.0,gamma=0.5,k=3,noise='gumbel')"
    """

    data: DataSpec = field(default_factory=DataSpec)
    epsilon: float = 1.0
    k: int = 10
    designs: tuple[Design, ...] = (Design(),)
    page: Mapping[str, Scalar] = field(default_factory=dict)
    seed: int = 0
    scores: Scores | None = None

    def __post_init__(self) -> None:
        mechanism = {p.name: p for p in parameters(TopKMechanism)}
        object.__setattr__(self, "epsilon", mechanism["epsilon"].check(self.epsilon))
        object.__setattr__(self, "k", mechanism["k"].check(self.k))
        object.__setattr__(self, "seed", check_integer("seed", self.seed, low=0, high=_LARGEST_SEED))
        object.__setattr__(self, "designs", tuple(self.designs))
        object.__setattr__(self, "page", {str(name): _scalar(name, value) for name, value in self.page.items()})
        if not 1 <= len(self.designs) <= _MOST_DESIGNS:
            raise ParameterError("the number of designs", len(self.designs), f"from 1 to {_MOST_DESIGNS}")
        if self.scores is not None and self.data.source != "uploaded":
            raise ParameterError("scores", self.scores, "left out unless the data are uploaded")

    @property
    def mechanisms(self) -> tuple[TopKMechanism, ...]:
        """The designs at this ε and k."""
        return tuple(design.build(self.epsilon, self.k) for design in self.designs)

    @property
    def needs_data(self) -> bool:
        """Whether the scores have still to be uploaded: a link never holds them."""
        return self.data.source == "uploaded" and self.scores is None

    def load(self) -> Scores:
        """The scores that this scenario is about."""
        return self.data.scores() if self.scores is None else self.scores

    def replace(self, **changes: Any) -> Self:
        """The same scenario with some parts changed."""
        return replace(self, **changes)

    def to_query(self) -> dict[str, str]:
        """As the parameters of a link; uploaded scores are left out."""
        query = {"v": str(VERSION), "epsilon": repr(self.epsilon), "k": str(self.k), "seed": str(self.seed)}
        query["data"] = self.data.source if self.data.source == "uploaded" else f"{self.data.source}:{self.data.name}"
        query["sensitivity"] = repr(self.data.sensitivity)
        query["monotonic"] = _written(self.data.monotonic)
        query |= {name: _written(value) for name, value in _said(self.data).items()}
        query |= {f"data.{name}": _written(value) for name, value in self.data.parameters.items()}
        for number, design in enumerate(self.designs, 1):
            written = [f"{name}={_written(value)}" for name, value in design.parameters.items()]
            query[f"m{number}"] = ";".join([design.mechanism, *written])
        query |= {f"page.{name}": _written(value) for name, value in self.page.items()}
        return query

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """From the parameters of a link; what is not there has its default, what is unknown is left.

        Raises `ParameterError` where a value is not allowed.
        """
        _check_version(_read(query.get("v", str(VERSION))))
        given: dict[str, Any] = {name: _read(query[name]) for name in ("epsilon", "k", "seed") if name in query}
        source, _, name = query.get("data", f"example:{DEFAULT_EXAMPLE}").partition(":")
        spec: dict[str, Any] = {n: _read(query[n]) for n in ("sensitivity", "monotonic", *_LATER) if n in query}
        spec["parameters"] = {n[5:]: _read(v) for n, v in query.items() if n.startswith("data.")}
        given["data"] = DataSpec(source=source, name=name or DEFAULT_EXAMPLE, **spec)  # type: ignore[arg-type]
        numbers = sorted(int(n[1:]) for n in query if n[:1] == "m" and n[1:].isascii() and n[1:].isdigit())
        if numbers:
            given["designs"] = tuple(_read_design(query[f"m{number}"]) for number in numbers)
        given["page"] = {n[5:]: _read(v) for n, v in query.items() if n.startswith("page.")}
        return cls(**given)

    def to_json(self) -> str:
        """As a file, with uploaded scores in it."""
        content: dict[str, Any] = {
            "dpviz": "scenario",
            "version": VERSION,
            "data": {f.name: getattr(self.data, f.name) for f in fields(DataSpec) if f.name not in _LATER}
            | _said(self.data),
            "epsilon": self.epsilon,
            "k": self.k,
            "designs": [{"mechanism": d.mechanism, "parameters": dict(d.parameters)} for d in self.designs],
            "page": dict(self.page),
            "seed": self.seed,
        }
        if self.scores is not None:
            labels = None if self.scores.labels is None else list(self.scores.labels)
            content["scores"] = {"values": self.scores.values.tolist(), "labels": labels}
        return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """From a file made by `to_json`. Raises `ParameterError` with one sentence where it is not one."""
        content = _parsed(text)
        _check_version(content.pop("version"))
        data = DataSpec(**_keywords("data", content.get("data", {}), DataSpec))
        designs = content.get("designs", [{}])
        if not isinstance(designs, list):
            raise ParameterError("designs", designs, "a list")
        content |= {"data": data, "designs": tuple(Design(**_keywords("designs", d, Design)) for d in designs)}
        if content.get("scores") is not None:
            given = _keywords("scores", content["scores"], Scores)
            person = {n: getattr(data, n) for n in ("sensitivity", "monotonic", "contributions")}
            content["scores"] = Scores(**{**given, **person})
        if not isinstance(content.get("page", {}), dict):
            raise ParameterError("page", content["page"], "an object of names and values")
        return cls(**_keywords("the scenario", content, cls))


def _said(data: DataSpec) -> dict[str, Any]:
    return {name: getattr(data, name) for name in _LATER if getattr(data, name) is not None}


def _parsed(text: str | bytes) -> dict[str, Any]:
    allowed = "a scenario saved by dpviz (JSON)"
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as err:
        raise ParameterError("the file", "text that is not JSON", allowed) from err
    if not isinstance(content, dict) or content.pop("dpviz", None) != "scenario" or "version" not in content:
        raise ParameterError("the file", "JSON of another kind", allowed)
    return content


def _keywords(what: str, content: object, cls: type) -> dict[str, Any]:
    known = {f.name for f in fields(cls)}
    if not isinstance(content, dict):
        raise ParameterError(what, content, "an object of names and values")
    for name in content:
        if name not in known:
            raise ParameterError(f"an entry of {what}", name, "one of " + ", ".join(sorted(known)))
    if isinstance(content.get("parameters", {}), dict):
        return content
    raise ParameterError(f"the parameters of {what}", content["parameters"], "an object of names and values")


def _check_version(version: object) -> None:
    if version != VERSION or isinstance(version, bool):
        raise ParameterError("the version of the scenario", version, f"{VERSION}")


def _scalar(name: str, value: object) -> Scalar:
    if isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise ParameterError(f"page.{name}", value, "a text, a finite number, True or False")


def _written(value: object) -> str:
    """A scalar for a link: texts bare, unless they would be read as something else."""
    if isinstance(value, str):
        return value if _read(value) == value else json.dumps(value)
    return json.dumps(value)


def _read(text: str) -> Any:
    """A scalar from a link: JSON where it is a JSON scalar, else the text itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, dict | list) or value is None else value


def _read_design(text: str) -> Design:
    mechanism, *written = text.split(";")
    pairs = dict(item.partition("=")[::2] for item in written)
    return Design(mechanism=mechanism, parameters={name: _read(value) for name, value in pairs.items()})
