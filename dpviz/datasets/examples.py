"""Bundled examples: small score vectors, all of them invented for teaching.

An `Example` says what a score and a person are, what one person can change (sensitivity Δ, monotonic)
and which k it was made for. The files lie in `dpviz/data`, one `item,score` line an item, and are read
through importlib.resources, so they are found in a wheel as well as in a checkout.
"""

import csv
from dataclasses import dataclass
from importlib.resources import files

from dpviz.parameters import check_integer
from dpviz.registry import Registry
from dpviz.scores import Scores

__all__ = ["DEFAULT_EXAMPLE", "EXAMPLES", "Example"]


@dataclass(frozen=True, kw_only=True)
class Example:
    """A bundled score vector and what it stands for.

    `k` is the number of items it is natural to ask for; `score` and `person` are phrases that
    finish "a score is …" and "a person is …".

    >>> EXAMPLES["class_trip"].scores().values.tolist()
    [9.0, 7.0, 4.0, 3.0, 2.0, 1.0]
    """

    name: str
    label: str
    description: str
    k: int
    score: str
    person: str
    sensitivity: float = 1.0
    monotonic: bool = True

    def __post_init__(self) -> None:
        check_integer("k", self.k, low=1)

    def scores(self, *, sensitivity: float | None = None, monotonic: bool | None = None) -> Scores:
        """The scores with their labels; the example's own Δ and monotonic unless told otherwise."""
        text = (files("dpviz") / "data" / f"{self.name}.csv").read_text(encoding="utf-8")
        _header, *rows = csv.reader(text.splitlines())
        return Scores(
            [float(value) for _, value in rows],
            labels=[label for label, _ in rows],
            sensitivity=self.sensitivity if sensitivity is None else sensitivity,
            monotonic=self.monotonic if monotonic is None else monotonic,
        )


EXAMPLES: Registry[Example] = Registry("example")
DEFAULT_EXAMPLE = "help_line"


def _add(example: Example) -> None:
    EXAMPLES.add(example.name, example, label=example.label)


_add(
    Example(
        name="help_line",
        label="City help line",
        description="Made up: how many callers of a city's help line asked for each of 60 services in a week.",
        k=10,
        score="the number of callers who asked for the service",
        person="one caller, who may have asked for several services but counts once for each",
    )
)
_add(
    Example(
        name="library_loans",
        label="Library loans, with ties",
        description="Made up: how many readers of a small library borrowed each of 40 books; six books tie for "
        "places 8 to 13.",
        k=10,
        score="the number of readers who borrowed the book",
        person="one reader, who counts once for each book borrowed",
    )
)
_add(
    Example(
        name="canteen_ratings",
        label="Canteen ratings, one person replaced",
        description="Made up: the points that 400 guests of a canteen gave to each of 30 dishes, none to five a "
        "guest and dish.",
        k=5,
        score="the sum of the points, 0 to 5 from every guest",
        person="one guest, whose answers are replaced by another's: a dish can gain or lose up to 5 points",
        sensitivity=5.0,
        monotonic=False,
    )
)
_add(
    Example(
        name="song_listeners",
        label="Song listeners, a long tail",
        description="Made up: how many listeners played each of 2,000 songs in a month, few songs often and most "
        "seldom.",
        k=20,
        score="the number of listeners who played the song",
        person="one listener, who counts once for each song played",
    )
)
_add(
    Example(
        name="class_trip",
        label="Class trip, to count by hand",
        description="Made up: how many children of a school class would like to go to each of six places.",
        k=2,
        score="the number of children who raised a hand for the place",
        person="one child, who may raise a hand for several places",
    )
)
