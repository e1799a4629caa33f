"""Definitions of the field's words.

Invariants: one name for one idea, and one idea for one name, on every page, chart, sheet and in
every lesson. A definition uses everyday words, or words of this glossary.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dpviz.base.arrays import cached_property


@dataclass(frozen=True)
class Term:
    """A word, its symbol if it has one, and its meaning in one or two sentences."""

    word: str
    says: str
    symbol: str = ""

    @cached_property
    def word_with_symbol(self) -> str:
        return f"{self.word} {self.symbol}".rstrip()


GLOSSARY: Mapping[str, Term] = {
    "item": Term(
        "item",
        "One thing that can be chosen, such as a place, a product or an answer. Each item has a"
        " score.",
    ),
    "score": Term(
        "score",
        "A number for each item, often how many people it counts. A higher score is better.",
    ),
    "list": Term("list", "The items that one release publishes."),
    "release": Term(
        "release", "One publication: the mechanism is used once, and its list is published."
    ),
    "plan": Term("plan", "All releases together that use the same people's data."),
    "attacker": Term(
        "attacker",
        "Someone who reads a published list to learn about one person. The attacker may know"
        " everything about everybody else.",
    ),
    "catalogue": Term(
        "catalogue", "A list of all possible items that does not come from the private data."
    ),
    "chance": Term(
        "chance",
        "The share of releases in which something happens, if the same data were released very"
        " often.",
    ),
    "mechanism": Term(
        "mechanism",
        "A procedure that chooses items with noise, so that the list reveals little about any one"
        " person.",
    ),
    "noise": Term("noise", "Random amounts added to the scores. They are new for each release."),
    "epsilon": Term(
        "privacy budget",
        "One person's data may change the chance of any list at most by a factor of e to the power"
        " ε. A smaller ε is more private and less accurate.",
        "ε",
    ),
    "delta": Term(
        "leeway",
        "How far the chance of a set of lists may go beyond what ε allows. It is not the chance"
        " that ε is exceeded, which can be larger. Zero is best.",
        "δ",
    ),
    "loss_law": Term(
        "privacy loss distribution",
        "How much the lists reveal about one person, with the chance of each amount (PLD for"
        " short).",
    ),
    "noisy_max": Term(
        "report noisy max",
        "Noise is added to every score, and the item with the highest result is chosen. It is the"
        " one-shot mechanism with k = 1.",
    ),
    "recall": Term(
        "precision and recall at k",
        "Precision is the share of the list that belongs to the true top k. Recall is the share of"
        " the true top k in the list. They are equal for a list of k items.",
    ),
    "rho": Term(
        "zCDP",
        "Another measure of privacy. Over many releases it often gives a smaller total than ε.",
        "ρ",
    ),
    "unit": Term(
        "unit of protection",
        "Whose data are protected: those of one person, of one household, or of one person on one"
        " day.",
    ),
    "neighbour": Term(
        "neighbour", "The same data with one person's data added, removed or replaced."
    ),
    "sensitivity": Term(
        "sensitivity", "The most that one person's data can change the score of one item.", "Δ"
    ),
    "contributions": Term(
        "contributions", "The largest number of items in which one person can count.", "c"
    ),
    "top_k": Term("top k", "The k items with the highest scores."),
    "rank": Term("rank", "An item's place when all items are sorted by score, the highest first."),
    "cutoff": Term("cut-off", "The line between the k items of the true top and the rest."),
    "distance": Term(
        "distance",
        "The difference between the true scores of two items, above all of the two at the cut-off.",
    ),
    "gap": Term(
        "gap",
        "How far a noisy score lies above the next one, or above the threshold. Publishing it with"
        " the list costs no further privacy.",
    ),
    "top": Term("TOP", "The list is exactly the true top k."),
    "optimal": Term(
        "OPTIMAL",
        "The list is as good as the true top k. Items with equal scores may replace each other.",
    ),
    "great": Term(
        "GREAT",
        "The first tenth of the true top k is complete. No item is more than a tenth of k too far"
        " down.",
    ),
    "good": Term(
        "GOOD",
        "The first hundredth of the true top k is complete. No item is more than half of k too far"
        " down.",
    ),
    "hits": Term(
        "hits",
        "How many items of the list belong to the true top k. An item with the same score as the"
        " last of them counts as right.",
    ),
    "drop_rate": Term(
        "drop rate", "The average share of the true top k that is missing from the list."
    ),
    "spurious_rate": Term(
        "spurious rate", "The average share of the list that does not belong to the true top k."
    ),
    "utility_class": Term(
        "utility class", "All lists with the same head h and tail t. They are about equally good."
    ),
    "h": Term(
        "head", "How many of the best items are in the list before the first is missing.", "h"
    ),
    "t": Term("tail", "The rank of the lowest item in the list. The ideal is k.", "t"),
    "loss": Term(
        "loss", "How much worse a list is than the true top k, measured in scores. Zero is best."
    ),
    "gamma": Term(
        "weight of the worst item",
        "How a list is judged. At 0 only the best missing item counts, at 1 only the lowest item in"
        " the list.",
        "γ",
    ),
    "privacy_loss": Term(
        "privacy loss",
        "How much likelier a list is with a person's data than without, as a logarithm. It is at"
        " most ε if δ is zero.",
    ),
    "exact": Term(
        "exact",
        "Computed from a formula, not simulated. The error is far too small to change a digit"
        " shown.",
    ),
    "estimated": Term(
        "estimated",
        "Counted in simulated releases. The interval contains the true value in 95 of 100 cases.",
    ),
    "query": Term(
        "query", "A question to the data about a number, such as how many people an item counts."
    ),
    "threshold": Term("threshold", "The public number that each query is compared with."),
    "answer": Term(
        "answer",
        "What is published for a query whose noisy number reaches the noisy threshold. Other"
        " queries cost nothing.",
    ),
    "budget_unit": Term(
        "unit",
        "The part of ε that pays for answers. A plain answer costs one unit, an adaptive one costs"
        " one or two.",
    ),
    "split": Term(
        "split of ε", "How much of ε protects the threshold, and how much protects the answers."
    ),
    "top_branch": Term(
        "top branch",
        "The first test of the adaptive mechanism. It costs one unit, has more noise and needs a"
        " number far above the threshold.",
    ),
    "middle_branch": Term(
        "middle branch",
        "The second test of the adaptive mechanism. It costs two units, has less noise and uses the"
        " ordinary threshold.",
    ),
    "universe": Term("universe", "All possible items, also those that nobody has."),
    "front_group": Term(
        "front group", "The few best items, if a large distance separates them from all others."
    ),
    "candidate": Term(
        "candidate",
        "One finished private computation, such as a trained model, with the score it reached.",
    ),
    "run": Term("run", "One try of a private computation. Each run costs privacy."),
}
