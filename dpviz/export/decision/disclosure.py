"""Limits on the facts of the data that a sheet tells.

Figures that follow from scores stand on a sheet only if somebody said that the data are past, public
or made up. Of protected data, and where nobody said, a sheet is the same for any scores that lead to
the same plan. Names of items stand on no sheet.
"""

from dataclasses import replace
from typing import Final

from dpviz.charts import count_text
from dpviz.studies import Scenario
from dpviz.studies.decision import Decision

WITHHELD: Final = "left out, as it would reveal something about the protected data"
"""Text in the place of a figure."""


def may_disclose_data_figures(decision: Decision) -> bool:
    """True if the sheet may say what was computed on the data."""
    return decision.question.decided_on not in (None, "protected")


def disclosable_item_count(decision: Decision) -> int | None:
    """The number of items that a list is chosen from; None where it would reveal the data."""
    data = decision.question.data
    public = data.items_known or (data.names_known and may_disclose_data_figures(decision))
    return decision.d if public else None


def disclosable_list_phrase(decision: Decision) -> str:
    """Contents of one list, as the end of a sentence."""
    question, d = decision.question, disclosable_item_count(decision)
    if d is not None:
        return f"the {question.k:,} best of {d:,} items"
    many = count_text(question.k, "item")
    largest = f"the {many} with the largest scores"
    return largest if question.data.names_known else f"at most {question.k:,} of the best items"


def disclosable_scenario(decision: Decision) -> Scenario:
    """The scenario without the number of items where that would reveal the data."""
    data = decision.scenario.data
    return decision.scenario.replace(
        data=replace(data, d=disclosable_item_count(decision) and data.d)
    )
