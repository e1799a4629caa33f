"""Values exchanged by two processes: scores that both hold are not sent again."""

import os
from tempfile import TemporaryFile
from typing import IO, cast

from dpviz import Canonical, Scores
from dpviz.base.limited_process import LimitedProcess, Limits
from dpviz.base.packed_strings import PackedStrings
from dpviz.base.progress import ignore_progress
from dpviz.base.shared_scores import read_with_scores, write_with_scores
from tests.base.works import About

MINE = Scores(range(20_000), labels=PackedStrings(f"name {i}" for i in range(20_000)))
WORLDS = (MINE, Scores(range(1, 20_001), labels=MINE.labels))


def test_a_returned_value_refers_to_the_very_scores_sent() -> None:
    with TemporaryFile() as opened:
        file = cast(IO[bytes], opened)
        here, at = write_with_scores({"a": WORLDS, "b": MINE}, file)
        there, value = read_with_scores(at, file)
        assert value == {"a": WORLDS, "b": MINE}
        assert value["b"] is value["a"][0]
        assert value["a"][1].labels is value["b"].labels
        other = Scores(MINE.values[::-1], labels=value["b"].labels)
        there.write((Canonical(epsilon=1.0, k=2).distribution(value["b"]), other), file)
        assert os.fstat(file.fileno()).st_size < 2.5 * MINE.values.nbytes, (
            "two arrays, and no names"
        )
        law, known = here.read(file)
        assert law.scores is MINE
        assert known.labels is MINE.labels
        assert known == other


def test_a_worker_process_returns_the_scores_it_was_given() -> None:
    apart = LimitedProcess(About(WORLDS), Limits(500_000_000, 60.0))
    assert apart.compute_step("second", ignore_progress, {}) is WORLDS[1]
    assert apart.compute_step("first", ignore_progress, {}) is MINE
    apart.end_process()
