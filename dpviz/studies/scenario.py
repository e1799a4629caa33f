"""Scenario: the one source of every parameter, for links, files and the command line.

Invariants: both codecs give back an equal scenario, but no link holds scores;
`parse_scalar(_written(value)) == value`; an error in a file is told in one sentence.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self

from dpviz.base import (
    ParameterError,
    Progress,
    Scalar,
    Scores,
    cached_property,
    check_choice,
    check_integer,
    check_kind,
    check_number,
    check_several,
    check_text,
    declared_parameters,
    fold_to_line,
    ignore_progress,
    replace_surrogates,
    store_fields,
)
from dpviz.base.former_names import former_names
from dpviz.base.packed_strings import pack_if_many
from dpviz.data import DEFAULT_EXAMPLE
from dpviz.data.reading.input_rules import MAX_ITEMS, MAX_LABEL
from dpviz.studies.data_spec import LATER, DataSpec
from dpviz.studies.design import SEARCHED, Design
from dpviz.studies.scores_json import scores_json_pieces
from dpviz.topk import TopKMechanism

VERSION = 1
LARGEST_SEED = 2**32 - 1
GOAL = "decide.goal"
"""Page parameter that says a question was asked: how good a list must be."""
_MOST_DESIGNS = 12
_DESIGNS = "a list of designs"

_DESIGN = re.compile("m[1-9][0-9]?", re.ASCII)
_LONGEST = 2_000  # characters of a page's own parameter
_LONGEST_NAME = 60
_WHOLE = 2**63
_LEAST_EPSILON = 1e-100  # noise of any ε below would pass what a float holds


@former_names(to_circulate="shareable_copy")
@dataclass(frozen=True, kw_only=True)
class Scenario:
    """All parameters of a page, link, file or command, so that each says the same figures.

    Parameters
    ----------
    data
        Data specification: where scores come from and what one person can change of them.
    epsilon
        ε above 0, the total for one release of the designs that do not state their noise.
    k
        Number of items that come out.
    designs
        Mechanisms.
    page
        Page parameters by name.
    seed
        Seed of anything drawn.
    scores
        Uploaded scores, which are in files and in memory but never in a link; else None. They say
        what one person can change, and `data` says the same.
    name
        Name of what is published.

    Raises
    ------
    ParameterError
        For a value that is not allowed.

    Examples
    --------
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
    name: str = ""

    def __post_init__(self) -> None:
        mechanism = {p.name: p for p in declared_parameters(TopKMechanism)}
        designs = check_several("designs", self.designs, _DESIGNS)
        page = check_kind("page", self.page, Mapping, "a mapping of names to values")
        store_fields(
            self,
            epsilon=check_number(
                "epsilon", mechanism["epsilon"].check_value(self.epsilon), low=_LEAST_EPSILON
            ),
            k=mechanism["k"].check_value(check_integer("k", self.k, low=1, high=MAX_ITEMS)),
            seed=check_integer("seed", self.seed, low=0, high=LARGEST_SEED),
            name=check_text("name", self.name),
            designs=tuple(check_kind("designs", one, Design, _DESIGNS) for one in designs),
            page={str(name): _scalar(str(name), value) for name, value in page.items()},
        )
        if not 1 <= len(self.designs) <= _MOST_DESIGNS:
            raise ParameterError(
                "the number of designs", len(self.designs), f"from 1 to {_MOST_DESIGNS}"
            )
        self.mechanisms  # noqa: B018 - refuses parameters that do not go with this k
        if self.scores is not None and self.data.source != "uploaded":
            raise ParameterError("scores", self.scores, "left out unless the data are uploaded")
        if self.scores is not None and not self.data.agrees_with(self.scores):
            store_fields(self, data=self.data.with_own_scores(self.scores))

    def __getstate__(self) -> dict[str, Any]:
        # designs pickle a class of one's own along, mechanisms do not
        return {name: held for name, held in vars(self).items() if name != "mechanisms"}

    @cached_property
    def mechanisms(self) -> tuple[TopKMechanism, ...]:
        """The designs at this ε and k."""
        return tuple(design.build(self.epsilon, self.k) for design in self.designs)

    @property
    def slider_value(self) -> float:
        """The figure that a slider moves: ε, or the scale of the first design's stated noise."""
        return self.mechanisms[0].setting

    def with_slider_value(self, value: float) -> Self:
        """The scenario with another ε, or another scale of the first design's stated noise."""
        first = self.designs[0]
        if first.stated_scale is None:
            return self.replace(epsilon=value)
        moved = replace(first, parameters={**first.parameters, first.stated_scale: value})
        return self.replace(designs=(moved, *self.designs[1:]))

    @property
    def needs_data(self) -> bool:
        """True if scores have still to be uploaded: a link never holds them."""
        return self.data.source == "uploaded" and self.scores is None

    def load(self) -> Scores:
        """Scores of this scenario."""
        return self.data.scores() if self.scores is None else self.scores

    def shareable_copy(self) -> Self:
        """A copy without uploaded scores and seed; it has their number if names were known."""
        return (
            self.replace(seed=0)
            if self.scores is None
            else self.replace(data=replace(self.data, d=self.scores.d), scores=None, seed=0)
        )

    def replace(self, **changes: Any) -> Self:
        """The scenario with some fields changed."""
        return replace(self, **changes)

    def to_query(self) -> dict[str, str]:
        """Parameters of a link; uploaded scores are left out."""
        query = {
            "v": str(VERSION),
            "epsilon": repr(self.epsilon),
            "k": str(self.k),
            "seed": str(self.seed),
        }
        if self.name:
            query["name"] = _written(self.name)
        query |= {
            "data": self.data.source
            if self.data.source == "uploaded"
            else f"{self.data.source}:{self.data.name}",
            "sensitivity": repr(self.data.sensitivity),
            "monotonic": _written(self.data.monotonic),
        }
        query |= {name: _written(value) for name, value in _said(self.data).items()}
        query |= {f"data.{name}": _written(value) for name, value in self.data.parameters.items()}
        for number, design in enumerate(self.designs, 1):
            query[f"m{number}"] = ";".join(
                [
                    design.mechanism,
                    *[f"{name}={_written(value)}" for name, value in design.parameters.items()],
                ]
            )
        query |= {f"page.{name}": _written(value) for name, value in self.page.items()}
        return query

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Read the parameters of a link; missing ones have defaults, unknown ones are ignored.

        Raises `ParameterError` where a value is not allowed.
        """
        _check_version(parse_scalar(query.get("v", str(VERSION))))
        given: dict[str, Any] = {
            name: parse_scalar(query[name])
            for name in ("epsilon", "k", "seed", "name")
            if name in query
        }
        source, _, name = query.get("data", f"example:{DEFAULT_EXAMPLE}").partition(":")
        spec: dict[str, Any] = {
            n: parse_scalar(query[n]) for n in ("sensitivity", "monotonic", *LATER) if n in query
        }
        spec["parameters"] = {
            n[5:]: parse_scalar(v) for n, v in query.items() if n.startswith("data.")
        }
        given["data"] = DataSpec(source=source, name=name or DEFAULT_EXAMPLE, **spec)  # type: ignore[arg-type]
        numbered = sorted(
            (name for name in query if _DESIGN.fullmatch(name)), key=lambda name: int(name[1:])
        )
        given["page"] = {n[5:]: parse_scalar(v) for n, v in query.items() if n.startswith("page.")}
        given["designs"] = tuple(_read_design(query[name]) for name in numbered) or _unnamed(
            given["page"]
        )
        return cls(**given)

    def to_json(self) -> str:
        """Text of a scenario file, with uploaded scores in it."""
        return "".join(self.json_pieces())

    def json_pieces(self, progress: Progress = ignore_progress) -> Iterator[str]:
        """Text of `to_json` in pieces, which need little memory."""
        content: dict[str, Any] = {
            "dpviz": "scenario",
            "version": VERSION,
            "data": {
                f.name: getattr(self.data, f.name) for f in fields(DataSpec) if f.name not in LATER
            }
            | _said(self.data),
            "epsilon": self.epsilon,
            "k": self.k,
            "designs": [
                {"mechanism": d.mechanism, "parameters": dict(d.parameters)} for d in self.designs
            ],
            "page": dict(self.page),
            "seed": self.seed,
        }
        if self.name:
            content["name"] = self.name
        text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
        if self.scores is None:
            yield text
        else:
            yield f"{text[:-2]},\n"
            yield from scores_json_pieces(self.scores, progress)
            yield "\n}"

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read a file made by `to_json`; raises `ParameterError` for any other."""
        content = _parsed(text)
        _check_version(content.pop("version"))
        data = DataSpec(**_keywords("data", content.get("data", {}), DataSpec))
        page = content.get("page", {})
        if not isinstance(page, dict):
            raise ParameterError("page", page, "an object of names and values")
        designs = content.get("designs", _unnamed(page))
        if "designs" in content:
            if not isinstance(designs, list):
                raise ParameterError("designs", designs, "a list")
            designs = tuple(Design(**_keywords("designs", d, Design)) for d in designs)
        content |= {"data": data, "designs": designs}
        if content.get("scores") is not None:
            content["scores"] = _read_scores(content["scores"], data)
        return cls(**_keywords("the scenario", content, cls))


def first_scenario_query(first_scenario: Scenario, query: Mapping[str, str]) -> dict[str, str]:
    """Query of the page's first scenario, without designs; empty where the link has data."""
    return (
        {}
        if "data" in query
        else {n: v for n, v in first_scenario.to_query().items() if not _DESIGN.fullmatch(n)}
    )


def _unnamed(page: Mapping[str, object]) -> tuple[Design, ...]:
    """Designs where none are named: for a question all that are searched."""
    return SEARCHED if GOAL in page else (Design(),)


def _said(data: DataSpec) -> dict[str, Any]:
    return {name: getattr(data, name) for name in LATER if getattr(data, name) is not None}


def _scalar(name: str, value: object) -> Scalar:
    if len(name) > _LONGEST_NAME or replace_surrogates(name) != name:
        raise ParameterError(
            "the name of a parameter of the page", name, f"at most {_LONGEST_NAME} characters"
        )
    if isinstance(value, str):
        if len(value) <= _LONGEST and replace_surrogates(value) == value:
            return value
        raise ParameterError(f"page.{name}", value, f"a text of at most {_LONGEST:,} characters")
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) < _WHOLE):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise ParameterError(f"page.{name}", value, "a text, a finite number, True or False")


def _read_scores(content: object, data: DataSpec) -> Scores:
    """Scores of a file, with labels under the rules of an upload."""
    given = _keywords("scores", content, Scores)
    if "values" not in given:
        raise ParameterError("scores", content, "an object with values")
    made = Scores(**{**given, **data.scores_arguments})
    if made.d > MAX_ITEMS:
        raise ParameterError("the number of scores", made.d, f"at most {MAX_ITEMS:,}")
    if made.labels is None:
        return made
    longest = max(made.labels, key=len)
    if len(longest) > MAX_LABEL:
        raise ParameterError("a label", longest, f"a text of at most {MAX_LABEL} characters")
    return replace(made, labels=pack_if_many([fold_to_line(label) for label in made.labels]))


def _read_design(text: str) -> Design:
    mechanism, *values = text.split(";")
    return Design(
        mechanism=mechanism,
        parameters={
            name: parse_scalar(value) for name, _, value in (item.partition("=") for item in values)
        },
    )


def _parsed(text: str | bytes) -> dict[str, Any]:
    allowed = "a scenario saved by dpviz (JSON)"
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as err:
        raise ParameterError("the file", "text that is not JSON", allowed) from err
    if (
        not isinstance(content, dict)
        or content.pop("dpviz", None) != "scenario"
        or "version" not in content
    ):
        raise ParameterError("the file", "JSON of another kind", allowed)
    return content


def _keywords(what: str, content: object, cls: type) -> dict[str, Any]:
    """`content`, checked to have only fields of `cls`."""
    known = sorted(f.name for f in fields(cls))
    if not isinstance(content, dict):
        raise ParameterError(what, content, "an object of names and values")
    for name in content:
        check_choice(f"an entry of {what}", name, known)
    if isinstance(content.get("parameters", {}), dict):
        return content
    raise ParameterError(
        f"the parameters of {what}", content["parameters"], "an object of names and values"
    )


def _check_version(version: object) -> None:
    if version != VERSION or isinstance(version, bool):
        raise ParameterError("the version of the scenario", version, f"{VERSION}")


def _written(value: object) -> str:
    """A scalar for a link: texts bare, unless they would be read as something else."""
    if isinstance(value, str):
        return value if parse_scalar(value) == value else json.dumps(value)
    return json.dumps(value)


def parse_scalar(text: str) -> Any:
    """A scalar from a link: JSON where it is a JSON scalar, else the text itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, dict | list) or value is None else value
