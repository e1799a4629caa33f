"""Start in words and figures: one sentence for each place of the slider, the releases there, and
what is said of one.

Invariant: a scene is plain data; whoever shows it, the app or a file, only plays it and puts
numbers into its words.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from dpviz.charts import at_most_of_100, number
from dpviz.data import EXAMPLES
from dpviz.pages.common.top_k_figures import right
from dpviz.pages.common.wording import short
from dpviz.pages.start.study import EPSILONS, SEED, StartStudy, start_study
from dpviz.studies.mechanism_studies import LawStudy
from dpviz.studies.provenance import Pair, own_settings

TITLE = "Better lists or safer people?"
ASKED, GUESSED = "Made-up calls", "Did Ana call?"
PUBLISH = "Publish the top {}"
SLIDER = "ε, the privacy budget"
OF_RIGHT, OF_GUESS = "names", "guesses"
AT_MOST = "at most"
PUBLISHED = "The published list"
MADE_UP = "The help line and its callers are made up."
NOTE = f"{MADE_UP} Releases shown here are illustrations."
_ALL_BUT_ALL = 99  # of 100 guesses: nobody would call that protected
_COIN = 50
WORDS = {
    "list": "List {}: ",
    "all_right": "all {} names are right.",
    "right": "{} of {} names are right, wrong: {}.",
    "tally": "{} of {} names right",
    "lit": "{} of 100 right at most",
    "wrong": "wrong",
}
"""What is said of releases; numbers and names are put in where they are shown."""
FIRST_SIGN = "0"


@dataclass(frozen=True)
class ScenePlace:
    """A place of the slider: ε as it is read, the sentence, how many names are right on average,
    guesses right of 100.

    `chances` are those of each item by rank, in per cent; `releases` are ranks from 0 on, in order.
    """

    value: str
    sentence: str
    right: float
    guess: float
    chances: tuple[int, ...]
    releases: tuple[tuple[int, ...], ...]

    @property
    def lit(self) -> int:
        """How many of 100 guesses are right at most."""
        return at_most_of_100(self.guess)


@dataclass(frozen=True)
class Scene:
    """All that the screen shows: names and scores by rank, of which the first `best` are right, and
    every place.
    """

    k: int
    best: int
    coin: int
    names: tuple[str, ...]
    scores: tuple[float, ...]
    start: int
    places: tuple[ScenePlace, ...]

    @property
    def first(self) -> ScenePlace:
        """Where the slider starts."""
        return self.places[self.start]

    def data(self) -> dict[str, Any]:
        """For the browser, with the words: each release is a text, a sign for each rank from
        `FIRST_SIGN` on.
        """
        places = [
            {
                "value": place.value,
                "sentence": place.sentence,
                "lit": place.lit,
                "chances": place.chances,
                "releases": [
                    "".join(chr(ord(FIRST_SIGN) + rank) for rank in ranks)
                    for ranks in place.releases
                ],
            }
            for place in self.places
        ]
        told = {
            "k": self.k,
            "best": self.best,
            "coin": self.coin,
            "names": self.names,
            "start": self.start,
        }
        return {**told, "places": places, "words": WORDS, "sign": ord(FIRST_SIGN)}


def sentence(law: LawStudy, guess: float) -> str:
    """What is traded for what; that nobody is protected where a guesser is all but sure."""
    lit = at_most_of_100(guess)
    said = (
        f"At ε = {short(law.mechanism.epsilon)} you publish {right(law)} right names on average,"
        f" and a spy guesses right at most {lit} times in 100 instead of {_COIN}"
    )
    return f"{said}: practically nobody is protected." if lit >= _ALL_BUT_ALL else f"{said}."


def bars_told(scene: Scene) -> str:
    """The bars for who does not see them."""
    most, least = number(scene.scores[0]), number(scene.scores[-1])
    return (
        f"{MADE_UP} A bar for each of {len(scene.names)} services: callers, from {most} down to"
        f" {least}. Right are the {scene.best} longest."
    )


def scene_of(study: StartStudy) -> Scene:
    """The screen of a study."""
    scores, k = study.scores, study.scenario.k
    return Scene(
        k=k,
        best=scores.tied(k)[1],
        coin=_COIN,
        names=tuple(scores.label(int(item)) for item in scores.order),
        scores=tuple(scores.values[scores.order].tolist()),
        start=EPSILONS.index(study.scenario.epsilon),
        places=tuple(_place(study, repr(epsilon)) for epsilon in EPSILONS),
    )


def _place(study: StartStudy, epsilon: str) -> ScenePlace:
    law, guess, scores = study.law[epsilon], study.guess[epsilon], study.scores
    ranks = scores.rank[study.releases[epsilon]]
    ranks.sort(axis=1)
    return ScenePlace(
        value=short(law.mechanism.epsilon),
        sentence=sentence(law, guess),
        right=law.expected_hits,
        guess=guess,
        chances=tuple((100 * law.inclusion[scores.order]).round().astype(int).tolist()),
        releases=tuple(map(tuple, ranks.tolist())),
    )


@cache
def scene() -> Scene:
    """The one there is."""
    return scene_of(start_study())


def facts() -> tuple[Pair, ...]:
    """What the screen shows, as prints and its file say it."""
    study = start_study()
    scenario, design = study.scenario, study.scenario.designs[0]
    example = EXAMPLES.label(scenario.data.name)
    mechanism = design.label_for(scenario.k, study.scores.contributions)
    return (
        ("Data", f"{example} (an example, made up)"),
        ("k", str(scenario.k)),
        ("Mechanism", mechanism),
        *own_settings(design),
        ("Seed", str(SEED)),
    )
