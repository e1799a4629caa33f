"""No plan, whatever was answered, has a sheet that says what is not so."""

import re
from datetime import date
from html import unescape

from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz import Decision, Design, Question, Scores, decide
from dpviz.export.decision import decision_sheet
from dpviz.studies import DataSpec

ONE_SHOT = Design(mechanism="one_shot")
VOTES = (31.0, 28.0, 25.0, 19.0, 15.0, 13.0)


@st.composite
def decisions(draw: st.DrawFn) -> tuple[Scores, Decision]:
    """Plans with an ε that was set by hand or found, of people who are added or replaced."""
    fall = draw(st.sampled_from((None, None, 0.5, 2.0)))
    monotonic = fall is not None or draw(st.booleans())
    data = DataSpec(
        source="uploaded", name="votes", sensitivity=1.0, fall=fall, monotonic=monotonic
    )
    k = draw(st.integers(1, 4))
    question = Question(
        k=k,
        goal=draw(
            st.sampled_from((f"top in {draw(st.sampled_from((0.5, 0.9)))}", f"{k} of {k} in 0.8"))
        ),
        data=data,
        designs=draw(st.sampled_from(((Design(mechanism="joint"),), (Design(), ONE_SHOT)))),
        epsilon=draw(st.sampled_from((None, 0.01, 0.3, 3.0))),
        releases=draw(st.sampled_from((1, 12))),
        most_epsilon=draw(st.sampled_from((None, 1.0, 100.0))),
        decided_on="past",
    )
    scores = Scores(VOTES, sensitivity=1.0 if fall is None else (fall, 1.0), monotonic=monotonic)
    return scores, decide(question, scores)


@settings(max_examples=20, deadline=None, derandomize=True, database=None)
@given(decisions())
def test_a_sheet_says_what_is_so(decided: tuple[Scores, Decision]) -> None:
    scores, decision = decided
    page = decision_sheet(decision, date=date(2026, 1, 1))
    said = " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())
    assert scores.change in said
    first, _, _ = said.partition("For experts")
    assert "release" not in first, "one word, list, for one thing"
    assert " not named" not in said
    # the list is not the best one in each release, and a goal may be missed
    assert not re.search(r"each with the [\d,]+ best", said)
    assert ("each meant to have" in said) == (decision.question.releases > 1)
    assert "The goal holds" not in said
    assert "No limit was set, but" not in said
    assert "mechanism that reaches the goal" not in said
    assert decision.verdict.meets_goal or "it meets the goal with" not in said
    # of a person who is replaced, nobody may infer if she is in the data
    assert ("is in the data" in said) == scores.monotonic
