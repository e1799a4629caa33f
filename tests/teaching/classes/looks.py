"""A class and a time that passes when it is told to, as its tests look at them."""

from collections.abc import Callable
from pathlib import Path

from dpviz.base import Ints
from dpviz.teaching.classes import ClassManager, ClassState, Seat

ROOT = Path(__file__).resolve().parents[3]
KEY = "permute_and_flip"
Opened = Callable[..., ClassManager]


class Clock:
    """A time that passes when it is told to."""

    now = 1e9

    def __call__(self) -> float:
        return self.now


def seen(classes: ClassManager, code: str) -> ClassState:
    state = classes.read_state(code)
    assert state is not None
    return state


def joined(classes: ClassManager, code: str) -> Seat:
    seat = classes.join(code)
    assert seat is not None
    return seat


def drawn_more(classes: ClassManager, seat: Seat, state: ClassState, more: int) -> Ints:
    """All draws of a student who presses once more."""
    size = classes.student_stop_record(seat, state).draw_count + more
    return classes.draw_student_release_counts(seat, state.place, state.setting, size)


def kept(folder: Path) -> bytes:
    """All that the files of a store hold."""
    return b"".join(f.read_bytes() for f in folder.iterdir() if not f.name.endswith("-shm"))
