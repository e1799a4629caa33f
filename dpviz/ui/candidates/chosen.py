"""The page's work: the pool first, then the law of the chosen rule, then what the open view needs.

Each is a job beside the page under a key of its own, asked for only when the one before is there; pools are
kept in the session, so that going back to one costs nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from dpviz.base.arrays import Floats
from dpviz.base.progress import Progress, portion
from dpviz.candidates import CandidateRule, SelectionLaw, naive_best
from dpviz.candidates.worth import ScoreBins, Utility, mean_scores, score_bins, top_quantile, utility
from dpviz.ui.candidates.parameters import PAGE
from dpviz.ui.candidates.pools import Asked, Made
from dpviz.ui.shell.show import waiting
from dpviz.ui.work.answer import work_on
from dpviz.ui.work.kept import Kept, kept

__all__ = ["POOLS", "Chosen", "NotYet", "chosen", "finished", "pool"]

T = TypeVar("T")
POOLS = 4  # that are kept


class NotYet(Exception):
    """What comes next needs work that is still under way."""


def finished(key: str, what: str, make: Callable[[Progress], T]) -> T:
    """The result of some work, made beside the page; until it is there the page says so and raises `NotYet`."""
    (job,) = work_on((key, lambda: {"made": lambda progress, done: make(progress)}))
    if "made" not in job.results:
        if job.problem is None:
            waiting(what)
        raise NotYet
    made: T = job.results["made"]
    return made


def pool(asked: Asked) -> Made:
    """The pool that is asked for."""
    pools: Kept[Made] = kept("pools", POOLS)
    return pools.once(asked.key, lambda: finished(asked.key, "The pool of runs", asked.make))


@dataclass(frozen=True, eq=False)
class Chosen:
    """What the chosen rule does to the pool, and what the views draw of it."""

    made: Made
    rule: CandidateRule
    law: SelectionLaw
    share: float
    quantile: float
    worth: Utility
    bins: ScoreBins
    means: Floats
    naive: SelectionLaw


def chosen(made: Made, rule: CandidateRule) -> Chosen:
    """The law of `rule` on the pool with its figures."""
    share = PAGE.read()[0].share

    def make(progress: Progress) -> Chosen:
        law = rule.distribution(made.pool, progress=portion(progress, 0.0, 0.5))
        naive = naive_best(made.pool)
        progress(0.8)
        return Chosen(
            made=made,
            rule=rule,
            law=law,
            share=share,
            quantile=top_quantile(made.pool, share),
            worth=utility(law, share),
            bins=score_bins(law),
            means=mean_scores(made.pool),
            naive=naive,
        )

    return finished(f"candidates {made.key} {rule.key} {share!r}", "The law of what comes out", make)
