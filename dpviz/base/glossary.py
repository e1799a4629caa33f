"""Definitions of the field's words.

Invariants: one name for one idea, and one idea for one name, on every page, chart, sheet and in
every lesson. A definition uses everyday words, or words of this glossary.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A word, its symbol if it has one, and its meaning in one or two sentences."""

    word: str
    says: str
    symbol: str = ""

    @property
    def word_with_symbol(self) -> str:
        return f"{self.word} {self.symbol}".rstrip()


GLOSSARY: Mapping[str, Term] = {
    "item": Term(
        "item", "What can be chosen: a place, a product, an answer. Each item has a score."
    ),
    "score": Term(
        "score",
        "How good an item is; often the number of people it counts. A higher score is better.",
    ),
    "release": Term(
        "release",
        "One publication: the list that a mechanism makes once from the private data.",
    ),
    "chance": Term(
        "chance",
        "The share of releases in which something happens, if the same data were released often.",
    ),
    "mechanism": Term(
        "mechanism",
        "A recipe that chooses items with noise, so that no list exposes a person.",
    ),
    "noise": Term("noise", "Random amounts added to scores, new ones for each release."),
    "epsilon": Term(
        "privacy budget",
        "The limit on what one person's data change: the chance of any list changes at most by a"
        " factor e^ε. Smaller is more private and less accurate.",
        "ε",
    ),
    "delta": Term(
        "leeway",
        "How far the chance of any set of lists may go beyond what ε allows. The chance of a list"
        " beyond ε is never smaller than δ. Zero is best.",
        "δ",
    ),
    "loss_law": Term(
        "privacy loss distribution",
        "How much lists reveal about one person, and how often they reveal this much: PLD for"
        " short.",
    ),
    "noisy_max": Term(
        "report noisy max",
        "The choice of the one item with the highest noisy score: one-shot with k = 1.",
    ),
    "recall": Term(
        "precision and recall at k",
        "The share of the chosen items that belong to the true top k, and the share of the true top"
        " k that is chosen. For a list of k items both are the same: the expected share.",
    ),
    "rho": Term(
        "zCDP",
        "Another measure of privacy. Over many releases its total grows more slowly than ε.",
        "ρ",
    ),
    "unit": Term(
        "unit of protection",
        "The data that are hidden: of one person, one household, or one person on one day.",
    ),
    "neighbour": Term(
        "neighbour", "The same data with one person's data added, removed or replaced."
    ),
    "sensitivity": Term(
        "sensitivity", "How much one person's data can change the score of one item.", "Δ"
    ),
    "contributions": Term("contributions", "In how many items one person can count at most.", "c"),
    "top_k": Term("top k", "The k items with the highest scores."),
    "rank": Term("rank", "An item's place when all are sorted by their scores, the best first."),
    "cutoff": Term("cut-off", "The line between the k items that belong to the top and the rest."),
    "distance": Term(
        "distance", "How far apart the true scores of two items are, mostly across the cut-off."
    ),
    "gap": Term(
        "gap",
        "How far a noisy score is above the next one, or above the threshold. It may be published"
        " at no extra price.",
    ),
    "top": Term("TOP", "The release holds exactly the true top k."),
    "optimal": Term(
        "OPTIMAL",
        "The release is as good as the true top k: items with equal scores may replace each other.",
    ),
    "great": Term(
        "GREAT",
        "The first tenth of the true top k is all in, and no item is more than a tenth of k too far"
        " down.",
    ),
    "good": Term(
        "GOOD",
        "The first hundredth of the true top k is all in, and no item is more than half of k too"
        " far down.",
    ),
    "hits": Term(
        "hits",
        "How many items of the list belong to the true top k. An item that ties with the last one"
        " counts.",
    ),
    "drop_rate": Term(
        "drop rate", "The share of the true top k that is missing from the release, on average."
    ),
    "spurious_rate": Term(
        "spurious rate", "The share of the list that does not belong to the true top k, on average."
    ),
    "utility_class": Term(
        "utility class", "All lists with the same h and t. They are about equally good."
    ),
    "h": Term(
        "head", "How many of the best items are on the list before the first one is missing.", "h"
    ),
    "t": Term("tail", "The rank of the worst item on the list. k is ideal.", "t"),
    "loss": Term("loss", "How much worse a list is than the true top k, in scores. Zero is best."),
    "gamma": Term(
        "weight of the worst item",
        "The weight of a list's worst item when it is judged. 0 looks only at the best missing item,"
        " 1 only at the worst item on the list.",
        "γ",
    ),
    "privacy_loss": Term(
        "privacy loss",
        "How much more likely a list is with a person's data than without, as a logarithm. It is at"
        " most ε.",
    ),
    "exact": Term(
        "exact",
        "Computed from a formula, not by trying. Its error is far below the digits shown.",
    ),
    "estimated": Term(
        "estimated",
        "Counted in simulated releases, with the interval that holds the true value in 95 of 100"
        " cases.",
    ),
    "query": Term(
        "query", "A question to the data about a number, such as how many people an item counts."
    ),
    "threshold": Term("threshold", "The public number that queries are compared with."),
    "answer": Term(
        "answer",
        "The result for a query with a noisy number of at least the noisy threshold. Other queries"
        " cost nothing.",
    ),
    "budget_unit": Term(
        "unit",
        "A piece of ε that pays for answers. A plain answer costs one, an adaptive answer one or"
        " two.",
    ),
    "split": Term(
        "split of ε", "How much of ε hides the threshold, and how much hides the answers."
    ),
    "top_branch": Term(
        "top branch",
        "The first test of the adaptive mechanism. It costs one unit and has more noise, so only"
        " numbers well above the threshold pass.",
    ),
    "middle_branch": Term(
        "middle branch",
        "Its second test, at the ordinary threshold. It costs two units and has less noise.",
    ),
    "universe": Term("universe", "All possible items, also those that nobody chose."),
    "front_group": Term(
        "front group", "The few best items, if a wide distance separates them from all others."
    ),
    "candidate": Term(
        "candidate",
        "One finished private computation, such as a trained model, with its score.",
    ),
    "run": Term("run", "One try of a private computation, which costs privacy each time."),
}
