"""Bundled examples: small score vectors, all invented for teaching."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files

from dpviz.base import Registry, Scores, check_integer
from dpviz.data import chat_phrases, hypotheses, product_pairs


@dataclass(frozen=True, kw_only=True)
class Example:
    """A bundled score vector: its score and person in words, their change, and its k."""

    name: str
    label: str
    description: str
    k: int
    score: str
    person: str
    sensitivity: float = 1.0
    monotonic: bool = True
    make: Callable[[], tuple[tuple[str, ...], tuple[float, ...]]] | None = None
    universe: int | None = None
    people: int | None = None

    def __post_init__(self) -> None:
        check_integer("k", self.k, low=1)

    def scores(self, *, sensitivity: float | None = None, monotonic: bool | None = None) -> Scores:
        labels, values = self._file() if self.make is None else self.make()
        return Scores(
            values,
            labels=labels,
            sensitivity=self.sensitivity if sensitivity is None else sensitivity,
            monotonic=self.monotonic if monotonic is None else monotonic,
        )

    def _file(self) -> tuple[tuple[str, ...], tuple[float, ...]]:
        text = (files("dpviz.data") / f"{self.name}.csv").read_text(encoding="utf-8")
        _header, *rows = csv.reader(text.splitlines())
        return tuple(label for label, _ in rows), tuple(float(value) for _, value in rows)


EXAMPLES: Registry[Example] = Registry("example")
DEFAULT_EXAMPLE = "help_line"

for _example in (
    Example(
        name="help_line",
        label="City help line",
        description=(
            "Made-up numbers of callers who asked a city's help line for each of 60 services in a"
            " week."
        ),
        k=10,
        score="the number of callers who asked for the service",
        person="one caller, who may have asked for several services but counts once for each",
    ),
    Example(
        name="library_loans",
        label="Library loans, with ties",
        description=(
            "Made-up numbers of readers of a small library who borrowed each of 40 books. Six books"
            " tie for places 8 to 13."
        ),
        k=10,
        score="the number of readers who borrowed the book",
        person="one reader, who counts once for each book borrowed",
    ),
    Example(
        name="canteen_ratings",
        label="Canteen ratings, one person replaced",
        description=(
            "Made-up points that 400 guests of a canteen gave to each of 30 dishes. Each guest gave"
            " a dish 0 to 5 points."
        ),
        k=5,
        score="the sum of the points, 0 to 5 from every guest",
        person=(
            "one guest, whose answers are replaced by another's, so a dish can gain or lose up to 5"
            " points"
        ),
        sensitivity=5.0,
        monotonic=False,
    ),
    Example(
        name="song_listeners",
        label="Song listeners, a long tail",
        description=(
            "Made-up numbers of listeners who played each of 2,000 songs in a month. A few songs"
            " are played often, and most seldom."
        ),
        k=20,
        score="the number of listeners who played the song",
        person="one listener, who counts once for each song played",
    ),
    Example(
        name="class_trip",
        label="Class trip, to count by hand",
        description=(
            "Made-up numbers of children in a school class who would like to go to each of six"
            " places."
        ),
        k=2,
        score="the number of children who raised a hand for the place",
        person="one child, who may raise a hand for several places",
    ),
    Example(
        name="bought_together",
        label="Bought together: pairs of products",
        description=(
            "Made-up numbers of 6,000 customers who bought both products of a pair. Most of the"
            " 7,998,000 pairs of 4,000 products were bought by nobody."
        ),
        k=1,
        score="the number of customers who bought both products",
        person="one customer, who counts once for each pair bought",
        make=product_pairs.product_pair_scores,
        universe=product_pairs.possible_pair_count(product_pairs.PRODUCTS),
        people=product_pairs.PEOPLE,
    ),
    Example(
        name="simple_rules",
        label="Learning a simple rule",
        description=(
            "Made-up numbers of 10,000 people for whom each of 2,256 simple rules predicts the"
            " right outcome from yes-or-no questions. Four rules are good."
        ),
        k=1,
        score="the number of people the rule is right about",
        person="one person, whose answers and outcome are replaced by another's",
        monotonic=False,
        make=hypotheses.question_rule_scores,
        people=hypotheses.PEOPLE,
    ),
    Example(
        name="chat_openings",
        label="First words of a chat",
        description=(
            "Made-up numbers of 8,000 people who opened a chat with each text. There are 10⁴⁰⁰"
            " possible texts of 200 characters, and three greetings lead."
        ),
        k=3,
        score="the number of people who opened with the text",
        person="one person, who counts once for each text opened with",
        make=chat_phrases.chat_opening_counts,
        universe=chat_phrases.UNIVERSE,
        people=chat_phrases.PEOPLE,
    ),
):
    EXAMPLES.add(_example.name, _example, label=_example.label, says=_example.description)
