"""A poll of the teacher's own through three phones: asked, voted on, shown, gone; a late vote
counts for no other.
"""

from starlette.applications import Starlette

from dpviz.teaching.classes import ClassManager
from dpviz.teaching.lessons import LESSONS
from dpviz.teaching.poll import Poll
from dpviz.web.classroom import phone
from tests.teaching.classes.looks import seen
from tests.web.classroom.phone.asgi import Phone
from tests.web.own_process import run_apart

KEY = "permute_and_flip"
ASKED = Poll("Tea & <b>cake</b>?", ["Yes, *both*", "No"])


def polled(classes: ClassManager, code: str) -> tuple[int, tuple[int, ...]]:
    state = seen(classes, code)
    assert state.polled is not None
    return state.polled.place, state.polled.votes


def test_a_poll_is_voted_on_and_nothing_of_it_stays(classes: ClassManager) -> None:
    async def through() -> None:
        code, teacher = classes.begin_class(KEY)
        classes.move_to_stop(teacher, 1)
        app = Starlette(routes=phone.phone_routes())
        phones = [Phone(app) for _ in range(3)]
        for one in phones:
            await one.post("/join", code=code)
        async with phones[0].stream() as stream:
            await stream.shows(LESSONS[KEY].steps[1].title)
            classes.open_poll(teacher, ASKED)
            shown = await stream.shows("Tea &amp; &lt;b&gt;cake&lt;/b&gt;?")  # as it was typed
            assert "Yes, *both*" in shown
            assert "your vote" not in shown
            place, _ = polled(classes, code)
            for one, choice in zip(phones, (0, 1, 1), strict=True):
                answer = await one.post("/join/answer", place=place, choice=choice, again=False)
                assert "Your vote is saved." in answer.said["html"]
            changed = await phones[0].post("/join/answer", place=place, choice=1, again=False)
            assert changed.status == 200
            assert polled(classes, code) == (place, (0, 3))
            assert "3</b> of 3" not in changed.said["html"]  # nobody sees how the others voted yet
            for wrong in ({"choice": 2}, {"choice": -1}, {"place": place - 1}, {"again": True}):
                said = {"place": place, "choice": 0, "again": False} | wrong
                assert (await phones[0].post("/join/answer", **said)).status == 409
            classes.show_poll_votes(teacher, True)
            assert "3</b> of 3" in await stream.shows("your vote")
            late = await phones[1].post("/join/answer", place=place, choice=0, again=False)
            assert late.said["says"] == "The votes are shown already."
            classes.open_poll(teacher, Poll("Another?", ["Yes", "No"]))
            await stream.shows("Another?")
            assert (
                await phones[1].post("/join/answer", place=place, choice=0, again=False)
            ).status == 409
            assert polled(classes, code)[1] == (0, 0)
            classes.close_poll(teacher)
            await stream.shows(LESSONS[KEY].steps[1].title)
        step = await phones[0].post("/join/answer", place=1, choice=0, again=False)
        assert "Your answer is saved." in step.said["html"]
        with classes._store.read_transaction() as store:
            assert store.execute("SELECT poll_place, poll FROM class").fetchone() == (None, None)
            assert store.execute("SELECT place FROM prediction").fetchall() == [(1,)]
        for leaves in (
            lambda: classes.move_to_stop(teacher, 0),
            lambda: classes.end_class(teacher),
        ):
            classes.open_poll(teacher, ASKED)
            leaves()
            assert seen(classes, code).polled is None

    run_apart(through())
