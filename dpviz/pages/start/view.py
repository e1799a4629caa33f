"""Start: privacy and utility by ε on what Explore opens on, as a scene that is only played."""

from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from typing import Any

from dpviz.base import Ints, Progress
from dpviz.charts import number_text, percent_upper_bound
from dpviz.data import EXAMPLES
from dpviz.pages import common
from dpviz.privacy.composition import right_guess_bound
from dpviz.studies import (
    LawStudy,
    Pair,
    ReleasesStudy,
    Scenario,
    ScenarioStudy,
    design_settings,
    steps_by_name,
)

FIRST = Scenario(epsilon=0.2, k=10)
RELEASES = 50
"""Releases drawn at each ε."""
SEED = 11
# from where nearly no name is right to where the attacker nearly always is
_PER_DECADE, _FROM, _TO = 20, -34, 20


EPSILONS: tuple[float, ...] = tuple(
    float(f"{10 ** (n / _PER_DECADE):.2g}") for n in range(_FROM, _TO + 1)
)
"""Slider positions in equal ratios; ε of `FIRST` is one of them."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StartStudy(ScenarioStudy):
    """Value and cost of the list, by ε as Python writes it."""

    @steps_by_name(list_names=lambda study: map(repr, EPSILONS))
    def law_study(self, epsilon: str, progress: Progress) -> LawStudy:
        return LawStudy(
            mechanism=self.scenario.mechanisms[0].replace(epsilon=float(epsilon)),
            scores=self.scores,
        )

    @steps_by_name(list_names=lambda study: map(repr, EPSILONS))
    def releases(self, epsilon: str, progress: Progress) -> Ints:
        """Item indices of shape (RELEASES, k)."""
        return ReleasesStudy(
            mechanism=self.law_study[epsilon].mechanism,
            scores=self.scores,
            size=RELEASES,
            seed=SEED,
        ).releases[0]

    @steps_by_name(list_names=lambda study: map(repr, EPSILONS))
    def guess_bound(self, epsilon: str, progress: Progress) -> float:
        """Bound on the chance that an attacker at 50/50 is right about a person."""
        return right_guess_bound([self.law_study[epsilon].mechanism])


@cache
def start_study() -> StartStudy:
    return StartStudy(scenario=FIRST, scores=FIRST.load())


TITLE = "Better lists or safer people?"
ASKED, GUESSED = "Made-up calls, by service", "100 guesses: did Ana call?"
PUBLISH = "Publish the top {}"
SLIDER = "ε, the privacy budget"
OF_RIGHT, OF_GUESS = "services", "guesses"
ENDS, AXIS = ("more privacy", "more accuracy"), ("100 % right", "0 %")
AT_MOST, BY_CHANCE = "at most", "right, the pale {} by chance"
PUBLISHED = "The published list"
MADE_UP = "The help line and its callers are made up."
NOTE = f"{MADE_UP} The releases shown here are illustrations."
_ALL_BUT_ALL = 99  # of 100 guesses: nobody would call that protected
_COIN = 50
WORDS = {
    "list": "List {}: ",
    "all_right": "all {} services are right.",
    "right": "{} of {} services are right, wrong: {}.",
    "tally": "{} of {} services right, a bar for each list",
    "lit": "at most {} in 100 right",
    "wrong": "wrong",
}
"""Texts about releases; numbers and names are put in where they are shown."""
FIRST_SIGN = "0"


@dataclass(frozen=True)
class ScenePosition:
    """A slider position: ε as text, a sentence, average right names, and the guess bound.

    `chances` are per cent by rank; `releases` are 0-based ranks in order.
    """

    value: str
    sentence: str
    right: float
    guess: float
    chances: tuple[int, ...]
    releases: tuple[tuple[int, ...], ...]

    @property
    def right_guesses_per_hundred(self) -> int:
        return percent_upper_bound(self.guess)


@dataclass(frozen=True)
class Scene:
    """Contents of the screen: names and scores by rank, the first `best` of them right."""

    k: int
    best: int
    coin: int
    names: tuple[str, ...]
    scores: tuple[float, ...]
    start: int
    places: tuple[ScenePosition, ...]

    @property
    def start_position(self) -> ScenePosition:
        return self.places[self.start]

    def browser_data(self, epsilon: float | None = None) -> dict[str, Any]:
        """Data for the browser, to start at ε, if it is given.

        A release is a text with a sign a rank, from `FIRST_SIGN` on.
        """
        places = [
            {
                "value": place.value,
                "sentence": place.sentence,
                "lit": place.right_guesses_per_hundred,
                "chances": place.chances,
                "releases": [
                    "".join(chr(ord(FIRST_SIGN) + rank) for rank in ranks)
                    for ranks in place.releases
                ],
            }
            for place in self.places
        ]
        return {
            "k": self.k,
            "best": self.best,
            "coin": self.coin,
            "names": self.names,
            "start": self.start
            if epsilon is None
            else bisect_left(EPSILONS, epsilon, hi=len(EPSILONS) - 1),
            "places": places,
            "words": WORDS,
            "sign": ord(FIRST_SIGN),
        }


def trade_off_sentence(law: LawStudy, guess_bound: float) -> str:
    """The trade in one sentence; it warns where an attacker is almost sure."""
    lit = percent_upper_bound(guess_bound)
    said = (
        f"At ε = {common.format_slider_value(law.mechanism.epsilon)} on average"
        f" {common.format_expected_hits(law)} of {law.k} listed services are right. An attacker"
        f" who guesses whether Ana called is right at most {lit} times in 100 (pure guessing:"
        f" {_COIN})."
    )
    return f"{said} That protects practically nobody." if lit >= _ALL_BUT_ALL else said


def bars_alt_text(scene: Scene) -> str:
    most, least = number_text(scene.scores[0]), number_text(scene.scores[-1])
    return (
        f"{MADE_UP} Each of {len(scene.names)} services has a bar for its callers, from {most} down"
        f" to {least}. The {scene.best} longest belong in the list."
    )


@cache
def scene() -> Scene:
    study = start_study()
    scores, k = study.scores, study.scenario.k
    return Scene(
        k=k,
        best=scores.tie_counts(k).at_or_above,
        coin=_COIN,
        names=tuple(scores.label(int(item)) for item in scores.order),
        scores=tuple(scores.values[scores.order].tolist()),
        start=EPSILONS.index(study.scenario.epsilon),
        places=tuple(_place(study, repr(epsilon)) for epsilon in EPSILONS),
    )


def _place(study: StartStudy, epsilon: str) -> ScenePosition:
    law, guess, scores = study.law_study[epsilon], study.guess_bound[epsilon], study.scores
    ranks = scores.rank[study.releases[epsilon]]
    ranks.sort(axis=1)
    return ScenePosition(
        value=common.format_slider_value(law.mechanism.epsilon),
        sentence=trade_off_sentence(law, guess),
        right=law.expected_hits,
        guess=guess,
        chances=tuple((100 * law.inclusion[scores.order]).round().astype(int).tolist()),
        releases=tuple(map(tuple, ranks.tolist())),
    )


def scene_settings() -> tuple[Pair, ...]:
    study = start_study()
    scenario, design = study.scenario, study.scenario.designs[0]
    example = EXAMPLES.label(scenario.data.name)
    return (
        ("Data", f"{example} (a made-up example)"),
        ("k", str(scenario.k)),
        ("Mechanism", design.label_for_data(scenario.k, study.scores.contributions)),
        *design_settings(design),
        ("Seed", str(SEED)),
    )
