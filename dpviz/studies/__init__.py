"""One study and many at once: the scenario that all parameters come from, what is asked of it, and
sweeps.

Read `scenario` first, whose links and files everything speaks; `decision` has the question of which ε to take. A sweep is designs × ε × k × score vectors in one
table: `grid` says which tasks there are and what one gives, `run` computes them on any executor,
and `journal` is the file that a stopped one goes on from.
"""

from dpviz.studies.about import Pair, Shown, data_name, own_settings, setting
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.design import Design
from dpviz.studies.epsilon_table import PROBABILITIES, needed_epsilon, rows_of_needs
from dpviz.studies.grid import COLUMNS, FIGURES, LeftOut, Row, Sweep, Task
from dpviz.studies.journal import FORMATS
from dpviz.studies.law_study import Chance, LawStudy, ScenarioStudy
from dpviz.studies.run import run_sweep
from dpviz.studies.scenario import LARGEST_SEED, Scenario
from dpviz.studies.study import (
    Pending,
    Readings,
    Refused,
    Study,
    known,
    step,
    steps,
    unless_refused,
)

__all__ = [
    "COLUMNS",
    "FIGURES",
    "FORMATS",
    "LARGEST_SEED",
    "PROBABILITIES",
    "Chance",
    "DataSpec",
    "Design",
    "LawStudy",
    "LeftOut",
    "Pair",
    "Pending",
    "Readings",
    "Refused",
    "Row",
    "Scenario",
    "ScenarioStudy",
    "Shown",
    "Study",
    "Sweep",
    "Task",
    "data_name",
    "known",
    "needed_epsilon",
    "own_settings",
    "rows_of_needs",
    "run_sweep",
    "setting",
    "step",
    "steps",
    "unless_refused",
]
