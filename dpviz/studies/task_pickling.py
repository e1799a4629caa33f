"""Pickling of sweep tasks: by name where possible, else with cloudpickle, as for notebooks."""

import pickle
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from dpviz.base import ParameterError
from dpviz.studies.sweep import Row, SweepTask


def picklable_call(task: SweepTask) -> tuple[Callable[..., list[Row]], Any]:
    """Function and argument for a worker; raises `ParameterError` where they cannot be sent."""
    try:
        own = b"__main__" in pickle.dumps(task)
    # a function without a name, or a class in a function
    except (pickle.PicklingError, AttributeError, TypeError):
        own = True
    if not own:
        return SweepTask.rows, task
    if find_spec("cloudpickle") is not None:
        import cloudpickle  # noqa: PLC0415 - only for these

        return _rows_of, cloudpickle.dumps(task)
    # worker processes run a script again, and find its classes there
    if getattr(sys.modules["__main__"], "__file__", None):
        return SweepTask.rows, task
    allowed = (
        "of a module that worker processes can import, or cloudpickle has to be there: pip install"
        " cloudpickle"
    )
    raise ParameterError("mechanism", task.design.mechanism, allowed)


def _rows_of(packed: bytes) -> list[Row]:
    task: SweepTask = pickle.loads(packed)  # noqa: S301 - what `picklable_call` has packed
    return task.rows()
