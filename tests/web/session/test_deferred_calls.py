"""Work that a press cuts short is done by the run of that press."""

from collections.abc import Iterator

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner_utils.exceptions import StopException

from dpviz.web.session.slot import defer_to_next_run, run_deferred_work


@pytest.fixture(autouse=True)
def session() -> Iterator[None]:
    yield
    st.session_state.clear()


def test_what_a_press_cuts_short_is_done_in_the_next_run_and_in_order() -> None:
    done: list[str] = []

    def long() -> None:
        done.append("begun")
        if done.count("begun") == 1:
            raise StopException  # as Streamlit does in a run that a press ends
        done.append("first")

    defer_to_next_run(long)
    defer_to_next_run(lambda: done.append("second"))
    with pytest.raises(StopException):
        run_deferred_work()
    assert done == ["begun"]
    run_deferred_work()
    assert done == ["begun", "begun", "first", "second"]
    run_deferred_work()
    assert done[-1] == "second"


def test_what_is_wrong_is_raised_once() -> None:
    defer_to_next_run(lambda: 1 / 0)  # type: ignore[arg-type,return-value]
    with pytest.raises(ZeroDivisionError):
        run_deferred_work()
    run_deferred_work()
