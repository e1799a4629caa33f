"""Scenarios, studies and sweeps: everything that is computed but is not one page's own."""

from dpviz.base import DeclaredParameters, Scalar
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.design import SEARCHED, Design
from dpviz.studies.epsilon_range import find_epsilon_range
from dpviz.studies.epsilon_table import (
    NAMES_NEEDED,
    PROBABILITIES,
    epsilon_rows,
    smallest_epsilon_or_reason,
)
from dpviz.studies.mechanism_studies import (
    BoundedProbability,
    LawStudy,
    MechanismStudy,
    ReleasesStudy,
    ScenarioStudy,
    SmallestEpsilonStudy,
    bounded_probability,
)
from dpviz.studies.provenance import (
    Pair,
    Provenance,
    ShownMechanism,
    build_provenance,
    data_name,
    design_settings,
    format_setting,
)
from dpviz.studies.scenario import GOAL, LARGEST_SEED, Scenario
from dpviz.studies.study import (
    StepPending,
    StepReadings,
    StepRefusal,
    Study,
    read_if_ready,
    result_or_refusal,
    step,
    steps_by_name,
)
from dpviz.studies.sweep import COLUMNS, FIGURES, ExcludedSize, Row, Sweep, SweepTask
from dpviz.studies.sweep_journal import FORMATS
from dpviz.studies.sweep_runner import run_sweep

__all__ = [
    "COLUMNS",
    "FIGURES",
    "FORMATS",
    "GOAL",
    "LARGEST_SEED",
    "NAMES_NEEDED",
    "PROBABILITIES",
    "SEARCHED",
    "BoundedProbability",
    "DataSpec",
    "DeclaredParameters",
    "Design",
    "ExcludedSize",
    "LawStudy",
    "MechanismStudy",
    "Pair",
    "Provenance",
    "ReleasesStudy",
    "Row",
    "Scalar",
    "Scenario",
    "ScenarioStudy",
    "ShownMechanism",
    "SmallestEpsilonStudy",
    "StepPending",
    "StepReadings",
    "StepRefusal",
    "Study",
    "Sweep",
    "SweepTask",
    "bounded_probability",
    "build_provenance",
    "data_name",
    "design_settings",
    "epsilon_rows",
    "find_epsilon_range",
    "format_setting",
    "read_if_ready",
    "result_or_refusal",
    "run_sweep",
    "smallest_epsilon_or_reason",
    "step",
    "steps_by_name",
]
