"""The decision sheet: one HTML file that explains itself and prints on two A4 pages.

Invariants: no script, nothing fetched, every text escaped; never a score, a seed or the name of an
item; of protected data nothing; the date is the caller's; structure by tables alone, as word
processors read no other.
"""

from dataclasses import asdict
from datetime import date as Date
from typing import Any
from urllib.parse import urlencode

from dpviz.base import declared_parameters
from dpviz.charts import percent_upper_bound, shorten_text, upper_bound_text
from dpviz.export.decision.disclosure import (
    WITHHELD,
    disclosable_scenario,
    may_disclose_data_figures,
)
from dpviz.export.decision.first_page import first_page_sentences
from dpviz.export.decision.record import sheet_number_and_digest, versions
from dpviz.export.decision.release_code import release_code
from dpviz.export.document import render_document
from dpviz.pages.decide.sentences import basis, phrases, price, quality
from dpviz.pages.deployments.sentences import plan_among_deployments_sentence
from dpviz.studies.decision import Decision
from dpviz.studies.decision.publisher_details import (
    PublisherDetails,
    day_in_words,
    read_publisher_details,
    without_publisher_details,
)

# rows of the table of needs: two decisions leave less room on the page
_MOST_DESIGNS, _BESIDE_DESIGNS = 5, 3
_ALONE = (
    "Their total by each way",
    "Among public deployments",
)  # what two decisions leave no room for
_SIGNED = ("decided_by", "data_steward")  # with a line on the first page
_STAMPED = ("sheet_version", "replaces")
_OF_DATA = frozenset(
    {"Verdict in full", "Why this one", "Smallest ε for the goal", "Utility", "If the data differ"}
)
"""Fields computed on the data, which a sheet may not always state."""


def _technical_rows(d: Decision) -> dict[str, str]:
    """The second page's table: what is stated, and the text."""
    guesses = price.guess_bounds_with_occasions(d.question, d.one, d.cost)
    neighbours, limit = (
        basis.neighbouring_relation_text(d),
        basis.contribution_limit_phrase(d.question),
    )
    epsilon, delta = (
        phrases.format_parameter(d.epsilon),
        upper_bound_text(d.mechanism.delta_spent),
    )
    plan, data = d.chosen_plan_with_curves, shorten_text(phrases.data_label(d), 120)
    smallest = (
        "not searched: the noise is stated"
        if d.mechanism.states_noise
        else phrases.format_smallest_epsilon(plan.smallest)
    )
    rows = {
        "Total of all releases": price.composed_total_phrase(d),
        "Their total by each way": price.totals_phrase(d),
        "Verdict in full": price.verdict_sentence(d),
        "Limit": phrases.accepted_cost_phrase(d.question),
        "An attacker is right": "; ".join(
            f"{after}: in at most {percent_upper_bound(guess)} of 100 cases"
            for guess, after in guesses
        ),
        "Among public deployments": plan_among_deployments_sentence(d.cost.guess, d.question.unit),
        "Belief": price.belief_sentence(d),
        "Protected": basis.protection_sentence(d),
        "Neighbouring data": f"{neighbours}; one counts in {limit}",
        "Mechanism": plan.label,
        "Why this one": price.mechanism_reason(d),
        "ε and δ of one release": f"ε = {epsilon}, δ = {delta}; ρ = {price.rho_phrase(d)}",
        "Smallest ε for the goal": smallest,
        "Decided on": f"{data}: {d.question.data_origin}",
        "Goal": quality.goal_sentence(d),
        "Utility": quality.goal_chance_sentence(d),
        "If the data differ": quality.drift_sentence(d),
    }
    return rows if may_disclose_data_figures(d) else rows | dict.fromkeys(_OF_DATA, WITHHELD)


def decision_sheet(decision: Decision, *, date: Date, beside: Decision | None = None) -> str:
    """The sheet of a decision as one HTML page; `beside` is another to stand next to it."""
    title = f"Decision sheet: {shorten_text(decision.question.name, 80) or 'a private list'}"
    columns = [decision] if beside is None else [decision, beside]
    told = [(each, read_publisher_details(each.scenario)) for each in columns]
    technical = [_technical_rows(each) for each in columns]
    needs = _needs(decision, _MOST_DESIGNS if beside is None else _BESIDE_DESIGNS)
    return render_document(
        "sheet",
        title=title,
        stamp=_stamp(decision, date),
        made_with=", ".join(f"{name} {number}" for name, number in versions().items()),
        digest=sheet_number_and_digest(decision)["digest"],
        data_digest=decision.digest if may_disclose_data_figures(decision) else None,
        columns=[first_page_sentences(each, said) for each, said in told],
        right=[percent_upper_bound(each.cost.guess) for each in columns],
        signed=_details(decision, signed=True),
        technical=[
            (name, [each[name] for each in technical])
            for name in technical[0]
            if beside is None or name not in _ALONE
        ],
        **(needs if may_disclose_data_figures(decision) else {}),
        assumptions=_assumptions(decision, beside),
        particulars=_details(decision, signed=False),
        code=release_code(decision),
        link="?" + urlencode(without_publisher_details(disclosable_scenario(decision)).to_query()),
    )


def _details(decision: Decision, *, signed: bool) -> list[tuple[str, str]]:
    """Each role with the name above its line, or each other answer of the publisher."""
    said = asdict(read_publisher_details(decision.scenario))
    return [
        (p.label, shorten_text(said[p.name], 30 if signed else 90))
        for p in declared_parameters(PublisherDetails)
        if (p.name in _SIGNED) is signed and p.name not in _STAMPED
    ]


def _stamp(decision: Decision, date: Date) -> str:
    said = read_publisher_details(decision.scenario)
    replaces = f"sheet {shorten_text(said.replaces, 30)}" if said.replaces else "no other sheet"
    return (
        f"Sheet {sheet_number_and_digest(decision)['number']}, version {shorten_text(said.sheet_version, 30) or 1},"
        f" {day_in_words(date.isoformat())}. Replaces {replaces}."
    )


def _needs(decision: Decision, most: int) -> dict[str, list[Any]]:
    """(taken or not, name, cells, reason) of the plan taken and the cheapest; others in brief."""
    every = sorted(
        price.plan_rows(decision),
        key=lambda row: row[1] is not decision.chosen_plan_with_curves,
    )
    most -= len(every) > most  # the others take a row
    rows = sorted(every[:most], key=lambda row: row[1].sort_key(decision.question))
    return {
        "needs": [
            (need is decision.chosen_plan_with_curves, need.label, cells, need.reason)
            for _, need, cells in rows
        ],
        "other_needs": [
            f"{need.label}: {need.reason or f'{cells[0]}, {cells[-1]} each'}"
            for _, need, cells in every[most:]
        ],
    }


def _assumptions(decision: Decision, beside: Decision | None) -> tuple[str, ...]:
    first = basis.assumptions(decision)
    second = () if beside is None else basis.assumptions(beside)
    return first + tuple(f"B: {each}" for each in second if each not in first)
