"""Guessing a code: so many a minute for all, room for others, and no wait for a right code."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from dpviz.teaching.classes import LIMITS, ClassManager, ClassRefusal
from dpviz.teaching.classes.class_state import LENGTH, LETTERS
from tests.teaching.classes.looks import KEY, Clock, Opened, kept

WRONG = "ABCDEF"


def join(classes: ClassManager, address: str) -> bool:
    return classes.join(WRONG, address=address) is None


def ask_to_teach(classes: ClassManager, address: str) -> bool:
    try:
        classes.register_waiting_device(WRONG, address=address)
    except ClassRefusal as refused:
        return str(refused) == "There is no class with this code."
    return False


def guessed(
    classes: ClassManager,
    address: str,
    times: int = 300,
    door: Callable[[ClassManager, str], bool] = join,
) -> int:
    """How many wrong codes are looked up of those that an address tries at once."""
    count = 0
    for _ in range(times):
        with suppress(ClassRefusal):
            count += door(classes, address)
    return count


def test_all_processes_and_addresses_together_look_up_so_many_a_minute(
    opened: Opened, clock: Clock
) -> None:
    processes = opened(), opened()
    begun, looked_up = clock.now, 0
    while clock.now < begun + 3 * LIMITS.minute:
        looked_up += sum(guessed(processes[n % 2], f"2001:db8:0:{n}::1", 12) for n in range(20))
        clock.now += LIMITS.minute / 4
    assert LIMITS.lookups < looked_up <= 4 * LIMITS.lookups  # as a window may begin within each end
    found = looked_up / 3 * LIMITS.seconds / LIMITS.minute * LIMITS.classes / len(LETTERS) ** LENGTH
    assert found < 0.05  # any class of all, in the time that one lasts


def test_a_class_comes_in_by_typed_codes_while_another_address_guesses(opened: Opened) -> None:
    one, other = opened(), opened()
    code, _ = one.begin_class(KEY)
    assert guessed(one, "192.0.2.7") == 0.75 * LIMITS.lookups
    assert guessed(one, "192.0.2.8") > 10
    for _ in range(10):
        assert other.join(code, address="192.0.2.9") is not None
        guessed(one, "192.0.2.7", 10)


def test_right_codes_make_nobody_wait_and_exempt_nobody(classes: ClassManager) -> None:
    code, _ = classes.begin_class(KEY)
    assert guessed(classes, "192.0.2.7", 70) == 70
    for _ in range(250):
        assert classes.join(code, address="192.0.2.7") is not None
    assert guessed(classes, "192.0.2.7") == 5


def test_who_waits_is_told_how_long_and_then_waits_no_more(
    classes: ClassManager, clock: Clock
) -> None:
    code, _ = classes.begin_class(KEY)
    guessed(classes, "192.0.2.7")
    clock.now += 20
    with pytest.raises(ClassRefusal, match="Wait 40 s, or scan"):
        classes.join(code, address="192.0.2.7")
    clock.now += 40
    assert classes.join(code, address="192.0.2.7") is not None


def test_addresses_are_not_in_the_file_and_are_forgotten(
    classes: ClassManager, clock: Clock, tmp_path: Path
) -> None:
    guessed(classes, "192.0.2.77", 3)
    assert b"192.0.2" not in kept(tmp_path)
    clock.now += LIMITS.minute
    classes.delete_expired_classes()
    with classes._store.read_transaction() as store:
        assert store.execute("SELECT count(*) FROM try").fetchone() == (0,)


def test_each_door_counts_and_all_together(classes: ClassManager) -> None:
    code, _ = classes.begin_class(KEY)
    assert guessed(classes, "192.0.2.7", door=ask_to_teach) == 0.75 * LIMITS.lookups
    assert guessed(classes, "192.0.2.7") == 0
    with pytest.raises(ClassRefusal, match="Wait 60 s"):
        classes.register_waiting_device(code, address="192.0.2.7")
    for _ in range(LIMITS.lookups):
        classes.register_waiting_device(code, address="192.0.2.9")  # a right one counts nowhere
