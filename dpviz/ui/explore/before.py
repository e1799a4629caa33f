"""The setting before this one, kept on the charts as a ghost, so that one sees what a change has done."""

from dataclasses import dataclass

import streamlit as st

from dpviz.base.arrays import Floats
from dpviz.studies.scenario import Scenario
from dpviz.ui.work.answer import Answer

__all__ = ["Before", "before"]

_SEEN = "dpviz.explore.seen"


@dataclass(frozen=True, eq=False)
class Before:
    """What was shown: of which mechanism on which scores, its settings, the chance of each item and the law of hits."""

    key: str
    digest: str
    k: int
    settings: tuple[str, ...]
    inclusion: Floats
    hits: Floats

    def called(self, now: tuple[str, ...]) -> str:
        """Its settings as far as they differ from those of now."""
        return ", ".join(was for was, now in zip(self.settings, now, strict=True) if was != now)


def before(scenario: Scenario, answer: Answer, *, playing: bool = False) -> tuple[str, Before] | None:
    """What was shown of the same scores before, with its name; while `playing`, what it was played from."""
    if answer.inclusion is None or answer.hits is None:
        return None
    k, design = scenario.k, scenario.designs[0]
    settings = f"ε = {scenario.epsilon:.6g}", f"k = {k:,}", design.label_for(k, answer.scores.contributions)
    digest = answer.scores.digest
    last, was = st.session_state.get(_SEEN, (None, None))
    if playing:
        was = last
    elif last is None or last.key != answer.key:
        now = Before(answer.key, digest, k, settings, answer.inclusion, answer.hits)
        was = last if last is not None and last.digest == digest else None
        st.session_state[_SEEN] = now, was
    if was is None or was.digest != digest or was.key == answer.key:
        return None
    return was.called(settings), was
