"""The sentences and cells of a decision: every figure in words, once, for the page, the sheet and its JSON alike.

Invariants: a figure is the decision's, rounded for the eye by `dpviz.charts.words`; nothing is computed but roundings,
bounds to the safe side.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from dpviz.base import ADDED, REPLACED
from dpviz.charts import (
    as_typed,
    at_most,
    at_most_of_100,
    at_most_percent,
    count,
    isolated,
    listed,
    of_releases,
    percent,
    power,
    trimmed,
)
from dpviz.charts import number as written
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.data.ingest.kept import NAMES_LEAK
from dpviz.studies.decision import DECIDED_ON, Decision, Miss, Need, Odds, Question, Utility, goal_words

_NAMES = 3  # of items in a sentence
_LONGEST = 36  # characters of a name in a sentence
_RARE = 1e-3  # a list that comes out less often is no likely miss


def number(value: float) -> str:
    """A parameter, with at most four digits.

    >>> number(0.19), number(2.2800000000000002), number(1e-6), number(math.inf), number(0.0)
    ('0.19', '2.28', '1×10⁻⁶', 'not reached', '0')
    """
    return written(value) if math.isfinite(value) else "not reached"


def least(epsilon: float) -> str:
    """The smallest ε for a goal as people write it down: rounded up, so that it still reaches the goal.

    >>> least(0.123001), least(math.inf)
    ('0.124', 'not reached')
    """
    return at_most(epsilon, digits=3) if math.isfinite(epsilon) else number(epsilon)


def item_names(names: Sequence[str]) -> str:
    """Names in a sentence, cut where they are long and counted where they are many.

    >>> item_names(["Zoo", "Farm"]).replace("\\u2068", "").replace("\\u2069", "")
    'Zoo and Farm'
    """
    left = [f"{len(names) - _NAMES:,} more"] if len(names) > _NAMES else []
    return listed([*(isolated(trimmed(name, _LONGEST)) for name in names[:_NAMES]), *left])


def data_name(decision: Decision) -> str:
    """What the data are called: by the person, else by where they come from."""
    data = decision.question.data
    if data.called:
        return data.called
    if data.source == "example":
        return f"{EXAMPLES[data.name].label} (made up)"
    return f"{GENERATORS.label(data.name)}, generated" if data.source == "generated" else "not named"


def neighbours(decision: Decision) -> str:
    """What two neighbouring data sets differ in, with the words of NIST SP 800-226."""
    relation, kind = (ADDED, "unbounded") if decision.question.data.monotonic else (REPLACED, "bounded")
    return f"{relation.replace('person', decision.question.unit)} ({kind})"


def contributions(decision: Decision) -> str:
    """In how many items one unit can count."""
    most = decision.question.data.contributions
    return "any number of items" if most is None else f"at most {count(most, 'item')}"


def releases(decision: Decision) -> str:
    """How many, over what time."""
    question = decision.question
    over = f" over {question.period}" if question.period else ""
    return count(question.releases, "release") + over


def rho(decision: Decision) -> str:
    """ρ of one release: its own, else that of any release of this ε."""
    own_rho, of_any = decision.mechanism.zcdp, decision.epsilon**2 / 2
    return f"{at_most(of_any)} (ε²/2, which any release of this ε has)" if own_rho is None else at_most(own_rho)


def totals(decision: Decision) -> list[tuple[str, str, str, str]]:
    """What all releases cost one who counts in each, by each way: its name, ε at a δ, or why it does not hold."""
    return [
        (way.name, "", "", way.reason)
        if way.total is None
        else (way.name, at_most(way.total.epsilon), at_most(way.total.delta), "")
        for way in decision.total.ways
    ]


def total(decision: Decision) -> str:
    """The same by each way that is proved, in one line."""
    by = {
        "basic": "basic composition",
        "pure": "optimal composition",
        "rho": "ρ",
        "bounded range": "bounded range, if fixed in advance",
    }
    return "; ".join(
        f"ε = {epsilon}{'' if delta == '0' else f' at δ = {delta}'} by {by[name]}"
        for name, epsilon, delta, reason in totals(decision)
        if not reason
    )


def exactness(utility: Utility) -> str:
    """Whether the law at ε is exact, and how near."""
    if utility.method == "exact":
        return f"exact, error below {power(math.ceil(math.log10(max(utility.error, 1e-15))))}"
    return f"estimated from {utility.draws:,} draws, 95 % interval {percent(utility.low)} to {percent(utility.high)}"


def goal(question: Question) -> str:
    """What is asked of a release, as the beginning of a sentence."""
    words = goal_words(question.target, question.k)
    return f"{words[0].upper()}{words[1:]}"


def goal_sentence(decision: Decision) -> str:
    """The goal."""
    return f"{goal(decision.question)}, in {as_typed(decision.question.target.probability)} of releases"


def outcome(question: Question, utility: Utility) -> str:
    """How often the goal is met, or how large the share is, as the end of a sentence."""
    bounds = utility.chance, utility.low, utility.high
    if question.target.event == "share":
        return f"{percent(*bounds)} of the true top {question.k:,} come out on average"
    return f"{goal_words(question.target, question.k)} in {of_releases(*bounds)}"


def headline(decision: Decision) -> str:
    """The decision in one sentence."""
    return f"With ε = {number(decision.epsilon)} {outcome(decision.question, decision.utility)}."


def utility(decision: Decision) -> str:
    """The chance of the goal, and how many are missing on average."""
    result, k = decision.utility, decision.question.k
    goal = "The goal is met" if decision.question.target.event != "share" else "The share is"
    return (
        f"{goal} with {percent(result.chance, result.low, result.high)} ({exactness(result)}). Of the {k:,}, "
        f"{result.missed:.2g} are missing on average (drop rate {percent(result.drop_rate)}), and as many stand in "
        f"their places (spurious rate {percent(result.spurious_rate)})."
    )


def needs(decision: Decision) -> list[tuple[int, Need, list[str]]]:
    """What each mechanism needs, the least first, with its place: ε, how many times the least, its turns, its law."""
    return [
        (
            place,
            need,
            [
                least(need.epsilon),
                "" if need.reason else f"× {need.multiple:.2f}",
                number(need.shape.turning),
                "" if need.shape.levels_off is None else number(need.shape.levels_off),
                need.method,
            ],
        )
        for place, need in sorted(enumerate(decision.needs, 1), key=lambda row: row[1].epsilon)
    ]


def why(decision: Decision) -> str:
    """Why this mechanism."""
    need, among = decision.need, len(decision.needs)
    if among == 1:
        return "The only one that was allowed."
    if decision.question.taken is None:
        return f"Of the {among} allowed it needs the smallest ε for the goal."
    if not math.isfinite(need.multiple):
        return f"Chosen by hand among {among}; it does not reach the goal."
    return f"Chosen by hand among {among}; it needs {need.multiple:.2f} times the smallest ε."


def guesses(question: Question, one: Odds, every: Odds) -> list[tuple[float, str]]:
    """How often a guess can be right at most: after `one` release, and after `every` one where there are several."""
    after_one, after_all = (one.guess, "after one release"), (every.guess, f"after all {question.releases:,}")
    return [after_one, after_all] if question.releases > 1 else [after_one]


def guess_sentence(guess: float, after: str) -> str:
    """What a guesser can be right about."""
    bound = at_most_of_100(guess)
    people = f"at most {bound} of 100 people" if bound < 100 else "perhaps nearly all of 100 people"
    return f"{after}: right about {people}, where blind guessing is right about 50."


def belief_sentence(decision: Decision) -> str:
    """How far each prior belief can move."""
    pairs = zip(decision.odds.beliefs, decision.total_odds.beliefs, strict=True)
    more = decision.question.releases > 1
    parts = [
        f"from {as_typed(p)} to {at_most_percent(one)}" + (f" ({at_most_percent(every)} after all)" if more else "")
        for (p, one), (_, every) in pairs
    ]
    unit = decision.question.unit
    return (
        f"Whoever suspects that a certain {unit} is in the data can come to believe it at most: "
        + ", ".join(parts)
        + "."
    )


def _miss(decision: Decision, miss: Miss) -> str:
    missing, instead = ([decision.labels[item] for item in items] for items in (miss.missing, miss.instead))
    verb = "is" if len(missing) == 1 else "are"
    alike = f" (one of {number(miss.alike)} equally likely lists)" if miss.alike > 1 else ""
    chance = of_releases(miss.probability, miss.low, miss.high)
    return f"{item_names(missing)} {verb} missing, {item_names(instead)} in instead: {chance}{alike}."


def miss_sentences(decision: Decision) -> tuple[str, ...]:
    """The likeliest wrong lists, then the items that are most often missing and in instead."""
    misses = decision.misses
    lines = [_miss(decision, miss) for miss in misses.lists if miss.probability >= _RARE]
    if not lines:
        lines.append("Each single wrong list is rarer than 1 of 1,000 releases; these items are most often concerned.")
    for start, items in (("Most often missing", misses.missing), ("Most often in instead", misses.instead)):
        named = [
            f"{item_names([decision.labels[each.item]])} {percent(each.probability, each.low, each.high)}"
            for each in items[:_NAMES]
        ]
        if named:
            lines.append(f"{start}: {', '.join(named)}.")
    return tuple(lines)


def hits_sentence(decision: Decision) -> str:
    """The likeliest numbers of right ones."""
    chance = dict(enumerate(decision.utility.hits))
    likely = sorted(sorted(chance, key=lambda j: -chance[j])[:_NAMES], reverse=True)
    often = [f"{j:,} in {of_releases(chance[j])}" for j in likely if chance[j] > _RARE]
    return f"So many of the {decision.question.k:,} are right: {', '.join(often)}."


def cap_sentences(decision: Decision) -> tuple[str, ...]:
    """What a cap on contributions would save."""
    now, unit = min(need.epsilon for need in decision.needs), decision.question.unit
    return tuple(
        f"Each {unit} in at most {count(cap.contributions, 'item')}: ε = {least(cap.epsilon)} would do "
        f"({cap.label}), {cap.epsilon / now:.2f} of what is needed now."
        for cap in decision.caps[:_NAMES]
    )


def items_known(decision: Decision) -> str:
    """Whether the list of items was known before the data were, and what it takes if it was not said."""
    known = decision.question.data.items_known
    if known is None:
        return "The list of items must not depend on the data: it has not been said that it was known beforehand."
    if known:
        return "The list of items was known before the data were."
    return NAMES_LEAK.replace("person", decision.question.unit)


def assumptions(decision: Decision) -> tuple[str, ...]:
    """What the guarantee and the figures rest on."""
    question, unit = decision.question, decision.question.unit
    data = question.data
    kept = (
        f"One {unit} may count in any number of items."
        if data.contributions is None
        else f"Counting keeps each {unit} to at most {count(data.contributions, 'item')}."
    )
    basis = f"{isolated(trimmed(data_name(decision), 60))}, {DECIDED_ON[str(question.decided_on)]}"
    return (
        decision.change,
        f"{kept} {items_known(decision)}",
        f"The total is for a {unit} that counts in each release; what else is published of the same {unit} adds to it.",
        f"How good the list is was computed on {basis}; on other data it differs, while ε holds on any.",
        "These figures are not private: they must not be computed on the data that are protected.",
        "A trusted curator holds the data (central model); the noise is fresh in each release, and no one knows it.",
    )


SIDE_BY_SIDE: Mapping[str, Callable[[Decision], str]] = {
    "Goal": goal_sentence,
    "Mechanism": lambda d: d.need.label,
    "ε of one release": lambda d: number(d.epsilon),
    "All releases": lambda d: f"{releases(d)}: {total(d)}",
    "The goal is met in": lambda d: percent(d.utility.chance, d.utility.low, d.utility.high),
    "Missing on average": lambda d: f"{d.utility.missed:.2g} of {d.question.k:,}",
    "A guesser is right about": lambda d: f"at most {at_most_of_100(d.total_odds.guess)} of 100",
    "Likeliest miss": lambda d: miss_sentences(d)[0],
    "Unit of privacy": lambda d: d.question.unit,
    "Neighbouring data": neighbours,
    "Contributions": contributions,
    "Decided on": data_name,
}
"""What two decisions are held against each other by."""
