"""One release: everything checked and prepared, then written into the record, then drawn.

Invariants: nothing is drawn before its line is on the disk; what can fail fails before that;
names come out sorted, so that their order tells nothing of their scores.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from dpviz.export.release.counts import NamedCounts
from dpviz.export.release.plan import ReleasePlan
from dpviz.export.release.refusal import Refusal
from dpviz.export.release.release_record import ReleaseRecord
from dpviz.export.release.release_tools import select_tool


@dataclass(frozen=True)
class Release:
    """The names that came out, and their noisy scores where all have one."""

    names: tuple[str, ...]
    noisy: tuple[float, ...] | None


def make_release(
    plan: ReleasePlan,
    counts: NamedCounts,
    *,
    number: int,
    record: ReleaseRecord,
    sheet_digest: str,
    notify_recorded: Callable[[], None],
    past_review: date | None = None,
) -> Release:
    """Make one release of a plan, once."""
    check_review_date(plan, past_review)
    record.check_next_number(number)
    mechanism, scores = plan.mechanism, counts.scores(plan)
    tool = select_tool(mechanism, plan.contributions)
    draw = tool.prepare_draw(mechanism, scores)
    late = {} if past_review is None else {"past_review": past_review.isoformat()}
    record.add_release(number, sheet=sheet_digest, drawn_by=tool.record_name, **late)
    notify_recorded()
    drawn = sorted((scores.label(item), noisy) for item, noisy in draw())
    noisy = tuple(value for _, value in drawn if value is not None)
    return Release(tuple(name for name, _ in drawn), noisy if len(noisy) == len(drawn) else None)


def check_review_date(plan: ReleasePlan, stated_date: date | None) -> None:
    """Refuse a release after the review date unless `stated_date` is that date; refuse other dates."""
    review = plan.review_date
    today = date.today()  # noqa: DTZ011 - the day of whoever makes the release
    late = review is not None and today > review
    if stated_date is not None and not (late and stated_date == review):
        of = (
            "has none"
            if review is None
            else f"is to be reviewed on {review}"
            if late
            else f"holds until {review}"
        )
        raise Refusal(
            f"--past-review must be the review date of the sheet once it has passed, not {stated_date}:"
            f" this sheet {of}."
        )
    if late and stated_date is None:
        raise Refusal(
            f"The review date on the sheet, {review}, has passed. Decide again, or give"
            f" --past-review {review}; the record will then say so."
        )
