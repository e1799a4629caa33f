"""Steps of large work, computed in a worker process within the budget of a session."""

from collections.abc import Iterable, Mapping
from functools import partial

from dpviz.base.limited_process import POSSIBLE, LimitedProcess, Limits, StepwiseWork
from dpviz.base.resource_budgets import current_budgets
from dpviz.studies import Study
from dpviz.studies.study import Once
from dpviz.web.jobs.job import WorkStep


class ProcessSteps(dict[str, WorkStep]):
    """Named steps of some work, computed in the worker process `apart`."""

    def __init__(self, work: StepwiseWork, names: Iterable[str]) -> None:
        self.apart = LimitedProcess(
            work, Limits(current_budgets().worker, current_budgets().computing)
        )
        super().__init__({name: partial(self.apart.compute_step, name) for name in names})


def missing_steps(study: Study, keep: Once) -> Mapping[str, WorkStep]:
    """Steps that a study does not have yet, in a process where the study is large."""
    steps = study.missing_computations(keep)
    return ProcessSteps(study, steps) if study.is_large_study and POSSIBLE else steps
