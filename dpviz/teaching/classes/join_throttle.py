"""Tries of codes: counted in the store, for all processes together, in fair turns by address.

Symbols: `most` tries that count in `seconds`; c of one address, n of all. An address may try while
`c < _SHARE * (most - n)`: one that guesses is stopped at 3/4 of all, two at 3/7 each, and whoever
comes from another address finds room at once. A right code does not count, so it makes nobody wait.
Invariants: at most `most` tries count in any `seconds`, whatever the addresses; no address is
exempt, as anyone may begin a class; of an address the store has a keyed digest, until its last try
is forgotten.
"""

import hashlib
import ipaddress
import math
import sqlite3

from dpviz.teaching.classes.class_limits import ClassRefusal

_SHARE = 3
_WAIT = (
    "Too many codes were typed here. Wait {} s, or come in by the picture that the teacher shows."
)


class TooManyTries(ClassRefusal):
    """A try that must wait `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(_WAIT.format(seconds))
        self.seconds = seconds


class RecentRefusals:
    """Whom this process has refused just now: who tries all the time takes nothing of the store
    meanwhile.
    """

    def __init__(self, seconds: float = 1.0, most: int = 10_000) -> None:
        self._seconds, self._most = seconds, most
        self._until: dict[
            str, tuple[float, float]
        ] = {}  # by address: when it was refused, and until when it waits

    def raise_if_waiting(self, address: str, now: float) -> None:
        """Raise where this address must wait still."""
        since, until = self._until.get(address, (0.0, 0.0))
        if since <= now < min(until, since + self._seconds):
            raise TooManyTries(math.ceil(until - now))

    def add_refusal(self, address: str, now: float, refused: TooManyTries) -> None:
        """This address was refused."""
        self._until.pop(address, None)
        self._until[address] = now, now + refused.seconds
        if len(self._until) > self._most:
            del self._until[next(iter(self._until))]


def record_try(
    store: sqlite3.Connection, kind: str, address: str, now: float, most: int, seconds: float
) -> int:
    """Note a try and give its number, by which it can be forgiven; raises `TooManyTries` where it
    must wait.
    """
    delete_expired_tries(store, now)
    who = address_digest(store, address)
    at = store.execute("SELECT at, address FROM try WHERE kind = ? ORDER BY at", (kind,)).fetchall()
    own = sum(other == who for _, other in at)
    if own >= _SHARE * (most - len(at)):
        raise TooManyTries(_wait([(when, other == who) for when, other in at], now, most, seconds))
    return int(
        store.execute(
            "INSERT INTO try (kind, address, at, until) VALUES (?, ?, ?, ?) RETURNING id",
            (kind, who, now, seconds),
        ).fetchone()[0]
    )


def delete_expired_tries(store: sqlite3.Connection, now: float) -> None:
    """Delete what is over."""
    store.execute("DELETE FROM try WHERE abs(? - at) >= until", (now,))


def delete_try(store: sqlite3.Connection, number: int) -> None:
    """The try was none to count."""
    store.execute("DELETE FROM try WHERE id = ?", (number,))


def count_and_record_event(
    store: sqlite3.Connection, kind: str, address: str, now: float, seconds: float
) -> int:
    """Note what an address does that is no try; how often it did before, in so many seconds."""
    who = address_digest(store, address)
    before = store.execute(
        "SELECT count(*) FROM try WHERE kind = ? AND address = ? AND abs(? - at) < until",
        (kind, who, now),
    ).fetchone()[0]
    store.execute(
        "INSERT INTO try (kind, address, at, until) VALUES (?, ?, ?, ?)", (kind, who, now, seconds)
    )
    return int(before)


def address_network(address: str) -> str:
    """Whom an address stands for: of the sixth version everybody has 2^64.

    >>> address_network("2001:db8::1:2"), address_network("::ffff:192.0.2.7"), address_network("192.0.2.7"), address_network("")
    ('2001:db8::', '192.0.2.7', '192.0.2.7', '')
    """
    try:
        read = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(read, ipaddress.IPv6Address):
        if read.ipv4_mapped is not None:
            return str(read.ipv4_mapped)
        return str(ipaddress.ip_network((read, 64), strict=False).network_address)
    return str(read)


def address_digest(store: sqlite3.Connection, address: str) -> bytes:
    """What the store has of an address."""
    (key,) = store.execute("SELECT key FROM own").fetchone()
    return hashlib.blake2b(address_network(address).encode(), key=key, digest_size=16).digest()


def _wait(at: list[tuple[float, bool]], now: float, most: int, seconds: float) -> int:
    """Seconds until there is room again, as the tries are forgotten one after the other."""
    own, left = sum(mine for _, mine in at), len(at)
    for when, mine in at:
        own, left = own - mine, left - 1
        if own < _SHARE * (most - left):
            return max(math.ceil(when + seconds - now), 1)
    return math.ceil(seconds)
