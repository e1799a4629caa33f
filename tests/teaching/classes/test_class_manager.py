"""A class: an own seed each, one prediction, draws that nobody can send, nothing after the end."""

import hashlib
import json
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from dpviz.base.arrays import Ints
from dpviz.base.errors import ParameterError
from dpviz.teaching.classes import LIMITS, ClassManager, ClassRefusal, Seat
from dpviz.teaching.classes.class_state import answers_csv, student_seed
from dpviz.teaching.lesson import RELEASES
from dpviz.teaching.lessons import LESSONS
from tests.teaching.classes.looks import KEY, ROOT, Clock, Opened, drawn_more, joined, kept, seen
from tests.teaching.test_lessons import misfit

LESSON = LESSONS[KEY]
PREDICT = next(n for n, step in enumerate(LESSON.steps) if step.kind == "predict")
RUN = next(n for n, step in enumerate(LESSON.steps) if step.experiment is not None)
SETTINGS = LESSON.steps[RUN].experiment.settings()  # type: ignore[union-attr]


def refused(why: str, what: Callable[..., object], *given: Any) -> None:
    """It is refused with these words."""
    with pytest.raises((ClassRefusal, ParameterError), match=why):
        what(*given)


class TestSeats:
    def test_a_code_leads_in_and_a_wrong_one_does_not(self, classes: ClassManager) -> None:
        code, _ = classes.begin_class(KEY)
        seat = joined(classes, f" {code.lower()} ")
        assert (seat.code, seat.number) == (code, 0)
        other = ("A" if code[0] != "A" else "B") + code[1:]
        wrong = (other, "", "ABC", "ABCDE!", code * 2)
        assert [classes.join(typed) for typed in wrong] == [None] * 5
        assert seen(classes, code).students == 1

    def test_no_two_students_share_a_seed(self, classes: ClassManager) -> None:
        codes = [classes.begin_class(KEY)[0] for _ in range(3)]
        seeds = [joined(classes, code).seed for code in codes for _ in range(40)]
        assert len(set(seeds)) == len(seeds)
        bases = [seed // 1024 for seed in seeds[::40]]
        assert {student_seed(base, n) for base in bases for n in range(LIMITS.people)} >= set(seeds)
        assert len({student_seed(base, n) for base in (7, 8) for n in range(1024)}) == 2048
        refused("must be", student_seed, 7, 1024)

    def test_who_comes_back_has_place_seed_prediction_and_draws(self, opened: Opened) -> None:
        classes = opened()
        code, teacher = classes.begin_class(KEY)
        seat, _ = joined(classes, code), joined(classes, code)
        classes.move_to_stop(teacher, PREDICT)
        classes.submit_answer(seat, PREDICT, 1)
        classes.move_to_stop(teacher, RUN)
        drawn = drawn_more(classes, seat, seen(classes, code), 10)
        again = opened()
        assert again.find_seat(seat.token) == seat
        mine = again.student_stop_record(seat, seen(again, code))
        assert mine.counts.tolist() == drawn.tolist()
        assert (mine.latest_answer, mine.draw_count) == (1, 10)
        assert again.find_taught_class_marking_presence(teacher) == code
        assert seen(again, code).students == 2

    def test_a_token_is_needed_and_is_not_in_the_file(
        self, classes: ClassManager, tmp_path: Path
    ) -> None:
        code, teacher = classes.begin_class(KEY)
        seat = joined(classes, code)
        assert [classes.find_seat(token) for token in ("x", teacher)] == [None, None]
        assert classes.find_taught_class_marking_presence(seat.token) is None
        for change in (classes.move_to_stop, classes.set_question_flags):
            refused("This class has ended", change, seat.token, 0)
        refused("This class has ended", classes.end_class, seat.token)
        classes.delete_class(seat.token)
        assert seen(classes, code).place == 0
        left = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        found = [one.encode() in left for one in (code, teacher, seat.token)]
        assert found == [True, False, False]

    def test_a_link_s_secret_leads_in_though_no_code_is_looked_up(self, opened: Opened) -> None:
        classes = opened(lookups=1)
        code, _ = classes.begin_class(KEY)
        for guess in ("ABCDEF", "ABCDEG", "ABCDEH"):
            with suppress(ClassRefusal):
                assert classes.join(guess, address="192.0.2.7") is None
        with pytest.raises(ClassRefusal, match="Too many codes"):
            classes.join(code, address="192.0.2.7")
        door = seen(classes, code).door
        assert len(door) * 6 >= 64
        seats = [classes.join("", door=door, address="192.0.2.7") for _ in range(5)]
        assert [(seat.code, seat.number) for seat in seats if seat] == [(code, n) for n in range(5)]
        assert classes.join("", door=door[:-1], address="192.0.2.7") is None

    def test_in_a_full_class_a_seat_that_nobody_used_makes_way(
        self, opened: Opened, clock: Clock
    ) -> None:
        classes = opened(people=2)
        code, teacher = classes.begin_class(KEY)
        used, unused = joined(classes, code), joined(classes, code)
        classes.move_to_stop(teacher, PREDICT)
        classes.submit_answer(used, PREDICT, 0)
        refused("full", classes.join, code)
        clock.now += LIMITS.unused
        assert joined(classes, code).number == unused.number
        assert classes.find_seat(unused.token) is None
        assert classes.find_seat(used.token) == used

    def test_seats_are_taken_back_with_what_was_done_there(
        self, classes: ClassManager, clock: Clock
    ) -> None:
        code, teacher = classes.begin_class(KEY)
        classes.move_to_stop(teacher, PREDICT)
        seats = []
        for _ in range(5):
            clock.now += 1
            seats.append(joined(classes, code))
            classes.submit_answer(seats[-1], PREDICT, 0)
        assert classes.free_newest_or_absent_seats(teacher, newest=2) == 2
        assert [classes.find_seat(seat.token) for seat in seats] == [*seats[:3], None, None]
        assert sum(seen(classes, code).first) == 3
        refused("The teacher freed your seat", classes.submit_answer, seats[4], PREDICT, 1)
        clock.now += LIMITS.away
        classes.submit_answer(seats[0], PREDICT, 1)
        assert classes.free_newest_or_absent_seats(teacher) == 2
        assert seen(classes, code).students == 1
        assert joined(classes, code).number == 1

    def test_an_address_begins_so_many_and_the_empty_ones_end(
        self, opened: Opened, clock: Clock
    ) -> None:
        classes = opened(begun=4, begun_empty=2)
        begun = [classes.begin_class(KEY, address="192.0.2.7") for _ in range(2)]
        with pytest.raises(ClassRefusal, match="already has 2 classes"):
            classes.begin_class(KEY, address="::ffff:192.0.2.7")
        classes.begin_class(KEY, address="192.0.2.8")
        joined(classes, begun[0][0])
        for _ in range(2):
            clock.now += LIMITS.empty / 2
            assert (
                classes.find_taught_class_marking_presence(begun[1][1]) == begun[1][0]
            )  # its teacher waits
        classes.delete_expired_classes()
        assert [classes.read_state(code) is not None for code, _ in begun] == [True, True]
        clock.now += LIMITS.empty
        classes.delete_expired_classes()
        assert [classes.read_state(code) is not None for code, _ in begun] == [True, False]

    def test_a_server_has_so_many_classes(self, opened: Opened) -> None:
        classes = opened(classes=1)
        _, teacher = classes.begin_class(KEY)
        refused("already has 1 ", classes.begin_class, KEY)
        classes.end_class(teacher)
        classes.begin_class(KEY)  # in the place of one that has ended
        assert classes.find_taught_class_marking_presence(teacher) is None


class TestPredictions:
    def test_one_each_until_the_answer_is_shown(self, classes: ClassManager) -> None:
        code, teacher = classes.begin_class(KEY)
        students = [joined(classes, code) for _ in range(4)]
        refused("moved on", classes.submit_answer, students[0], PREDICT + 1, 0)
        assert seen(classes, code).experiment is None
        refused("moved on", drawn_more, classes, students[0], seen(classes, code), 1)
        classes.move_to_stop(teacher, PREDICT)
        refused("moved on", classes.submit_answer, students[0], PREDICT + 1, 0)
        for seat, choice in zip(students, (0, 1, 1, 0), strict=True):
            classes.submit_answer(seat, PREDICT, choice)
        classes.submit_answer(students[3], PREDICT, 1)
        state = seen(classes, code)
        assert state.first[:2] == (1, 3)
        assert sum(state.first) == 4
        assert len(state.first) == len(LESSON.steps[PREDICT].question.choices)  # type: ignore[union-attr]
        assert not state.vote.shown
        classes.set_question_flags(teacher, PREDICT, shown=True)
        assert seen(classes, code).vote.shown
        refused("shown already", classes.submit_answer, students[0], PREDICT, 1)
        classes.move_to_stop(teacher, PREDICT + 1)
        classes.move_to_stop(teacher, PREDICT)
        refused("shown already", classes.submit_answer, students[0], PREDICT, 1)
        assert seen(classes, code).first == state.first

    @pytest.mark.parametrize("choice", [-1, 99, 1.5, True, "Ann"])
    def test_nothing_but_a_choice_is_taken(self, choice: Any, classes: ClassManager) -> None:
        code, teacher = classes.begin_class(KEY)
        seat = joined(classes, code)
        classes.move_to_stop(teacher, PREDICT)
        refused("choice must be a whole number", classes.submit_answer, seat, PREDICT, choice)
        assert sum(seen(classes, code).first) == 0


class TestDraws:
    @pytest.mark.parametrize("students", [40, pytest.param(200, marks=pytest.mark.long)])
    def test_all_students_together_draw_the_law(
        self, classes: ClassManager, monkeypatch: pytest.MonkeyPatch, students: int
    ) -> None:
        monkeypatch.setattr("secrets.randbits", lambda bits: 12345)
        code, teacher = classes.begin_class(KEY)
        seats = [joined(classes, code) for _ in range(students)]
        classes.move_to_stop(teacher, RUN)
        for setting, value in enumerate(SETTINGS):
            classes.change_setting(teacher, RUN, setting)
            for seat in seats:
                drawn_more(classes, seat, seen(classes, code), 10_000 // students)
            state = seen(classes, code)
            assert state.experiment is not None
            assert (state.students, state.drawing) == (students, students)
            assert state.counts[0].sum() == 10_000
            fits = [misfit(state.counts[0], state.experiment.law(s)) > 1e-4 for s in SETTINGS]
            assert fits[SETTINGS.index(value)]
            assert not all(fits)

    def test_draws_are_those_of_the_seed_however_they_are_asked_for(
        self, classes: ClassManager
    ) -> None:
        code, teacher = classes.begin_class(KEY)
        seat = joined(classes, code)
        classes.move_to_stop(teacher, RUN)
        state = seen(classes, code)
        assert state.experiment is not None
        for upto, so_far in ((1, 1), (11, 11), (1, 11), (21, 21), (RELEASES, RELEASES)):
            counts = classes.draw_student_release_counts(seat, RUN, state.setting, upto)
            alone = state.experiment.draw_outcome_counts_per_law(
                state.setting_value, seat.seed, so_far
            )
            assert counts.tolist() == alone.tolist()
        assert classes.student_stop_record(seat, state).draw_count == RELEASES
        refused("must be", drawn_more, classes, seat, state, RELEASES + 1)

    def test_two_windows_that_draw_at_once_draw_the_same(
        self, opened: Opened, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first, second = opened(), opened()
        code, teacher = first.begin_class(KEY)
        seat = joined(first, code)
        first.move_to_stop(teacher, RUN)
        state = seen(first, code)
        real = type(state.experiment).draw_outcome_counts_per_law

        def slow(experiment: Any, *args: Any) -> Ints:
            """The other window draws between the reading and the writing."""
            monkeypatch.setattr(type(state.experiment), "draw_outcome_counts_per_law", real)
            drawn_more(second, seat, state, 10)
            return real(experiment, *args)

        monkeypatch.setattr(type(state.experiment), "draw_outcome_counts_per_law", slow)
        assert drawn_more(first, seat, state, 1)[0].sum() == 10
        assert seen(first, code).counts[0].sum() == 10

    def test_who_is_too_quick_waits(self, opened: Opened, clock: Clock) -> None:
        classes = opened(writes=3, within=10.0)
        code, teacher = classes.begin_class(KEY)
        seat, other = joined(classes, code), joined(classes, code)
        classes.move_to_stop(teacher, RUN)
        state = seen(classes, code)
        for _ in range(3):
            drawn_more(classes, seat, state, 1)
        clock.now += 4
        refused("Wait 6 s", drawn_more, classes, seat, state, 1)
        drawn_more(classes, other, state, 1)
        clock.now += 6
        assert drawn_more(classes, seat, state, 1)[0].sum() == 4


class TestTheTeacher:
    def test_all_go_where_the_teacher_goes(self, opened: Opened) -> None:
        here, there = opened(), opened()
        code, teacher = here.begin_class(KEY)
        here.move_to_stop(teacher, RUN)
        start = LESSON.steps[RUN].experiment.start  # type: ignore[union-attr]
        assert (seen(there, code).place, seen(there, code).setting_value) == (RUN, start)
        here.change_setting(teacher, RUN, len(SETTINGS) - 1)
        assert seen(there, code).setting_value == SETTINGS[-1]
        here.move_to_stop(teacher, RUN + 1)
        before = seen(there, code)
        here.change_setting(teacher, RUN, 0)  # a slider that tells late takes nobody back
        assert (seen(there, code).place, seen(there, code).setting) == (RUN + 1, before.setting)
        version = seen(there, code).version
        here.move_to_stop(teacher, RUN)
        assert seen(there, code).version > version

    def test_an_explanation_shows_the_answer(self, classes: ClassManager) -> None:
        code, teacher = classes.begin_class(KEY)
        told = next(n for n, step in enumerate(LESSON.steps) if step.kind == "explain")
        for step in (PREDICT, RUN):
            classes.move_to_stop(teacher, step)
            assert not seen(classes, code).vote.shown
        classes.move_to_stop(teacher, told)
        assert seen(classes, code).vote.shown
        classes.move_to_stop(teacher, PREDICT)
        assert seen(classes, code).vote.shown

    @pytest.mark.parametrize(
        "keys", [(), ("ties", "ties"), ("ties", "none"), ("votes.csv",), (None,)]
    )
    def test_only_lessons_of_the_menu_each_once(self, keys: Any, classes: ClassManager) -> None:
        refused("lesson must be", classes.begin_class, *keys)

    @pytest.mark.parametrize("step", [-1, 99, "x"])
    def test_only_steps_and_settings_that_there_are(self, step: Any, classes: ClassManager) -> None:
        _, teacher = classes.begin_class(KEY)
        refused("must be", classes.move_to_stop, teacher, step)
        refused("must be", classes.change_setting, teacher, RUN, step)


class TestASession:
    """Several lessons under one code."""

    def test_its_stops_are_the_steps_of_all_its_lessons_and_each_question_twice(
        self, classes: ClassManager
    ) -> None:
        keys = ("opening_story", "permute_and_flip", "ties")
        code, teacher = classes.begin_class(*keys)
        stops = seen(classes, code).course_stops
        assert [(stop.lesson, stop.step) for stop in stops if not stop.twice] == [
            (key, number) for key in keys for number in range(len(LESSONS[key].steps))
        ]
        assert {stop.lesson for stop in stops if stop.twice} == set(keys)
        place = next(n for n, s in enumerate(stops) if s.lesson == "ties" and s.experiment)
        classes.move_to_stop(teacher, place)
        state = seen(classes, code)
        assert state.current_stop.lesson == "ties"
        assert drawn_more(classes, joined(classes, code), state, 10).sum() == 10
        assert state.question_stop_index is not None
        assert stops[state.question_stop_index].step_content == LESSONS["ties"].steps[1]

    def test_a_question_is_answered_before_and_after_the_talk(self, classes: ClassManager) -> None:
        code, teacher = classes.begin_class("ties", KEY)
        seats = [joined(classes, code) for _ in range(3)]
        place = next(n for n, stop in enumerate(seen(classes, code).course_stops) if stop.twice)
        classes.move_to_stop(teacher, place)
        for seat, choice in zip(seats, (0, 0, 2), strict=True):
            classes.submit_answer(seat, place, choice)
        state = seen(classes, code)
        assert (state.first, state.after, state.answer_count) == ((2, 0, 1), (), 3)
        assert not state.class_answers_shown
        classes.set_question_flags(teacher, place, bars=True)
        assert seen(classes, code).class_answers_shown
        refused("The vote is closed", classes.submit_answer, seats[0], place, 1)
        classes.set_question_flags(teacher, place, again=True, bars=False)
        assert seen(classes, code).answer_count == 0
        assert not seen(classes, code).class_answers_shown  # nobody follows the others
        for seat in seats[:2]:
            classes.submit_answer(seat, place, 2, is_second_answer=True)
        state = seen(classes, code)
        assert (state.first, state.after, state.answer_count) == ((2, 0, 1), (0, 0, 2), 2)
        each = [classes.student_stop_record(seat, state) for seat in seats]
        assert [(one.first, one.after) for one in each] == [(0, 2), (0, 2), (2, None)]
        assert [one.latest_answer for one in each] == [2, 2, 2]
        assert classes.latest_answers(seats[0]) == {place: 2}
        classes.set_question_flags(teacher, place, shown=True)
        refused("shown already", classes.submit_answer, seats[2], place, 0)
        (given,) = classes.answers_by_stop(seen(classes, code))
        assert (given.place, given.first, given.after) == (place, (2, 0, 1), (0, 0, 2))

    def test_what_it_believed_is_a_file_of_counts(self, classes: ClassManager) -> None:
        code, teacher = classes.begin_class("ties", KEY)
        (head,) = answers_csv(classes.answers_by_stop(seen(classes, code))).splitlines()
        assert head == '"lesson","question","answer","right","first","after","letter"'
        stops = seen(classes, code).course_stops
        predicted = next(n for n, stop in enumerate(stops) if stop.question and not stop.twice)
        twice = next(n for n, stop in enumerate(stops) if stop.question and stop.twice)
        seats = [joined(classes, code) for _ in range(5)]
        for place in (predicted, twice):
            classes.move_to_stop(teacher, place)
            for seat in seats:
                classes.submit_answer(seat, place, seat.number % 2)
        classes.set_question_flags(teacher, twice, again=True, bars=False)
        classes.submit_answer(seats[0], twice, 2, is_second_answer=True)
        lines = answers_csv(classes.answers_by_stop(seen(classes, code))).splitlines()
        asked = [stops[place].question for place in (predicted, twice)]
        assert len(lines) == 1 + sum(len(each.choices) for each in asked if each)
        assert lines[1].endswith(',"no",3,"","A"')
        ends = [line.rpartition('o",')[2].rpartition('s",')[2] for line in lines[-3:]]
        assert ends == ['3,0,"A"', '2,0,"B"', '0,1,"C"']
        assert sum('"yes"' in line for line in lines) == 2

    def test_its_marks_are_in_the_file_and_close_ones_are_right(
        self, classes: ClassManager
    ) -> None:
        code, teacher = classes.begin_class(KEY)
        classes.move_to_stop(teacher, RUN)
        for value in (75, 75, 20):  # the exact chance is 75.1 %
            classes.submit_guess(joined(classes, code), RUN, value)
        _, *lines = answers_csv(classes.answers_by_stop(seen(classes, code))).splitlines()
        ends = [line.partition('?",')[2] for line in lines]
        assert ends == ['"20 of 100","no",1,"",""', '"75 of 100","yes",2,"",""']

    def test_a_locked_door_keeps_out_who_is_new_and_nobody_else(self, opened: Opened) -> None:
        classes = opened()
        code, teacher = classes.begin_class(KEY)
        seat = joined(classes, code)
        classes.set_joining_locked(teacher, True)
        refused("The door of this class is locked", classes.join, code)
        assert opened().find_seat(seat.token) == seat
        assert seen(classes, code).locked
        classes.set_joining_locked(teacher, False)
        assert joined(classes, code).number == 1

    def test_who_was_not_heard_of_for_a_while_is_not_there(
        self, opened: Opened, clock: Clock
    ) -> None:
        classes, other = opened(), opened()
        code, _ = classes.begin_class(KEY)
        seats = [joined(classes, code) for _ in range(3)]
        assert seen(classes, code).here == 3
        clock.now += LIMITS.away - 1
        classes.mark_present(seats[0].token)
        seen(classes, code)  # which tells the others
        clock.now += 2
        for one in (classes, other):
            assert (seen(one, code).here, seen(one, code).students) == (1, 3)


class TestTheEnd:
    def filled(self, classes: ClassManager) -> tuple[str, str, Seat]:
        code, teacher = classes.begin_class(KEY)
        seat = joined(classes, code)
        classes.move_to_stop(teacher, PREDICT)
        classes.submit_answer(seat, PREDICT, 0)
        classes.move_to_stop(teacher, RUN)
        drawn_more(classes, seat, seen(classes, code), 10)
        return code, teacher, seat

    def gone(
        self, classes: ClassManager, tmp_path: Path, code: str, teacher: str, seat: Seat
    ) -> None:
        """Nothing of the class is there: for those who ask, in a table or in a byte of a file."""
        assert classes.read_state(code) is None
        assert classes.find_seat(seat.token) is None
        assert classes.find_taught_class_marking_presence(teacher) is None
        with sqlite3.connect(tmp_path / "classes.sqlite") as read:
            for table in ("class", "vote", "student", "prediction", "drawn"):
                assert read.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table
        read.close()
        left = kept(tmp_path)
        for what in (code, teacher, seat.token, KEY):
            assert what.encode() not in left
        for token in (teacher, seat.token):
            assert hashlib.sha256(token.encode()).digest() not in left

    def test_nothing_is_kept_of_what_is_deleted(
        self, classes: ClassManager, tmp_path: Path
    ) -> None:
        code, teacher, seat = self.filled(classes)
        assert code.encode() in kept(tmp_path)
        state = seen(classes, code)
        classes.delete_class(teacher)
        self.gone(classes, tmp_path, code, teacher, seat)
        refused("This class has ended", classes.submit_answer, seat, PREDICT, 0)
        refused("This class has ended", drawn_more, classes, seat, state, 1)
        refused("This class has ended", classes.move_to_stop, teacher, 0)
        classes.delete_class(teacher)

    def test_nothing_is_kept_where_another_process_was_reading(
        self, opened: Opened, tmp_path: Path
    ) -> None:
        here, there = opened(), opened()
        code, teacher, _ = self.filled(here)
        here._store._connection.execute("PRAGMA busy_timeout=1")
        with there._store.read_transaction() as reading:
            reading.execute("SELECT * FROM class").fetchall()
            here.delete_class(teacher)
            assert code.encode() in kept(tmp_path)
        here.delete_expired_classes()  # the next sweep
        assert code.encode() not in kept(tmp_path)

    @pytest.mark.parametrize("early", [False, True])
    def test_it_ends_after_three_hours_or_earlier_and_its_results_stay_a_day(
        self, opened: Opened, clock: Clock, tmp_path: Path, early: bool
    ) -> None:
        assert (LIMITS.seconds, LIMITS.results) == (3 * 60 * 60, 24 * 60 * 60)
        classes = opened()
        code, teacher, seat = self.filled(classes)
        clock.now += 600 if early else LIMITS.seconds - 1
        assert not seen(classes, code).over
        if early:
            classes.end_class(teacher)
        else:
            clock.now += 1
        self.stays(classes, code, teacher, seat)
        clock.now += LIMITS.results - 1
        self.stays(opened(), code, teacher, seat)
        clock.now += 1
        self.gone(classes, tmp_path, code, teacher, seat)

    def stays(self, classes: ClassManager, code: str, teacher: str, seat: Seat) -> None:
        """The results are there for all who were in; nobody adds to them and nobody comes in."""
        state = seen(classes, code)
        assert state.over
        assert classes.find_taught_class_marking_presence(teacher) == code
        assert classes.find_seat(seat.token) == seat
        (given,) = classes.answers_by_stop(state)
        assert (given.place, sum(given.first), given.after) == (PREDICT, 1, ())
        refused("This class has ended", classes.submit_answer, seat, PREDICT, 0)
        refused("This class has ended", drawn_more, classes, seat, state, 1)
        refused("This class has ended", classes.join, code)
        refused("This class has ended", classes.move_to_stop, teacher, 0)
        refused("This class has ended", classes.end_class, teacher)

    def test_a_process_that_starts_later_deletes_what_is_over(
        self, opened: Opened, clock: Clock, tmp_path: Path
    ) -> None:
        first = opened()
        told = self.filled(first)
        first.close()
        clock.now += LIMITS.seconds + LIMITS.results
        later = opened()
        assert told[0].encode() not in kept(tmp_path)
        self.gone(later, tmp_path, *told)

    def test_its_time_ends_though_nobody_looks(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fired: list[Callable[[], None]] = []

        def timer(seconds: float, then: Callable[[], None]) -> Mock:
            assert seconds == 60.0
            fired.append(then)
            return Mock()

        monkeypatch.setattr(threading, "Timer", timer)
        clock = Clock()
        classes = ClassManager(tmp_path / "classes.sqlite", LIMITS, clock)
        code, teacher, seat = self.filled(classes)
        empty, _ = classes.begin_class(KEY)
        clock.now += LIMITS.empty
        fired[-1]()
        assert classes.read_state(empty) is None
        assert classes.read_state(code) is not None
        clock.now += LIMITS.seconds + LIMITS.results - LIMITS.empty
        fired[-1]()
        assert len(fired) == 3  # and so on
        self.gone(classes, tmp_path, code, teacher, seat)
        classes.close()


MEMBER = """
import json, sys, threading
from pathlib import Path
from dataclasses import replace
from dpviz.teaching.classes import ClassManager, LIMITS
path, code, run, threads, draws = Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:])
classes = ClassManager(path, replace(LIMITS, writes=10**9))
seats = []
def student():
    seat = classes.join(code)
    seats.append(seat)
    for upto in range(1, draws + 1):
        state = classes.read_state(code)
        classes.draw_student_release_counts(seat, state.place, state.setting, upto)
everyone = [threading.Thread(target=student) for _ in range(threads)]
[one.start() for one in everyone]
[one.join() for one in everyone]
print(json.dumps([(s.number, s.seed) for s in seats]))
"""


def test_processes_share_a_class_and_nothing_is_lost_where_many_write(tmp_path: Path) -> None:
    path = tmp_path / "classes.sqlite"
    classes = ClassManager(path, age=0.0)
    code, teacher = classes.begin_class(KEY)
    classes.move_to_stop(teacher, RUN)
    processes, threads, draws = 2, 5, 6
    command = [sys.executable, "-c", MEMBER, str(path), code, str(RUN), str(threads), str(draws)]
    piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    members = [subprocess.Popen(command, cwd=ROOT, **piped) for _ in range(processes)]
    told = []
    for member in members:
        out, problem = member.communicate(timeout=240)
        assert member.returncode == 0, problem.decode()
        told += json.loads(out)
    assert sorted(number for number, _ in told) == list(range(processes * threads))
    state = seen(classes, code)
    assert (state.students, state.drawing) == (processes * threads, processes * threads)
    assert state.experiment is not None
    own = [
        state.experiment.draw_outcome_counts_per_law(state.setting_value, seed, draws)
        for _, seed in told
    ]
    assert state.counts.tolist() == np.sum(own, axis=0).tolist()
    classes.close()
