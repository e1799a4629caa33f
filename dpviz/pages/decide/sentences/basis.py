"""Basis of a decision in words: protection, data, and answers that contradict each other."""

import math

from dpviz.base import ADDED, REPLACED, Scores
from dpviz.charts import (
    count_text,
    isolate_direction,
    join_with_and,
    shorten_text,
    upper_bound_text,
)
from dpviz.pages.decide.sentences.phrases import covered_lists_phrase, data_drift_phrase, data_label
from dpviz.studies.decision import Decision, Question, excluded_mechanisms_text
from dpviz.topk import TOP_K, TopKMechanism

_MOST_EPSILON = 700.0  # of which a float holds e^ε


def neighbouring_relation_text(decision: Decision) -> str:
    """Difference of neighbouring data sets, in the words of NIST SP 800-226."""
    relation, kind = (
        (ADDED, "unbounded") if decision.question.data.monotonic else (REPLACED, "bounded")
    )
    return f"{relation.replace('person', decision.question.unit)} ({kind})"


def protection_sentence(decision: Decision) -> str:
    """The protected unit, and ε and δ of one release as a ratio of chances."""
    question, spent = decision.question, decision.mechanism.delta_spent
    relation = (ADDED if question.data.monotonic else REPLACED).replace("person", question.unit)
    times = math.exp(decision.epsilon) if decision.epsilon < _MOST_EPSILON else math.inf
    beside = f", plus a chance of {upper_bound_text(spent)}," if spent else ""
    return (
        f"One {question.unit}, who counts in {contribution_limit_phrase(question)}. One list is at"
        f" most {upper_bound_text(times)} times as likely{beside} with {relation}."
    )


def contribution_limit_phrase(question: Question) -> str:
    most = question.data.contributions
    return "any number of items" if most is None else f"at most {count_text(most, 'item')}"


def known_items_sentence(decision: Decision) -> str:
    """Sentence on the list of items: known before the data, or what it takes if not."""
    known = decision.question.data.items_known
    if known is None:
        return (
            "The list of all possible items must not depend on the data. Nobody has confirmed that."
        )
    if known:
        return "The list of all possible items does not depend on the data."
    m, unit = decision.mechanism, decision.question.unit
    return (
        f"The items come from the data. One that only one {unit} has appears on a list with a chance"
        f" of at most δ = {upper_bound_text(m.delta_spent)}."
    )


def assumptions(decision: Decision) -> tuple[str, ...]:
    question, unit = decision.question, decision.question.unit
    data = question.data
    kept = (
        f"One {unit} may count in any number of items."
        if data.contributions is None
        else f"Each {unit} is counted in at most {count_text(data.contributions, 'item')}."
    )
    private = "These figures are not private. They must not be computed on the protected data."
    tells = "hat choice reveals something about them, and no figure here covers it."
    if question.decided_on == "protected":
        private = f"ε was chosen on the protected data. T{tells}"
    elif question.decided_on is None:
        private = f"Nobody said if ε was chosen on the protected data. If so, t{tells}"
    releases = (
        covered_lists_phrase(question)
        if question.releases_per_unit == question.releases
        else f"at most {count_text(question.releases_per_unit, 'release')}"
    )
    basis = f"{isolate_direction(shorten_text(data_label(decision), 60))}, {question.data_origin}"
    return (
        decision.change,
        f"{kept} {known_items_sentence(decision)}",
        *filter(
            None,
            (
                release_delta_sentence(question)
                if splits_delta_by_release(decision.mechanism)
                else "",
                candidate_count_sentence(decision),
            ),
        ),
        *filter(None, [decision.mechanism.unproved_reason]),
        f"The total is for a {unit} in {releases}. Other publications come on top.",
        (
            f"The quality was computed on {basis}. The goal is for data like these"
            f" ({data_drift_phrase(question)}). ε holds on any data."
        ),
        private,
        (
            "A trusted curator holds the data (central model). Each release has fresh noise, which"
            " nobody knows."
        ),
    )


def period_item_difference_sentence(
    scores: Scores, period: Scores, name: str = "A past period"
) -> str:
    """Difference between the items of a past period and of the data; "" where there is none."""
    if scores.labels is None or period.labels is None:
        return ""
    common = len(set(scores.labels).intersection(period.labels))
    if not common:
        return f"{name} has no item in common with the data. Is it the right file?"
    more, fewer = period.d - common, scores.d - common
    if not (more or fewer):
        return ""
    return (
        f"{name} has {count_text(more, 'item')} that the data lack, and lacks"
        f" {count_text(fewer, 'item')} of theirs."
    )


def answer_warnings_by_topic(question: Question) -> dict[str, str]:
    data, unit, told = question.data, question.unit, dict[str, str]()
    uploaded = data.source == "uploaded"
    if uploaded and question.decided_on == "generated":
        told["data"] = (
            "The answer says that these data are made up, but they come from a file. Are they?"
        )
    elif not uploaded and question.decided_on in {"past", "protected"}:
        told["data"] = (
            "The answer says that these data are real, but they are a made-up example. Please load"
            " your file."
        )
    elif question.decided_on is None:
        told["data"] = (
            "Where do these data come from? Without an answer, the sheet says that this is open."
        )
    elif question.decided_on == "protected":
        told["data"] = (
            "Choosing on the protected data reveals something about the people in them, and the"
            " sheet says so. Past data are better."
        )
    if question.releases > 1 and question.releases_per_unit == question.releases and "-" in unit:
        told["protected"] = (
            f"One {unit} cannot be in all {question.releases:,} lists if each is about another"
            f" time. Please say in how many lists one {unit} can be counted."
        )
    if not any(
        TOP_K[design.mechanism].guarantee_holds(data.names_known) for design in question.designs
    ):
        told["names"] = (
            f"The items come from the data, and one {unit} can add one. The mechanisms that you"
            " chose do not protect against that. Choose special ones, or upload a catalogue."
        )
    return told


def splits_delta_by_release(mechanism: TopKMechanism) -> bool:
    """True if each release has a share of δ; that of a stated noise follows from the noise."""
    return mechanism.zcdp_delta > 0 and not mechanism.states_noise


def release_delta_sentence(question: Question) -> str:
    """δ of one release, for mechanisms with a δ of their own."""
    if not question.delta:
        return (
            "Mechanisms with a δ of their own are left out, as all releases together may have none."
        )
    return (
        f"All releases together have δ = {upper_bound_text(question.delta)}. Where the δ of releases"
        f" add up, each has δ = {upper_bound_text(question.release_delta)}."
    )


def allowed_mechanisms_sentence(question: Question) -> str:
    """The mechanisms that are allowed, and the answers that chose them."""
    known = {
        True: "There is a list of all possible items",
        None: "A list of all possible items is assumed, as nobody answered that",
        False: "There is no list of all possible items",
    }[question.data.items_known]
    labels = ", ".join(dict.fromkeys(TOP_K.label(design.mechanism) for design in question.designs))
    left = excluded_mechanisms_text(question.data, question.designs)
    return (
        f"Allowed: {labels}. {known}. One {question.unit} may count in"
        f" {contribution_limit_phrase(question)}. {left}"
    ).strip()


def candidate_count_sentence(decision: Decision) -> str:
    """Choice of the number of candidates; "" where there are none."""
    chosen = decision.chosen_plan_with_curves
    many = chosen.design.parameters.get("candidates")
    if many is None:
        return ""
    plans = [one for one in decision.needs if "candidates" in one.design.parameters]
    tried = sorted({one.design.parameters["candidates"] for one in plans})
    among = ""
    if len(tried) > 1 and chosen.meets_goal:
        best = chosen is min(plans, key=lambda one: one.sort_key(decision.question))
        how = "is the best on these data" if best else "was chosen by hand"
        among = f" Of {join_with_and([f'{one:,}' for one in tried])}, that number {how}."
    fixed = "It is now fixed, and must not be chosen again on the data to be published."
    if decision.question.decided_on == "protected":
        fixed = "It was chosen on the protected data. Neither ε nor δ covers what that reveals."
    return f"Only the {many:,} largest counts may appear.{among} {fixed}"
