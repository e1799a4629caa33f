"""Errors that a user's own classes and functions raise while they run, each in one sentence."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from traceback import extract_tb
from types import FunctionType
from typing import Any

from dpviz.base.errors import Cancelled, ParameterError, WorkLost, printable_line

_LONGEST = 200  # characters of an error of such code
_KEPT = ParameterError, Cancelled, WorkLost, MemoryError  # which say all that is to be said


class UserCodeError(ParameterError):
    """An error of a user's own code; its cause is what that code raised."""

    def __init__(self, name: str, error: str) -> None:
        super().__init__(name, error, "code that runs")
        self.args = (name, error)  # so that it survives pickling

    def __str__(self) -> str:
        return f"{self.parameter} raised {self.value}."


def name_user_errors(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, and any that it returns, with errors that name it.

    >>> name_user_errors(eval)("1 / 0")
    Traceback (most recent call last):
    dpviz.base.user_errors.UserCodeError: eval raised ZeroDivisionError (division by zero).
    """
    nested = getattr(function, "__qualname__", type(function).__name__).split(".")
    name = ".".join(part for part in nested if part != "<locals>")

    @wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        try:
            result = function(*args, **named)
        except _KEPT:
            raise
        except Exception as err:
            raise UserCodeError(name, _error_text(err, function)) from err
        own = isinstance(result, FunctionType) and not result.__module__.startswith("dpviz.")
        return name_user_errors(result) if own else result

    return call


def user_error_text(err: Exception) -> str:
    return printable_line(f"{type(err).__name__} ({err})", _LONGEST)


def _error_text(err: Exception, function: Callable[..., Any]) -> str:
    told = user_error_text(err)
    file = getattr(getattr(function, "__code__", None), "co_filename", "")
    lines = [frame.lineno for frame in extract_tb(err.__traceback__) if frame.filename == file]
    return f"{told} in line {lines[-1]} of {Path(file).name}" if lines else told


class NamesUserErrors:
    """Base of what a user may write: errors of subclasses outside dpviz name class and method."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if cls.__module__.startswith("dpviz."):
            return
        for name, held in list(vars(cls).items()):
            if name.startswith("__") and name != "__post_init__":
                continue
            if isinstance(held, FunctionType):
                setattr(cls, name, name_user_errors(held))
            elif isinstance(held, property) and held.fget is not None:
                setattr(cls, name, property(name_user_errors(held.fget)))
