"""Work that a press cuts short is done by the run of that press."""

from collections.abc import Iterator

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner_utils.exceptions import StopException

from dpviz.web.session.deferred import catch_up, soon


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

    soon(long)
    soon(lambda: done.append("second"))
    with pytest.raises(StopException):
        catch_up()
    assert done == ["begun"]
    catch_up()
    assert done == ["begun", "begun", "first", "second"]
    catch_up()
    assert done[-1] == "second"


def test_what_is_wrong_is_raised_once() -> None:
    soon(lambda: 1 / 0)  # type: ignore[arg-type,return-value]
    with pytest.raises(ZeroDivisionError):
        catch_up()
    catch_up()
