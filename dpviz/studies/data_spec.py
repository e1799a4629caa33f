"""Data specification: where scores come from and what one person can change, without any score."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, Self, get_args

import numpy as np

from dpviz.base import (
    ParameterError,
    Scores,
    check_choice,
    check_flag,
    check_integer,
    check_number,
    check_text,
    extract_person_metadata,
    store_fields,
)
from dpviz.data import DEFAULT_EXAMPLE, EXAMPLES, GENERATORS
from dpviz.data.generators import ZIPF_TOTAL
from dpviz.studies.design import complete_parameters

_MOST = 10**15  # a browser holds no whole number that is much larger
LATER = ("fall", "contributions", "items_known", "called", "unit", "d")
"""Later fields: written only where given, so that what was stored before them stays as it is."""

_LATER = {("total", ZIPF_TOTAL)}  # of generated scores, likewise

Source = Literal["example", "generated", "uploaded"]


def _check_most(name: str, value: object) -> int:
    return check_integer(name, check_integer(name, value, low=1), high=_MOST)


_CHECKS: dict[str, Callable[[str, Any], object]] = {
    "sensitivity": partial(check_number, low=0.0, above=True),
    "fall": partial(check_number, low=0.0, above=True),
    "monotonic": check_flag,
    "contributions": _check_most,
    "items_known": check_flag,
    "called": check_text,
    "unit": check_text,
    "d": partial(check_integer, low=2),
}


@dataclass(frozen=True, kw_only=True)
class DataSpec:
    """Data specification: the source of the scores, and what one person can change of them."""

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
    # adding one person lowers a score by at most this, and raises it by `sensitivity`
    fall: float | None = None

    def __post_init__(self) -> None:
        check_choice("source", self.source, get_args(Source))
        pair: Any = self.sensitivity
        if isinstance(pair, tuple | list) and len(pair) == 2:  # as scores say it
            store_fields(self, fall=pair[0], sensitivity=pair[1])
        sensitivity, monotonic, given = 1.0, self.source != "uploaded", dict[str, Any]()
        if self.source == "generated":
            every = complete_parameters(self.name, GENERATORS[self.name], self.parameters)
            given = {name: value for name, value in every.items() if (name, value) not in _LATER}
        elif self.source == "example":
            sensitivity, monotonic = EXAMPLES[self.name].sensitivity, EXAMPLES[self.name].monotonic
        else:
            store_fields(self, name="")  # a file's name is nobody else's business
        if (
            self.source != "uploaded" or self.items_known is False
        ):  # where the data tell how many there are
            store_fields(self, d=None)
        for name, check in _CHECKS.items():
            if getattr(self, name) is not None:
                store_fields(self, **{name: check(name, getattr(self, name))})
        store_fields(
            self,
            parameters=given,
            sensitivity=sensitivity if self.sensitivity is None else self.sensitivity,
            monotonic=monotonic if self.monotonic is None else self.monotonic,
            called=self.called or None,
            unit=self.unit or None,
        )

    def agrees_with(self, scores: Scores) -> bool:
        """True if the scores say of one person what this says."""
        return extract_person_metadata(scores) == self.scores_arguments

    def with_own_scores(self, scores: Scores) -> Self:
        """The same for scores of one's own, which say themselves what one person can change."""
        person = extract_person_metadata(scores)
        known = person.pop("names_known")
        return replace(
            self,
            source="uploaded",
            parameters={},
            fall=None,
            items_known=None if known else False,
            **person,
        )

    def scores(self) -> Scores:
        if self.source == "uploaded":
            raise ParameterError(
                "data", "uploaded", "loaded again, as a link never contains scores"
            )
        maker = (
            EXAMPLES[self.name]
            if self.source == "example"
            else GENERATORS[self.name](**self.parameters)
        )
        return self.with_person_metadata(maker.scores())

    def with_person_metadata(self, scores: Scores) -> Scores:
        """The scores with what this says of one person; sensitivities of single items stay."""
        given = self.scores_arguments
        if isinstance(scores.sensitivities, np.ndarray) and self.fall is None:
            del given["sensitivity"]
            return replace(scores, **given)
        return replace(scores, **given, sensitivities=None)

    @property
    def scores_arguments(self) -> dict[str, Any]:
        given = {
            **{name: getattr(self, name) for name in ("sensitivity", "monotonic", "contributions")},
            "names_known": self.names_known,
        }
        return (
            given if self.fall is None else given | {"sensitivity": (self.fall, self.sensitivity)}
        )

    @property
    def fall_plus_rise_sensitivity(self) -> float | None:
        """Δ for a tool that knows one number: fall + rise, as if all scores moved one way."""
        # a mechanism that only compares scores has the same law by it, and any other more noise
        return self.sensitivity if self.fall is None else self.fall + (self.sensitivity or 0.0)

    @property
    def names_known(self) -> bool:
        """False only where it was said that the names were not known beforehand."""
        return self.items_known is not False
