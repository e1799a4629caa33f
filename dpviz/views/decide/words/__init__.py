"""The sentences and cells of a decision: every figure in words, once, for the page, the sheet and its JSON alike.

`phrases` has what sentences are made of (read it first), `price` what a plan costs, `quality` how good its lists are,
`basis` what both rest on. Invariants: a figure is the decision's, rounded for the eye by `dpviz.charts.words`; nothing
is computed but roundings, bounds to the safe side.
"""

from collections.abc import Callable, Mapping

from dpviz.charts import at_most_of_100, percent
from dpviz.studies.decision import Decision
from dpviz.views.decide.words.basis import (
    assumptions,
    contradictions,
    contributions,
    delta_of_one,
    items_known,
    neighbours,
    not_covered,
    protected,
    searched,
)
from dpviz.views.decide.words.phrases import (
    accepted,
    data_name,
    different,
    goal,
    least,
    listed_items,
    number,
    releases,
    right_of_100,
    with_delta,
)
from dpviz.views.decide.words.price import (
    WAYS,
    belief_sentence,
    cap_sentences,
    everyone,
    guess_sentence,
    guesses,
    help_sentences,
    need_cells,
    need_order,
    needs,
    rho,
    smallest_total,
    total,
    totals,
    verdict,
    why,
)
from dpviz.views.decide.words.quality import (
    drift_sentence,
    exactness,
    goal_sentence,
    headline,
    hits_sentence,
    length_of,
    length_sentence,
    miss_sentences,
    outcome,
    own_delta,
    utility,
)

__all__ = [
    "SIDE_BY_SIDE",
    "WAYS",
    "accepted",
    "assumptions",
    "belief_sentence",
    "cap_sentences",
    "contradictions",
    "contributions",
    "data_name",
    "delta_of_one",
    "different",
    "drift_sentence",
    "everyone",
    "exactness",
    "goal",
    "goal_sentence",
    "guess_sentence",
    "guesses",
    "headline",
    "help_sentences",
    "hits_sentence",
    "items_known",
    "least",
    "length_of",
    "length_sentence",
    "listed_items",
    "miss_sentences",
    "need_cells",
    "need_order",
    "needs",
    "neighbours",
    "not_covered",
    "number",
    "outcome",
    "own_delta",
    "protected",
    "releases",
    "rho",
    "right_of_100",
    "searched",
    "smallest_total",
    "total",
    "totals",
    "utility",
    "verdict",
    "why",
    "with_delta",
]


SIDE_BY_SIDE: Mapping[str, Callable[[Decision], str]] = {
    "Goal": goal_sentence,
    "Mechanism": lambda d: d.need.label,
    "All releases": lambda d: f"{releases(d)}: {smallest_total(d)}",
    "ε of one release": lambda d: f"{number(d.epsilon)}{own_delta(d)}",
    "The goal is met in": lambda d: percent(d.utility.chance, d.utility.low, d.utility.high),
    "Missing on average": lambda d: f"{d.utility.missed:.2g} of {d.question.k:,}",
    "A guesser is right about": lambda d: f"at most {at_most_of_100(d.cost.guess)} of 100",
    "Length": lambda d: length_of(d.utility) or f"always {d.question.k:,}",
    "Likeliest miss": lambda d: miss_sentences(d)[0],
    "Unit of privacy": lambda d: d.question.unit,
    "Neighbouring data": neighbours,
    "Contributions": contributions,
    "Decided on": data_name,
}
"""What two decisions are held against each other by."""
