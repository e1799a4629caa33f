"""What is put aside lies in a file, comes back as often as it is asked for, and goes along where it
is pickled.
"""

import pickle
import weakref

from dpviz.base.spilled_value import SpilledValue


def test_it_comes_back_as_it_was_here_and_from_a_pickle() -> None:
    held = SpilledValue([1, "two"])
    again = pickle.loads(pickle.dumps(held))
    assert again.load() == held.load() == held.load() == [1, "two"]
    assert again.load() is not again.load(), "nothing of it is kept"


def test_its_file_goes_with_it() -> None:
    held = SpilledValue(b"x")
    file, there = held._file, weakref.ref(held)
    del held
    assert there() is None
    assert file.closed
