"""The law of whole answer strings of a sparse vector, for few queries.

Symbols: one letter for each query asked, the branch's letter or "_" for no answer; the string ends
where the run does. z = threshold noise.
Invariants: probabilities are right to a relative accuracy, however small, as log ratios between
neighbours need: all terms are positive, and nodes go on until no string changes relatively.
"""

import itertools
import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from dpviz.base import Floats, ParameterError
from dpviz.gaps.sparse.noise_nodes import answer_and_reach_probabilities, panel_nodes
from dpviz.gaps.sparse.run_plan import RunPlan

_MOST_STRINGS = 50_000
_ORDER = 16


def answer_string_probabilities(plan: RunPlan, margins: Floats) -> dict[str, float]:
    finished, growing = [], [("", 0)]
    letters = [(branch.letter, branch.cost) for branch in plan.branches] + [("_", 0)]
    for _ in margins:
        longer = [
            (text + letter, units + cost) for text, units in growing for letter, cost in letters
        ]
        finished += [text for text, units in longer if units > plan.largest_continuing_units]
        growing = [
            (text, units) for text, units in longer if units <= plan.largest_continuing_units
        ]
        if (many := len(finished) + len(growing)) > _MOST_STRINGS:
            raise ParameterError("the number of answer strings", many, f"at most {_MOST_STRINGS}")
    strings = finished + [text for text, _ in growing]
    alphabet = "".join(letter for letter, _ in letters)
    return dict(zip(strings, _probabilities(strings, alphabet, plan, margins), strict=True))


def answer_string_count(plan: RunPlan, query_count: int) -> int:
    going, ended = Counter({0: 1}), 0
    for _ in range(query_count):
        longer = Counter[int]()
        for cost in (0, *(branch.cost for branch in plan.branches)):
            longer.update({used + cost: count for used, count in going.items()})
        going = Counter(
            {u: count for u, count in longer.items() if u <= plan.largest_continuing_units}
        )
        ended += longer.total() - going.total()
    return ended + going.total()


def _probabilities(
    strings: Sequence[str], alphabet: str, plan: RunPlan, margins: Floats
) -> list[float]:
    """Sums over the nodes of products over the letters."""
    n, epsilon0 = len(margins), plan.epsilon0
    rate = epsilon0 + n * plan.largest_rate
    kinks = np.unique(np.append(plan.kinks(margins), 0.0))
    beyond = (40.0 + n * math.log(2)) / epsilon0  # e^-40 of a string's probability lies there
    cuts = np.concatenate(([kinks[0] - beyond], kinks, [kinks[-1] + beyond]))
    edges = np.concatenate(
        [
            np.linspace(a, b, math.ceil((b - a) * rate / 6.0) + 1)[:-1]  # 6 e-folds at most
            for a, b in itertools.pairwise(cuts)
        ]
        + [cuts[-1:]]
    )
    nodes = panel_nodes(edges, epsilon0, _ORDER)
    codes = np.full((len(strings), n), len(alphabet))
    for row, text in enumerate(strings):
        codes[row, : len(text)] = [alphabet.index(letter) for letter in text]
    total = np.zeros(len(strings))
    step = max(1, 4_000_000 // (len(strings) * _ORDER))
    for first in range(0, len(edges) - 1, step):
        part = nodes.select_panels(first, min(first + step, len(edges) - 1))
        chance, reach = answer_and_reach_probabilities(plan, margins, part)
        factor = np.concatenate([chance, reach[-1:], np.ones((1, n, part.size))])
        product = factor[codes[:, 0], 0]
        for i in range(1, n):
            product *= factor[codes[:, i], i]
        total += product @ part.weight
    return total.tolist()
