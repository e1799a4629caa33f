"""One study and many at once: the scenario that all parameters come from, and sweeps.

Read `scenario` first, whose links and files everything speaks; `decision` has the question of which
ε to take. A sweep is designs × ε × k × score vectors in one table: `sweep` says which tasks there
are and what one gives, `sweep_runner` computes them on any executor, and `sweep_journal` is the
file that a stopped one goes on from.
"""

from dpviz.studies.data_spec import DataSpec
from dpviz.studies.design import Design
from dpviz.studies.epsilon_table import PROBABILITIES, needed_epsilon, rows_of_needs
from dpviz.studies.mechanism_studies import Chance, LawStudy, ScenarioStudy
from dpviz.studies.provenance import Pair, Shown, data_name, own_settings, setting
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
from dpviz.studies.sweep import COLUMNS, FIGURES, LeftOut, Row, Sweep, Task
from dpviz.studies.sweep_journal import FORMATS
from dpviz.studies.sweep_runner import run_sweep

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
