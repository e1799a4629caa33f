"""Asynchronous work of a test in a thread of its own: after tests in the browser this one has a
loop already.
"""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """What it comes to."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
