"""Sweeps: designs × ε × k × score vectors into one table, on any executor, resumable.

A `Sweep` describes the grid; `run_sweep` computes it. Same description, same table, whatever the
executor and however often the run was stopped or killed in between.
"""

from dpviz.studies.grid import COLUMNS, FIGURES, LeftOut, Sweep, Task
from dpviz.studies.journal import FORMATS
from dpviz.studies.run import run_sweep

__all__ = ["COLUMNS", "FIGURES", "FORMATS", "LeftOut", "Sweep", "Task", "run_sweep"]
