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
        "One published answer: the list that a mechanism lets out when it is used once on the"
        " private data.",
    ),
    "chance": Term(
        "chance",
        "In how many of all releases something would happen, if the same data were released often.",
    ),
    "mechanism": Term(
        "mechanism",
        "A recipe that chooses items with some luck added, so that no answer gives a person away.",
    ),
    "noise": Term(
        "noise", "The luck that is added to scores: random amounts, drawn anew for each release."
    ),
    "epsilon": Term(
        "privacy budget",
        "How much one person's data may change the chance of any answer: at most by a factor e^ε. "
        "Smaller is more private and less accurate.",
        "ε",
    ),
    "delta": Term(
        "leeway",
        "How far the chance of any set of answers may go beyond what ε allows. The chance of an"
        " answer that goes beyond is never smaller. Zero is best.",
        "δ",
    ),
    "loss_law": Term(
        "privacy loss distribution",
        "How much the answers tell about one person, and how often they tell so much: PLD for"
        " short.",
    ),
    "noisy_max": Term(
        "report noisy max",
        "The choice of the one item whose score is the highest once noise is added: one-shot with k"
        " = 1.",
    ),
    "recall": Term(
        "precision and recall at k",
        "The part of the chosen items that belong to the true top k, and the part of the true top k"
        " that is chosen: one number where k items come out, here the expected share.",
    ),
    "rho": Term(
        "zCDP",
        "Another measure of privacy, which adds up more gently than ε over many releases.",
        "ρ",
    ),
    "unit": Term(
        "unit of protection",
        "Whose data are hidden: one person's, one household's, or one person's of one day.",
    ),
    "neighbour": Term(
        "neighbour", "The same data with one person's data added, removed or replaced."
    ),
    "sensitivity": Term(
        "sensitivity", "How far one person's data can move the score of one item.", "Δ"
    ),
    "contributions": Term("contributions", "In how many items one person can count at most.", "c"),
    "top_k": Term("top k", "The k items with the highest scores."),
    "rank": Term("rank", "An item's place when all are sorted by their scores, the best first."),
    "cutoff": Term("cut-off", "The line between the k items that belong to the top and the rest."),
    "distance": Term(
        "distance", "How far apart the true scores of two items are, above all across the cut-off."
    ),
    "gap": Term(
        "gap",
        "How far a noisy score lies above the next one, or above the threshold. It comes with the"
        " release at no further price.",
    ),
    "top": Term("TOP", "The release holds exactly the true top k."),
    "optimal": Term(
        "OPTIMAL",
        "The release is as good as the true top k: equal scores may stand in for each other.",
    ),
    "great": Term(
        "GREAT",
        "The first tenth of the true top k is all in, and nothing is more than a tenth of k too far"
        " down.",
    ),
    "good": Term(
        "GOOD",
        "The first hundredth of the true top k is all in, and nothing is more than half of k too"
        " far down.",
    ),
    "hits": Term(
        "hits",
        "How many of the items that come out belong to the true top k; one that is level with its"
        " last counts.",
    ),
    "drop_rate": Term(
        "drop rate", "The share of the true top k that is missing from the release, on average."
    ),
    "spurious_rate": Term(
        "spurious rate", "The share of the items that come out but do not belong there, on average."
    ),
    "utility_class": Term(
        "utility class", "All lists with the same h and t; they are about equally good."
    ),
    "h": Term("head", "How many of the best items come out before the first one is missing.", "h"),
    "t": Term("tail", "The rank of the worst item that comes out; k is ideal.", "t"),
    "loss": Term(
        "loss", "How much worse a list is than the true top k, measured in scores: zero is best."
    ),
    "gamma": Term(
        "weight of the worst item",
        "What a list is judged by: 0 looks only at the best item that is missing, 1 only at the"
        " worst that is in.",
        "γ",
    ),
    "privacy_loss": Term(
        "privacy loss",
        "How much more likely an answer is with a person's data than without, as a logarithm. ε is"
        " its ceiling.",
    ),
    "exact": Term(
        "exact",
        "Computed from a formula, not by trying out. Its error bound is far below what is shown.",
    ),
    "estimated": Term(
        "estimated",
        "Counted in simulated releases, with the interval that holds the true value in 95 of 100"
        " cases.",
    ),
    "query": Term(
        "query", "A question to the data about a number, such as how many people an item counts."
    ),
    "threshold": Term("threshold", "The public number that queries are held against."),
    "answer": Term(
        "answer",
        "What comes out for a query whose noisy number reaches the noisy threshold; other queries"
        " cost nothing.",
    ),
    "budget_unit": Term(
        "unit",
        "The piece of ε that answers are paid in: a plain answer costs one, an adaptive one costs"
        " one or two.",
    ),
    "split": Term(
        "split of ε", "How much of ε hides the threshold, and how much hides the answers."
    ),
    "top_branch": Term(
        "top branch",
        "The first test of the adaptive mechanism: for one unit, with more noise, well above.",
    ),
    "middle_branch": Term(
        "middle branch", "Its second test, for two units: the ordinary threshold, with less noise."
    ),
    "universe": Term("universe", "All items that could be chosen, also those that nobody has."),
    "front_group": Term(
        "front group", "The few best items, where a wide distance separates them from all others."
    ),
    "candidate": Term(
        "candidate",
        "One finished private computation, say a trained model, with the score it reached.",
    ),
    "run": Term("run", "One try of a private computation, which costs privacy each time."),
}
