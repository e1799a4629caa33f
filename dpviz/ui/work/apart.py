"""Steps of a study that is large: a process of its own computes them, within the budget of a session."""

from collections.abc import Mapping
from functools import partial

from dpviz.base.apart import POSSIBLE, Apart, Limits
from dpviz.base.budgets import budgets
from dpviz.studies import Study
from dpviz.studies.study import Once
from dpviz.ui.work.job import Step


class Elsewhere(dict[str, Step]):
    """Every step that the study does not have yet, computed `apart`."""

    def __init__(self, study: Study, keep: Once) -> None:
        limits = Limits(budgets().worker, budgets().computing)
        self.apart = Apart(study, limits)
        super().__init__({name: partial(self.apart.ask, name) for name in study.work(keep)})


def work_of(study: Study, keep: Once) -> Mapping[str, Step]:
    """The steps of a study that it does not have yet, as a job computes them."""
    return Elsewhere(study, keep) if study.large and POSSIBLE else study.work(keep)
