"""A poll on its teacher's page: typed at the console, voted on, published, and one who leaves."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.teaching.session_plans import SESSIONS
from dpviz.web.classroom import access

OpenPage = Callable[..., AppTest]


@pytest.fixture(autouse=True)
def own_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_caches: None
) -> Iterator[None]:
    """Classes of this test only."""
    monkeypatch.setenv("DPVIZ_CLASSES", str(tmp_path / "classes.sqlite"))
    yield
    access.class_store().close()


def told(app: AppTest) -> str:
    return "\n".join(part.value for part in app.markdown).replace("\\", "")


def test_a_poll_of_ones_own_is_asked_published_and_gone(open_page: OpenPage) -> None:
    classes = access.class_store()
    code, token = classes.begin_class("permute_and_flip")
    classes.move_to_stop(token, 1)
    seats = [classes.join(code) for _ in range(5)]
    teacher = open_page(
        "classroom", state={"dpviz.class.dpviz_teacher": token, "dpviz.class.begun": True}
    )

    def polled() -> object:
        classes._known.clear()
        state = classes.read_state(code)
        assert state is not None
        return state.polled

    assert teacher.text_input(key="class_poll_text").value == SESSIONS["45"].poll.text
    teacher.text_area(key="class_poll_choices").set_value("Dogs").run()
    teacher.button(key="class_poll_ask").click().run()
    assert "answers of a poll must be" in teacher.warning[0].value
    assert polled() is None
    teacher.text_input(key="class_poll_text").set_value("Which *animal*?")
    teacher.text_area(key="class_poll_choices").set_value("Dogs\n\nCats\nBirds\n").run()
    teacher.button(key="class_poll_ask").click().run()
    assert not teacher.exception
    now = polled()
    assert now.poll.choices == ("Dogs", "Cats", "Birds")  # type: ignore[attr-defined]
    for seat, choice in zip(seats, (0, 0, 0, 1, 1), strict=True):
        classes.submit_answer(seat, now.place, choice)  # type: ignore[arg-type, attr-defined]
    classes._known.clear()
    teacher.run()
    assert "class_publish" not in [
        button.key for button in teacher.button
    ]  # while nobody sees how all voted
    teacher.button(key="class_poll_show").click().run()
    teacher.select_slider(key="class_left").set_value(0.2).run()
    winners, left = set(), set()
    for _ in range(12):
        winners |= set(re.findall(r"Published privately: (\w+)", told(teacher)))
        teacher.button(key="class_publish").click().run()
    assert len(winners) > 1
    assert "Dogs" in winners
    teacher.toggle(key="class_data").set_value(True).run()
    for _ in range(8):
        left |= set(re.findall(r"who left had chosen \*\*(\w+)\*\*", told(teacher)))
        teacher.button(key="class_leaves").click().run()
    assert left == {"Dogs", "Cats"}
    teacher.button(key="learn_next").click().run()
    assert polled() is None
    assert not teacher.exception
    assert "class_poll_show" not in [button.key for button in teacher.button]
