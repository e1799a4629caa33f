"""What is still to do at a step of a class is said until it is done."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.teaching.lesson import LESSONS
from dpviz.web.classroom import access

OpenPage = Callable[..., AppTest]
KEY = "permute_and_flip"
RUN = next(
    n for n, step in enumerate(LESSONS[KEY].steps) if step.experiment and step.experiment.guess
)


@pytest.fixture(autouse=True)
def own_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_caches: None
) -> Iterator[None]:
    """Classes of this test only."""
    monkeypatch.setenv("DPVIZ_CLASSES", str(tmp_path / "classes.sqlite"))
    yield
    access.class_store().close()


def test_nobody_is_asked_for_a_mark_once_the_exact_chances_are_shown(open_page: OpenPage) -> None:
    _, token = access.class_store().begin_class(KEY)
    access.class_store().move_to_stop(token, RUN)
    teacher = open_page(
        "classroom", state={"dpviz.class.dpviz_teacher": token, "dpviz.class.begun": True}
    )

    def told() -> str:
        return "\n".join(part.value for part in teacher.markdown)

    guess = LESSONS[KEY].steps[RUN].experiment.guess  # type: ignore[union-attr]
    assert guess is not None
    assert f"**{guess.asks}** Everyone sets a mark first, then draws." in told()
    teacher.button(key="class_law").click().run()
    assert f"**{guess.asks}**" in told()
    assert "sets a mark first" not in told()
    teacher.button(key="class_law").click().run()
    assert "sets a mark first" in told()
