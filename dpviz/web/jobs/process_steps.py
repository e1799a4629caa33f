"""What is large: a process of its own computes it, within the budget of a session."""

from collections.abc import Iterable, Mapping
from functools import partial

from dpviz.base.limited_process import POSSIBLE, Apart, Limits, Work
from dpviz.base.resource_budgets import budgets
from dpviz.studies import Study
from dpviz.studies.study import Once
from dpviz.web.jobs.job import WorkStep


class Elsewhere(dict[str, WorkStep]):
    """Steps of some work of these names, computed `apart`."""

    def __init__(self, work: Work, names: Iterable[str]) -> None:
        self.apart = Apart(work, Limits(budgets().worker, budgets().computing))
        super().__init__({name: partial(self.apart.ask, name) for name in names})


def work_of(study: Study, keep: Once) -> Mapping[str, WorkStep]:
    """The steps of a study that it does not have yet, as a job computes them."""
    steps = study.work(keep)
    return Elsewhere(study, steps) if study.large and POSSIBLE else steps
