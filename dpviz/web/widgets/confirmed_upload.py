"""The upload in use: how it was read, and the log that the current scores were counted from.

A confirmed upload lies on disk. Answers about one person count a log anew.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from types import NoneType

from dpviz.base import Scores
from dpviz.base.file_values import SpilledValue
from dpviz.data.counting import Counts, count_proposed_log
from dpviz.data.reading.guessing import Proposal, ReadingChoices, TableMeaning
from dpviz.studies import DataSpec
from dpviz.web.session import SessionValue, state
from dpviz.web.widgets.data_source import (
    EVENTS,
    is_current_upload_kind,
    uploaded_data_spec,
    use_scores,
)
from dpviz.web.widgets.elements import upload_source_name


@dataclass(frozen=True, kw_only=True)
class ConfirmedUpload:
    """A confirmed upload: its name, its reading, and its content."""

    name: str
    meaning: TableMeaning
    said: ReadingChoices
    offer: SpilledValue[Proposal]


@dataclass(frozen=True, kw_only=True)
class EventLog:
    """A confirmed log, counted as distinct people per item, and the notes on that."""

    of: ConfirmedUpload
    items: tuple[str, ...] | None = None
    most: int | None = None
    notes: tuple[str, ...] = ()
    rows: int = 0

    def count_with_limit(self, contributions: int | None) -> Counts:
        """Counts with at most this many items per person."""
        return count_proposed_log(
            self.of.offer.load(), items=self.items, contributions=contributions
        )

    def scores_with_limit(self, contributions: int | None) -> Scores:
        return self.count_with_limit(contributions).scores

    @property
    def key(self) -> str:
        """Identity of the log within this session."""
        return f"{id(self.of)} {self.of.meaning}"


CONFIRMED_UPLOAD: SessionValue[ConfirmedUpload | None] = SessionValue("agreed", NoneType)
"""Upload that the last scores were made of."""
EVENT_LOG: SessionValue[EventLog | None] = SessionValue("log", NoneType)
"""Log that was counted last."""
CATALOGUE_FOR: SessionValue[str] = SessionValue("catalogue", str)
"""Log for which somebody said that there is a catalogue."""
ARRIVED: SessionValue[str] = SessionValue("arrived", str)
"""Page on which the last file came in, until that page has handled it."""
_TAKEN_BACK = {
    "items_known": (
        "You said that there is a list of all possible items. Upload it: until then the items count"
        " as taken from the log."
    ),
    "sensitivity": "Δ is now 1: in a log, one person changes a count by at most 1.",
}
"""Notices for answers that counting a log contradicts."""


def last_confirmed_reading_choices() -> ReadingChoices:
    """Choices with which the last upload was read, so that its like is read alike."""
    agreed = CONFIRMED_UPLOAD.value
    return ReadingChoices() if agreed is None else agreed.said


def current_event_log() -> EventLog | None:
    """Log that the current scores were counted from, if any."""
    log = EVENT_LOG.value
    return (
        log
        if log is not None
        and is_current_upload_kind(EVENTS)
        and upload_source_name(state.scenario()) == log.of.name
        else None
    )


def scores_with_person_answers(data: DataSpec, changed_answers: Collection[str]) -> Scores | None:
    """Uploaded scores under new answers; a log is counted again with a new limit per person."""
    scores, log = state.scenario_as_chosen().scores, current_event_log()
    if log is not None and "contributions" in changed_answers:
        counted = log.count_with_limit(data.contributions)
        EVENT_LOG.put(replace(log, most=data.contributions, notes=counted.notes))
        scores = counted.scores
    return None if scores is None else data.with_person_metadata(scores)


def use_event_log(log: EventLog, counts: Counts) -> bool:
    """Use its counts; answers about one person stay, unless counting contradicts them."""
    scores = replace(counts.scores, monotonic=bool(uploaded_data_spec(EVENTS).monotonic))
    before = state.remembered_person_answers()
    now = {"items_known": counts.kept.items_known, "sensitivity": scores.sensitivity}
    if used := use_scores(scores, counts.kept.items_known, log.of.name, EVENTS):
        EVENT_LOG.put(replace(log, notes=counts.notes, rows=counts.rows))
        lost = [n for n in _TAKEN_BACK if before.get(n) and before[n] != now[n]]
        if "items_known" in lost:
            CATALOGUE_FOR.put(log.of.name)
        if lost:
            state.set_notice("data", " ".join(map(_TAKEN_BACK.__getitem__, lost)))
    return used
