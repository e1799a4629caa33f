"""One thread for small products of matrices: on shared cores more are several times slower."""

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
    """Let the linear algebra behind numpy use one thread in this block."""
    with _controller().limit(limits=1, user_api="blas"):
        yield
