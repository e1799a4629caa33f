"""The sentences and cells of a decision: every figure in words, once, for the page, the sheet and its JSON alike.

Invariants: a figure is the decision's, rounded for the eye by `dpviz.charts.words`; nothing is computed but roundings,
bounds to the safe side.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

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
from dpviz.charts.decision.drift_strip import factor_up
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.data.ingest.kept import NAMES_LEAK
from dpviz.privacy.composition import Total
from dpviz.studies.decision import (
    Cost,
    DecideStudy,
    Decision,
    Help,
    Miss,
    Need,
    Offer,
    Plan,
    Question,
    Utility,
    goal_words,
    tidy_epsilon,
)


class WayWords(NamedTuple):
    """What a way to add releases up is called in a table, and in a sentence, after "by"."""

    title: str
    phrase: str


WAYS: Mapping[str, WayWords] = {
    "basic": WayWords("Basic composition", "basic composition"),
    "pure": WayWords("As little as ε allows", "optimal composition"),
    "rho": WayWords("By ρ (zCDP)", "ρ"),
    "own loss": WayWords("By the noise's own loss", "the noise's own loss"),
    "bounded range": WayWords("Bounded range, if fixed in advance", "bounded range, if fixed in advance"),
}
"""Each way of `dpviz.privacy.composition`."""

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
    """The smallest ε for a goal as it is decided on: rounded up, so that it still reaches the goal.

    >>> least(0.123001), least(1.3725), least(math.inf)
    ('0.1231', '1.373', 'not reached')
    """
    return number(tidy_epsilon(epsilon) if math.isfinite(epsilon) else epsilon)


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
        for way in decision.account.ways
    ]


def with_delta(total: Total | None) -> str:
    """A total, never without the δ that it holds at.

    >>> with_delta(Total(1.5524, 1e-6, "rho")), with_delta(Total(0.5, 0.0, "basic")), with_delta(None)
    ('ε = 1.553 at δ = 1×10⁻⁶', 'ε = 0.5', 'no total at this δ')
    """
    if total is None:
        return "no total at this δ"
    return f"ε = {at_most(total.epsilon)}" + (f" at δ = {at_most(total.delta)}" if total.delta else "")


def smallest_total(decision: Decision) -> str:
    """The smallest valid total of all releases that one unit counts in, and the way that gives it."""
    by = "" if decision.total is None else f", by {WAYS[decision.total.way].phrase}"
    return f"{with_delta(decision.total)}{by}"


def total(decision: Decision) -> str:
    """The totals by each way that is proved, in one line."""
    return "; ".join(
        f"ε = {epsilon}{'' if delta == '0' else f' at δ = {delta}'} by {WAYS[name].phrase}"
        for name, epsilon, delta, reason in totals(decision)
        if not reason
    )


def everyone(decision: Decision) -> str:
    """What it costs whoever counts in every release, where one unit does not; else ""."""
    if decision.everyone is None:
        return ""
    question, cost = decision.question, decision.everyone
    return (
        f"One {question.unit} counts in {count(question.each, 'release')} of {question.releases:,}: "
        f"{with_delta(decision.total)}, {right_of_100(decision.cost)}. A person who is in all of them: "
        f"{with_delta(cost.total)}, {right_of_100(cost)}."
    )


def right_of_100(cost: Cost) -> str:
    """About how many a guesser is right at most.

    >>> right_of_100(Cost(None, 0.5831))
    'a guesser right about at most 59 of 100'
    """
    return f"a guesser right about {_of_100(cost)}"


def _of_100(cost: Cost) -> str:
    bound = at_most_of_100(cost.guess)
    return f"at most {bound} of 100" if bound < 100 else "perhaps all of 100"


def accepted(question: Question) -> str:
    """What all releases may cost, in words."""
    if question.most_right is not None:
        return f"a guesser right about at most {question.most_right} of 100"
    if question.most_epsilon is not None:
        return f"ε = {number(question.most_epsilon)} at δ = {number(question.delta)}"
    return "not said"


def different(question: Question) -> str:
    """How different the real data may be.

    >>> different(Question(smaller=0.8, periods=2)), different(Question())
    ('all scores ×0.8 to ×1, and 2 past periods', 'no different')
    """
    scale = (
        f"all scores ×{question.smaller:g} to ×{question.larger:g}"
        if (question.smaller, question.larger) != (1, 1)
        else ""
    )
    past = count(question.periods, "past period") if question.periods else ""
    return ", and ".join(filter(None, (scale, past))) or "no different"


def verdict(decision: Decision) -> str:
    """The answer: publish it so, or do not, and why."""
    question, cost = decision.question, decision.cost
    after = "all releases" if question.releases > 1 else "it"
    spent = f"{with_delta(cost.total)}; after {after} a guesser is right about {_of_100(cost)}"
    if not decision.do_not_publish:
        fits = " That is within what is accepted." if decision.fits else ""
        return f"{_whole(question)} cost one {question.unit} {spent}.{fits}"
    if decision.fits is False:
        return f"Do not publish this: it would cost {spent}. Accepted is {accepted(question)}."
    return (
        f"Do not publish this: it would cost {spent}. That hardly protects anybody. Ask for less, as below, or publish "
        "nothing."
    )


def _whole(question: Question) -> str:
    return f"All {question.releases:,} releases" if question.releases > 1 else "The release would"


def offer_sentence(question: Question, offer: Offer) -> str:
    """The best quality that the accepted cost buys."""
    best = f"at least {offer.at_least:,} of the {question.k:,} right" if offer.at_least else "not one surely right"
    return (
        f"The best that the accepted cost buys: {offer.label} at ε = {number(offer.epsilon)}, with {best} in "
        f"{as_typed(question.target.probability)} of releases; the goal is met with {percent(offer.chance)}."
    )


def help_sentence(help: Help) -> str:
    """One change that would help, with what it costs."""
    asked = help.question
    what = {
        "releases": f"{count(asked.releases, 'release')} instead of more",
        "k": f"a list of {asked.k:,} ({goal_words(asked.target, asked.k)} in {as_typed(asked.target.probability)})",
        "goal": f"{goal_words(asked.target, asked.k)} in {as_typed(asked.target.probability)} of releases",
    }[help.changes]
    return (
        f"{what[0].upper()}{what[1:]}: {with_delta(help.cost.total)}, {right_of_100(help.cost)} "
        f"({help.label} at ε = {number(help.epsilon)} each)."
    )


def help_sentences(decision: Decision | DecideStudy) -> tuple[str, ...]:
    """What the accepted cost buys, and what would help."""
    first = () if decision.offer is None else (offer_sentence(decision.question, decision.offer),)
    return first + tuple(map(help_sentence, decision.helps))


def drift_sentence(decision: Decision) -> str:
    """How the chance of the goal changes as the data do, and where the goal is lost."""
    chance = {point.factor: percent(point.chance, point.low, point.high) for point in decision.drift}
    ends = [factor for factor in (0.8, 0.99, 1.0, 1.2) if factor in chance]
    said = listed([f"{chance[factor]} with all scores ×{factor:g}" for factor in ends])
    if decision.lost_below is None:
        return f"The goal is met in {said}. It is missed on the data as they are."
    return f"The goal is met in {said}. It is lost where they are less than ×{factor_up(decision.lost_below)} as large."


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
    """The plan in one sentence."""
    return (
        f"{decision.need.label} with ε = {number(decision.epsilon)} a release: "
        f"{outcome(decision.question, decision.utility)}."
    )


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
    """What each mechanism needs, the smallest total first, with its place and its cells."""
    return [
        (place, need, need_cells(need, need.multiple))
        for place, need in sorted(enumerate(decision.needs, 1), key=lambda row: need_order(row[1]))
    ]


def need_order(need: Need | Plan) -> tuple[float, float]:
    """What rows of mechanisms are ordered by."""
    return (math.inf if need.total is None else need.total.epsilon), need.smallest


def need_cells(need: Need | Plan, multiple: float) -> list[str]:
    """The total of all releases, how many times the least that is, how many guess right, and ε of one release."""
    if need.reason:
        return [number(math.inf), "", "", ""]
    return [
        with_delta(need.total).removeprefix("ε = "),
        f"× {multiple:,.2f}" if math.isfinite(multiple) else "",
        f"≤ {at_most_of_100(need.guess)}",
        least(need.smallest),
    ]


def why(decision: Decision) -> str:
    """Why this mechanism."""
    need, among = decision.need, len(decision.needs)
    if among == 1:
        return "The only one that was allowed."
    if decision.question.taken is None:
        return f"Of the {among} allowed its total is the smallest that meets the goal."
    if not math.isfinite(need.multiple):
        return f"Chosen by hand among {among}; it does not reach the goal."
    return f"Chosen by hand among {among}; its total is {need.multiple:,.2f} times the smallest."


def guesses(question: Question, one: Cost, every: Cost) -> list[tuple[float, str]]:
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
    more, pure = decision.question.releases > 1, decision.total is None or not decision.total.delta
    parts = [
        f"from {as_typed(p)} to {at_most_percent(one)}"
        + (f" ({at_most_percent(every)} after all)" if more and pure else "")
        for (p, one), (_, every) in pairs
    ]
    unit = decision.question.unit
    return (
        f"Whoever suspects that a certain {unit} is in the data can come to believe it at most, whatever "
        f"{'one release shows' if more and not pure else 'comes out'}: {', '.join(parts)}."
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
    private = "These figures are not private: they must not be computed on the data that are protected."
    tells = "the choice of ε tells of them, and no ε here covers that."
    if question.decided_on == "protected":
        private = f"This was decided on the protected data themselves: {tells}"
    elif question.decided_on is None:
        private = f"Nobody said whether this was decided on the protected data. If so, {tells}"
    basis = f"{isolated(trimmed(data_name(decision), 60))}, {question.where_from}"
    return (
        decision.change,
        f"{kept} {items_known(decision)}",
        f"The total is for a {unit} that counts in {_in_releases(question)}; what else is published of it adds to it.",
        f"How good the list is was computed on {basis}; the goal is met on data that are {_held(question)}.",
        private,
        "A trusted curator holds the data (central model); the noise is fresh in each release, and no one knows it.",
    )


def _in_releases(question: Question) -> str:
    return "each release" if question.each == question.releases else f"at most {count(question.each, 'release')}"


def _held(question: Question) -> str:
    return f"as different as was said ({different(question)}), while ε holds on any"


def contradictions(question: Question) -> dict[str, str]:
    """Answers that do not go together, by the screen where they arise, in a sentence each."""
    data, unit, told = question.data, question.unit, dict[str, str]()
    uploaded = data.source == "uploaded"
    if uploaded and question.decided_on == "generated":
        told["data"] = "A file was loaded, and the answer still is that these data are made up. Are they?"
    elif not uploaded and question.decided_on in {"past", "protected"}:
        told["data"] = (
            "These data are a made-up example, and the answer is that they are real. Load the file they are in."
        )
    elif question.decided_on is None:
        told["data"] = "Where are these data from? Until somebody says, the sheet has it as not answered."
    elif question.decided_on == "protected":
        told["data"] = (
            "Decided on the protected data themselves, the choice of ε tells of the people in them, and the sheet says "
            "so. Data of the past are better."
        )
    if question.releases > 1 and question.each == question.releases and "-" in unit:
        told["protected"] = (
            f"One {unit} cannot count in all {question.releases:,} releases if each is about another time. Say in how "
            "many it can; the total of a person who is in all of them stands beside it."
        )
    if data.items_known is False:
        told["names"] = NAMES_LEAK.replace("person", unit)
    return told


SIDE_BY_SIDE: Mapping[str, Callable[[Decision], str]] = {
    "Goal": goal_sentence,
    "Mechanism": lambda d: d.need.label,
    "All releases": lambda d: f"{releases(d)}: {smallest_total(d)}",
    "ε of one release": lambda d: number(d.epsilon),
    "The goal is met in": lambda d: percent(d.utility.chance, d.utility.low, d.utility.high),
    "Missing on average": lambda d: f"{d.utility.missed:.2g} of {d.question.k:,}",
    "A guesser is right about": lambda d: f"at most {at_most_of_100(d.cost.guess)} of 100",
    "Likeliest miss": lambda d: miss_sentences(d)[0],
    "Unit of privacy": lambda d: d.question.unit,
    "Neighbouring data": neighbours,
    "Contributions": contributions,
    "Decided on": data_name,
}
"""What two decisions are held against each other by."""
