"""Values exchanged by two processes: scores that both hold are not sent again."""

from dpviz import Scores
from dpviz.base.limited_process import LimitedProcess, Limits
from dpviz.base.packed_strings import PackedStrings
from dpviz.base.progress import ignore_progress
from tests.base.works import About

MINE = Scores(range(20_000), labels=PackedStrings(f"name {i}" for i in range(20_000)))
WORLDS = (MINE, Scores(range(1, 20_001), labels=MINE.labels))


def test_a_worker_process_returns_the_scores_it_was_given() -> None:
    apart = LimitedProcess(About(WORLDS), Limits(500_000_000, 60.0))
    assert apart.compute_step("second", ignore_progress, {}) is WORLDS[1]
    assert apart.compute_step("first", ignore_progress, {}) is MINE
    apart.end_process()
