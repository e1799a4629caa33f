"""Limits on guessing class codes, shared by all processes and fair between addresses.

Symbols: `most` tries count in `seconds`; c are of one address, n of all. An address may try while
`c < _SHARE * (most - n)`: one attacker stops at 3/4 of all, two at 3/7 each, and a new address
finds room at once.
Invariants: a right code does not count; no address is exempt, as anyone may begin a class.
"""

import hashlib
import ipaddress
import math
import sqlite3

from dpviz.teaching.classes.class_store import ClassRefusal, first_value

_SHARE = 3


def refuse_many_tries(
    store: sqlite3.Connection,
    kind: str,
    address: str,
    now: float,
    try_limit: int,
    lifetime_seconds: float,
) -> None:
    """Refuse a try that must wait; `record_and_count_events` counts one that was wrong."""
    delete_expired_tries(store, now)
    who = address_digest(store, address)
    at = store.execute("SELECT at, address FROM try WHERE kind = ? ORDER BY at", (kind,)).fetchall()
    own = sum(other == who for _, other in at)
    if own >= _SHARE * (try_limit - len(at)):
        wait = max(math.ceil(at[-1][0] + lifetime_seconds - now), 1)  # until no try counts any more
        raise ClassRefusal(
            f"Too many codes were typed here. Wait {wait} s, or scan the picture that the teacher"
            " shows."
        )


def delete_expired_tries(store: sqlite3.Connection, now: float) -> None:
    store.execute("DELETE FROM try WHERE ? - at >= until", (now,))


def record_and_count_events(
    store: sqlite3.Connection, kind: str, address: str, now: float, lifetime_seconds: float
) -> int:
    """Record an event of this address; return how many of the kind count for it now."""
    who = address_digest(store, address)
    store.execute(
        "INSERT INTO try (kind, address, at, until) VALUES (?, ?, ?, ?)",
        (kind, who, now, lifetime_seconds),
    )
    recent = "SELECT count(*) FROM try WHERE kind = ? AND address = ? AND ? - at < until"
    return int(first_value(store, recent, (kind, who, now)))


def address_network(address: str) -> str:
    """Network that an address stands for: of IPv6 the first 64 bits.

    >>> [address_network(one) for one in ("2001:db8::1:2", "::ffff:192.0.2.7", "192.0.2.7", "")]
    ['2001:db8::', '192.0.2.7', '192.0.2.7', '']
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
    """Keyed digest of an address, as the store keeps it."""
    key = first_value(store, "SELECT key FROM own")
    return hashlib.blake2b(address_network(address).encode(), key=key, digest_size=16).digest()
