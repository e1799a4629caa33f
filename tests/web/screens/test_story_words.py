"""The opening story needs no word that it has not explained; no lesson has a second word for one
idea.

Read is all that stands on the page: prose, questions and their solutions, buttons, helps, all texts
of the pictures.
"""

import html
import re
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

import dpviz.teaching.lessons  # noqa: F401 - which fill the menu
from dpviz.base.glossary import GLOSSARY
from dpviz.teaching.lesson import LESSONS
from tests.web.screens.test_words import EVERYWHERE, written

OpenPage = Callable[..., AppTest]
STORY = "opening_story"
JARGON = (
    "algorithm bound budget count database dataset delta differential distribution dp epsilon"
    " estimate expectation exponential function gumbel laplace logarithm median neighbouring"
    " parameter percentile probability query ratio sample sampler scale scenario seed simulation"
    " utility variable variance"
)


def words() -> dict[str, re.Pattern[str]]:
    """Every word and symbol that has to be introduced, by the way it is introduced."""
    found = {}
    for term in GLOSSARY.values():
        shouted = term.word.isupper() and len(term.word) > 1
        found[term.word] = re.compile(
            rf"(?<!\w){re.escape(term.word)}s?(?!\w)", 0 if shouted else re.IGNORECASE
        )
        if term.symbol:
            found[term.symbol] = re.compile(rf"(?<!\w){re.escape(term.symbol)}(?!\w)")
    for word in JARGON.split():
        found.setdefault(word, re.compile(rf"(?<!\w){word}s?(?!\w)", re.IGNORECASE))
    return found


def unexplained(parts: list[str], explained: str) -> set[str]:
    """The words that stand in `parts` without having been set in bold in `explained`."""
    bold = " ".join(re.findall(r"\*\*(.+?)\*\*", explained))
    text = "\n".join(parts)
    return {
        word
        for word, pattern in words().items()
        if pattern.search(text) and not pattern.search(bold)
    }


def on_screen(app: AppTest) -> Iterator[str]:
    """What stands on the page: no scripts of components, nor what is printed alone and says the
    seed.
    """
    unseen = ("Page", '{"line"', "Where it is proved")  # a book's title is its own
    return (
        text for text in written(app) if "=>" not in text and not text.strip().startswith(unseen)
    )


def pages(open_page: OpenPage, key: str) -> Iterator[list[str]]:
    """What each step of a lesson shows, its solution unfolded and each setting tried."""
    for number, step in enumerate(LESSONS[key].steps, 1):
        settings = (0.0,) if step.experiment is None else step.experiment.settings()
        seen: list[str] = []
        for setting in settings:
            where = {
                "lesson": key,
                "step": str(number),
                "setting": f"{setting:g}",
                "releases": "100",
            }
            app = open_page("learn", state={"learn_answer": True}, **where)
            shown = html.unescape("".join(element.proto.body for element in app.get("html")))
            assert f'<h2 class="dp-step-title">{step.title}</h2>' in shown
            assert step.text() in [element.value for element in app.markdown]
            seen += on_screen(app)
        yield seen


def test_the_story_introduces_every_word_before_it_uses_it(open_page: OpenPage) -> None:
    explained = ""
    for step, seen in zip(LESSONS[STORY].steps, pages(open_page, STORY), strict=True):
        explained += step.text()
        assert len(" ".join(seen)) > 200
        assert unexplained(seen, explained) == set(), step.title


@pytest.mark.parametrize("key", LESSONS)
def test_every_step_of_a_lesson_comes_up_and_has_no_second_word_for_one_idea(
    open_page: OpenPage, key: str
) -> None:
    for seen in pages(open_page, key):
        for wrong in EVERYWHERE:
            assert not [
                text for text in seen if re.search(rf"\b(?:{wrong})\b", text, re.IGNORECASE)
            ], wrong
