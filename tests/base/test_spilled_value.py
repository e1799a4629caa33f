"""A spilled value lies in a file, loads as often as it is asked for, and can be pickled."""

import pickle
import weakref

from dpviz.base.spilled_value import SpilledValue


def test_a_spilled_value_loads_unchanged_here_and_from_a_pickle() -> None:
    held = SpilledValue([1, "two"])
    again = pickle.loads(pickle.dumps(held))
    assert again.load() == held.load() == held.load() == [1, "two"]
    assert again.load() is not again.load(), "nothing of it is kept"


def test_the_file_is_closed_with_the_value() -> None:
    held = SpilledValue(b"x")
    file, there = held._file, weakref.ref(held)
    del held
    assert there() is None
    assert file.closed
