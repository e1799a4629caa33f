"""Small products of matrices run on one thread: on shared cores more threads make them several
times slower.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@cache
def _controller() -> "ThreadpoolController":
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()  # looking the libraries up takes milliseconds, so once


@contextmanager
def single_blas_thread() -> Iterator[None]:
    """While this lasts, the linear algebra behind numpy uses one thread.

    >>> with single_blas_thread():
    ...     pass
    """
    with _controller().limit(limits=1, user_api="blas"):
        yield
