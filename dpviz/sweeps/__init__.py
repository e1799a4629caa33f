"""Sweeps: designs × ε × k × score vectors into one table, on any executor, resumable.

A `Sweep` describes the grid; `run_sweep` computes it. Same description, same table, whatever the
executor and however often the run was stopped or killed in between.
"""

from dpviz.sweeps.grid import COLUMNS, FIGURES, LeftOut, Sweep, Task, parameter_text
from dpviz.sweeps.journal import FORMATS
from dpviz.sweeps.run import run_sweep

__all__ = ["COLUMNS", "FIGURES", "FORMATS", "LeftOut", "Sweep", "Task", "parameter_text", "run_sweep"]
