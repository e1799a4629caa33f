"""The page's work: the pool first, then the law of the chosen rule, then what the open view needs.

Each is a job beside the page under a key of its own, asked for only when the one before is there; pools are
kept in the session, so that going back to one costs nothing.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.base.arrays import Floats
from dpviz.base.progress import Progress, portion
from dpviz.candidates import CandidateRule, SelectionLaw, naive_best
from dpviz.candidates.worth import ScoreBins, Utility, mean_scores, score_bins, top_quantile, utility
from dpviz.ui.candidates.pools import Asked, Made
from dpviz.ui.candidates.run_price import PAGE
from dpviz.ui.shell.page_parameters import value
from dpviz.ui.shell.show import pending, waiting
from dpviz.ui.work.answer import work_on
from dpviz.ui.work.job import Job

__all__ = ["Chosen", "chosen", "finished", "pool", "share_of"]

_POOLS = "dpviz.candidates.pools"
_MOST = 4


@dataclass(frozen=True, eq=False)
class _Work:
    key: str
    job: Job


def finished(key: str, what: str, make: Callable[[Progress], Any]) -> Any:
    """The result of some work, made beside the page; until it is there the page says so and ends here."""
    work = _Work(key, work_on(key, lambda: {"made": lambda progress, done: make(progress)}))
    if pending(work) or "made" not in work.job.results:
        if work.job.problem is None:
            waiting(what)
        st.stop()
    return work.job.results["made"]


def pool(asked: Asked) -> Made:
    """The pool that is asked for."""
    kept: OrderedDict[str, Made] = st.session_state.setdefault(_POOLS, OrderedDict())
    if asked.key not in kept:
        kept[asked.key] = finished(asked.key, "The pool of runs", asked.make)
        while len(kept) > _MOST:
            kept.popitem(last=False)
    kept.move_to_end(asked.key)
    return kept[asked.key]


def share_of() -> float:
    """The share p of all runs that counts as top."""
    return float(value("share", PAGE["share"].default, PAGE["share"].check))


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
    share = share_of()

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

    result: Chosen = finished(f"candidates {made.key} {rule.key} {share!r}", "The law of what comes out", make)
    return result
