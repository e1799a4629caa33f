"""Pages above every threshold from which on another process computes: what is sent gets there, and
failures say so.

The thresholds are put at nothing, so that little data go the way of large. What is sent is pickled
and unpickled as for a process, and computed here: `tests/web/jobs/test_process_steps.py` has the processes.
"""

import re
from collections.abc import Callable, Mapping
from tempfile import TemporaryFile
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.base import chunked_text
from dpviz.base.errors import WorkLost
from dpviz.base.file_values import (
    read_memory_map,
    read_scores_and_value,
    write_memory_map,
    write_value_and_scores,
)
from dpviz.base.step_process import StepProcess
from dpviz.pages import NAMES
from dpviz.pages.decide.sentences import price
from dpviz.pages.decide.settings import read_question
from dpviz.studies import study
from tests.web.screens.shown import heading, scenario, settled, text
from tests.web.screens.uploads import take as take_file
from tests.web.screens.waiting import run_when_computed

OpenPage = Callable[..., AppTest]
LOG = "who,what\n" + "".join(
    f"p{i % 17},{item}\n" for i in range(40) for item in ("tea", "rye", "oat")[: 1 + i % 3]
)
SCORES = "item,votes\nash,90\noak,80\nelm,74\nfir,66\nyew,60\nbox,51\n"
FILES = {"scores": SCORES, "log": LOG}
ON_TOP = {
    "neighbours": {"page.neighbours.who": "worst"},
    "decide": {"page.decide.screen": "answer"},
}


class Sent(list[str]):
    """The names of the steps that were sent to another process."""

    fails: Exception | None = None


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """What is large goes elsewhere, everything is large, and elsewhere is here."""
    steps = Sent()
    for name in ("_ITEMS", "_OUT", "_HEAVY"):
        monkeypatch.setattr(study, name, -1)
    monkeypatch.setattr(chunked_text, "MANY", -1)

    def ask(self: StepProcess, name: str, progress: Any, done: Mapping[str, Any]) -> object:
        steps.append(name)
        if steps.fails is not None:
            raise steps.fails
        with TemporaryFile() as file:
            ours, at = write_value_and_scores((self._limits, self._work, dict(done)), file)
            theirs, (_, work, before) = read_scores_and_value(at, file)
            theirs.write(work.compute_step(name, progress, before), file)
            return ours.read(file)

    def walled(
        name: str, purpose: Any, read: Callable[..., Any], /, *given: object, **options: object
    ) -> Any:
        steps.append(purpose.does)
        with TemporaryFile() as file:
            write_memory_map((purpose.limits, read, given, options), file)
            file.seek(0)
            _, do, what, how = read_memory_map(file)
        return do(*what, **how)

    monkeypatch.setattr(StepProcess, "compute_step", ask)
    monkeypatch.setattr("dpviz.data.reading.limited_reading.run_in_limited_process", walled)
    return steps


def failed(app: AppTest) -> AppTest:
    """The page, once it says that something failed."""
    for _ in range(4):
        run_when_computed(app)
        if "Try again" in {button.label for button in app.button}:
            break
    return app


def opened(open_page: OpenPage, page: str, **query: str) -> AppTest:
    return open_page(
        page, **{"data": "example:class_trip", "k": "2"} | ON_TOP.get(page, {}) | query
    )


PAGES = [name for name in NAMES if name != "candidates"]  # which shows what was computed before


OF_A_LOG = [
    pytest.param(page, "log", marks=() if page in {"explore", "decide"} else pytest.mark.long)
    for page in PAGES
]


@pytest.mark.parametrize(("page", "file"), [*((page, "scores") for page in PAGES), *OF_A_LOG])
def test_every_page_of_a_file_is_computed_elsewhere(
    open_page: OpenPage, sent: Sent, page: str, file: str
) -> None:
    """A log has all that a page may ask of it again: what a cap would leave."""
    asked = {"page.decide.screen": "data", "k": "1" if file == "log" else "2"}
    two = {"m1": "canonical", "m2": "peeling"}
    app = opened(open_page, page, **{"decide": asked, "compare": two}.get(page, {}))
    take_file(app, FILES[file].encode(), f"{file}.csv")
    if page == "decide":
        app.button(key="decide_answer").click().run()
    app = settled(app)
    assert not app.error, [told.value for told in app.error]
    assert len(sent) > 1
    if (page, file) == ("decide", "log"):
        assert "caps" in sent
        assert "in total" in heading(app) or "your limit" in heading(app)


FAILURES = {
    "an error": RuntimeError("Traceback (most recent call last): in the other process"),
    "no memory": MemoryError(),
    "a lost process": WorkLost(
        "This takes more than 60 seconds, which is the limit for one visitor here."
    ),
    "what cannot be pickled": AttributeError("Can't pickle local object 'f.<locals>.<lambda>'"),
}


@pytest.mark.parametrize(
    ("page", "failure"),
    [
        *((page, "an error") for page in PAGES if page != "explore"),
        *(("explore", failure) for failure in FAILURES),
    ],
)
def test_what_fails_says_so(open_page: OpenPage, sent: Sent, page: str, failure: str) -> None:
    """It is told, in words that say what to do, and no sentence of the page is an answer."""
    sent.fails = FAILURES[failure]
    app = failed(opened(open_page, page))
    assert not app.exception
    assert sent
    told = " ".join(each.value for each in app.error).replace("\\", "")
    assert "takes more than" in told or ("Try again" in told and "or use fewer items" in told)
    assert "Try again" in {button.label for button in app.button}
    assert not re.search(
        r"No plan|No:|Yes:|no ε|ot within|not reached", text(app).partition("The questions")[0]
    )


def test_a_failure_is_no_answer_and_can_be_tried_again(open_page: OpenPage, sent: Sent) -> None:
    sent.fails = FAILURES["an error"]
    app = failed(opened(open_page, "decide"))
    assert heading(app) == price.FAILED[0]
    assert not re.search(r"No:|Yes:|your limit|not to publish", text(app))
    assert text(app).count("did not come to an end") == len(read_question(scenario(app)).designs)
    sent.fails = None
    next(button for button in app.button if button.label == "Try again").click().run()
    app = settled(app)
    assert "in total" in heading(app)
    assert not app.error


def test_a_refusal_from_elsewhere_is_an_answer(open_page: OpenPage, sent: Sent) -> None:
    asked = {"m1": "canonical;gamma=0.0", "page.decide.goal": "top in 0.9"}
    app = settled(opened(open_page, "decide", **asked))
    assert heading(app) == "No: no mechanism that is allowed reaches this goal"
    assert "Try again" not in {button.label for button in app.button}
