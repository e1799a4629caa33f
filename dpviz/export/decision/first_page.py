"""First page of a sheet: at most twelve sentences, for readers who know no ε.

Invariants: each figure is the decision's, rounded to the safe side; none reveals protected data.
"""

from dpviz.base import round_down
from dpviz.charts import count_text, shorten_text
from dpviz.export.decision.disclosure import disclosable_list_phrase, may_disclose_data_figures
from dpviz.pages.decide.sentences import phrases, price, quality
from dpviz.studies.decision import WEAK, Cost, Decision
from dpviz.studies.decision.publisher_details import PublisherDetails, day_in_words
from dpviz.studies.stated_rule import threshold_sentences

_LONG = 70  # characters of a name that a person gave


def first_page_sentences(decision: Decision, publisher: PublisherDetails) -> tuple[str, ...]:
    """The verdict, the plan, the risk, the quality, and what the sheet does not cover."""
    question, unit = decision.question, decision.question.unit
    name, lists = shorten_text(question.name, _LONG), count_text(question.releases, "list")
    over, everyone = f" over {question.period}" if question.period else "", decision.everyone
    each = "each meant" if question.releases > 1 else "meant"
    # of a person who is replaced, the attacker tells two records apart
    about = f"whether one {unit} is in the data"
    about = about if question.data.monotonic else f"which of two records one {unit} has"
    return (
        verdict_without_epsilon(decision),
        (
            f"{name or 'This plan'}: {lists} will be published{over}, {each} to have"
            f" {disclosable_list_phrase(decision)}."
        ),
        f"Each list is drawn partly at random, to make guesses about one {unit} hard.",
        *threshold_sentences(decision.mechanism),
        f"An attacker who knows everything else guesses {about}.",
        f"After {phrases.covered_lists_phrase(question)}, the guess {_right(decision.cost)} (pure guessing: 50).",
        *(
            []
            if everyone is None
            else [f"If one person is in every list, the guess {_right(everyone)}."]
        ),
        _names_sentence(decision),
        _quality(decision),
        "Everyone who holds the true counts still sees them.",
        "More lists than these, or other publications about the same people, add to the risk.",
        f"This decision must be reviewed by {day_in_words(publisher.review_date)}."
        if publisher.review_date
        else "No date was set for a review of this decision.",
    )


def verdict_without_epsilon(decision: Decision) -> str:
    """The verdict without ε; of protected data it says nothing of the goal."""
    verdict, figures = decision.verdict, may_disclose_data_figures(decision)
    meets_goal = verdict.meets_goal or not figures
    begins = price.verdict_phrase(verdict.kind, meets_goal=meets_goal)
    if figures and verdict.nearest is not None:
        return f"{begins}. The second page names the nearest plan within it."
    weak = " It promises hardly any protection." if decision.cost.guess >= WEAK else ""
    return f"{begins}.{weak}"


def _right(cost: Cost) -> str:
    return phrases.right_guesses_phrase(cost).removeprefix("an attacker ")


def _names_sentence(decision: Decision) -> str:
    known, unit = decision.question.data.items_known, decision.question.unit
    if known:
        return "The items come from a list that does not depend on the data."
    if known is None:
        return (
            "This holds only if the list of items does not depend on the data; nobody has"
            " confirmed that."
        )
    one_in = round_down(1 / decision.mechanism.delta_spent, 2)
    return (
        f"In each list, an item that only one {unit} has appears with a chance of at most 1 in"
        f" {one_in:,.0f}."
    )


def _quality(decision: Decision) -> str:
    question = decision.question
    if not may_disclose_data_figures(decision):
        which = "the" if question.decided_on == "protected" else "what may be the"
        return (
            f"The plan was chosen on {which} protected data: no figure here covers what the choice"
            " reveals."
        )
    outcome = quality.outcome_phrase(question, decision.utility).replace(" releases", " lists")
    return (
        f"On {shorten_text(phrases.data_label(decision), _LONG)}, {outcome} (aim:"
        f" {100 * question.parsed_goal.probability:.4g})."
    )
