"""One release: everything checked and prepared, then written into the record, then drawn.

Invariants: nothing is drawn before its line is on the disk; what can fail fails before that, where nothing is spent;
names come out sorted, so that their order tells nothing of their scores.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dpviz.reports.release.counts import Counts
from dpviz.reports.release.plan import Plan
from dpviz.reports.release.record import Record
from dpviz.reports.release.tools import tool_for


@dataclass(frozen=True)
class Release:
    """What came out.

    Parameters
    ----------
    names
        The items chosen, sorted by name.
    noisy
        The noisy score of each where ε covers them; None else.
    """

    names: tuple[str, ...]
    noisy: tuple[float, ...] | None


def make_release(
    plan: Plan, counts: Counts, *, number: int, record: Record, sheet_digest: str, recorded: Callable[[], None]
) -> Release:
    """Make one release of a plan, once.

    Parameters
    ----------
    plan
        What was decided.
    counts
        What it is made from.
    number
        Which release of the plan it is, from 1.
    record
        Where account is kept.
    sheet_digest
        SHA-256 of the sheet's file, for the record.
    recorded
        Called once ε is spent, before anything is drawn.

    Returns
    -------
    Release
        What may be published.

    Raises
    ------
    Refusal
        Where it was made before, or cannot be made; nothing is spent then.
    """
    record.check(number)
    mechanism, scores = plan.mechanism, counts.scores(plan)
    tool = tool_for(mechanism, plan.contributions)
    draw = tool.prepare(mechanism, scores)
    record.enter(number, sheet=sheet_digest, drawn_by=tool.called)
    recorded()
    drawn = sorted((scores.label(item), noisy) for item, noisy in draw())
    names, noisy = zip(*drawn, strict=True)
    return Release(names, None if None in noisy else noisy)
