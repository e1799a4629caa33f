"""Where the scores come from, and what one person can change of them: said, without holding any score."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_integer, check_number
from dpviz.base.scores import Scores
from dpviz.data import DEFAULT_EXAMPLE, EXAMPLES, GENERATORS
from dpviz.data.ingest.text import encodable, folded
from dpviz.studies.design import filled

__all__ = ["LATER", "DataSpec", "Source", "check_text"]

_MOST = 10**15  # a browser holds no whole number that is much larger
LATER = ("contributions", "items_known", "called", "unit", "d")
"""Written only where they are said: what was stored before there were any stays as it is."""

Source = Literal["example", "generated", "uploaded"]
_LONGEST = 200  # of a text that a person gives


@dataclass(frozen=True, kw_only=True)
class DataSpec:
    """Where the scores come from, without holding them.

    `source` is "example" (a name in `EXAMPLES`), "generated" (a name in `GENERATORS` with its
    `parameters`) or "uploaded". `sensitivity` and `monotonic` of None mean those of the example, or
    Δ = 1 and monotonic for generated counts; Δ = 1 and not monotonic for uploaded scores, which holds for counts
    too. `contributions` is how many items one person can count in at most (None: any number), `items_known`
    whether the list of items was known before the data were (None: not said). `called` is the name that a person gave
    the data, `unit` whom ε protects in a word (None: a person), `d` how many items uploaded data had, for whoever has
    to find them again.
    """

    source: Source = "example"
    name: str = DEFAULT_EXAMPLE
    parameters: Mapping[str, Any] = field(default_factory=dict)
    sensitivity: float | None = None
    monotonic: bool | None = None
    contributions: int | None = None
    items_known: bool | None = None
    called: str | None = None
    unit: str | None = None
    d: int | None = None

    def __post_init__(self) -> None:
        if self.source not in get_args(Source):
            raise ParameterError("source", self.source, "one of " + ", ".join(get_args(Source)))
        given: dict[str, Any] = {}
        sensitivity, monotonic = 1.0, True
        if self.source == "generated":
            given = filled(self.name, GENERATORS[self.name], self.parameters)
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
            most = check_integer("contributions", self.contributions, low=1)
            object.__setattr__(self, "contributions", check_integer("contributions", most, high=_MOST))
        if self.items_known is not None and not isinstance(self.items_known, bool):
            raise ParameterError("items_known", self.items_known, "True or False")
        for name in ("called", "unit"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, check_text(name, getattr(self, name)) or None)
        if self.d is not None:
            object.__setattr__(self, "d", check_integer("d", self.d, low=2) if self.source == "uploaded" else None)
        object.__setattr__(self, "parameters", given)
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


def check_text(name: str, value: object) -> str:
    """`value` as one line of text without blanks at its ends, at most 200 characters, each of which can be written."""
    if not isinstance(value, str) or len(value) > _LONGEST or encodable(value) != value:
        raise ParameterError(name, value, f"a text of at most {_LONGEST} characters")
    return " ".join(folded(value).split())
