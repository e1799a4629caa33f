"""What a sheet may say of the data that it was decided on.

Figures that follow from scores stand on a sheet only if somebody said that the data are past, public
or made up. Of protected data, and where nobody said, a sheet is the same for any scores that lead to
the same plan. Names of items stand on no sheet.
"""

from dataclasses import replace
from typing import Any, Final

from dpviz.charts import count_text
from dpviz.studies import Scenario
from dpviz.studies.decision import Decision

WITHHELD: Final = "left out, as it would tell of the protected data"
"""What stands in the place of a figure."""


def has_figures_of_data(decision: Decision) -> bool:
    """True if the sheet may say what was computed on the data."""
    return decision.question.decided_on not in (None, "protected")


def item_count(decision: Decision) -> int | None:
    """The number of items that a list is chosen from; None where it would tell of the data."""
    data = decision.question.data
    public = data.items_known or (data.names_known and has_figures_of_data(decision))
    return decision.d if public else None


def list_contents(decision: Decision) -> str:
    """Contents of one list, as the end of a sentence."""
    k, d = decision.question.k, item_count(decision)
    if not decision.question.data.names_known:
        return f"at most {count_text(k, 'item')} of those that occur"
    if d is None:
        return f"the {count_text(k, 'item')} with the largest scores"
    return f"the {k:,} best of {d:,} items"


def shared_scenario(decision: Decision) -> Scenario:
    """The scenario without the number of items where that would tell of the data."""
    data = decision.scenario.data
    hidden: dict[str, Any] = {} if item_count(decision) else {"data": replace(data, d=None)}
    return decision.scenario.replace(**hidden)
