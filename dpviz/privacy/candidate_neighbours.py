"""Neighbours of a pool of private candidates: one person changes the law of every run, by as much as ε1 allows.

Symbols: of a candidate whose runs she makes better, the better half (mass u ≤ ½ where there is one) comes a times as
often with her, the rest b times: a = min(e^ε1, (1 − e^(−ε1)(1 − u))/u), b = (1 − a·u)/(1 − u).
Invariants: masses add up to 1, and no score of a run gets more than e^ε1 times as likely or less than e^(−ε1) times.
"""

import math
from collections.abc import Iterable, Iterator

import numpy as np

from dpviz.base.arrays import Bools
from dpviz.base.errors import ParameterError
from dpviz.base.parameters import check_integer, check_number
from dpviz.base.progress import Progress, portion, silent
from dpviz.candidates.laws import Atoms
from dpviz.candidates.pool import CandidatePool
from dpviz.candidates.rules import CandidateRule
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.meter import privacy_loss

_ALL_CORNERS = 5  # candidates


def moved_pool(pool: CandidatePool, better: Iterable[int], epsilon: float) -> CandidatePool:
    """The pool with a person who makes the runs of the candidates in `better` better, at ε1 = `epsilon` a run.

    Raises `ParameterError` for a candidate that is not there, or whose runs have a continuous law.

    >>> pool = CandidatePool([(np.array([0.0, 1.0]), np.array([0.5, 0.5]))])
    >>> moved_pool(pool, [0], math.log(1.5)).candidates[0].mass.round(4).tolist()  # no less than 0.5/1.5 is left
    [0.3333, 0.6667]
    """
    epsilon = check_number("epsilon", epsilon, low=0.0)
    chosen = {check_integer("a candidate", k, low=0, high=pool.size - 1) for k in better}
    laws = [_better(pool, k, epsilon) if k in chosen else law for k, law in enumerate(pool.candidates)]
    return CandidatePool(laws, labels=pool.labels)


def _better(pool: CandidatePool, k: int, epsilon: float) -> Atoms:
    law = pool.candidates[k]
    if not isinstance(law, Atoms):
        raise ParameterError(f"the runs of {pool.label(k)}", law, "runs that were made, or typed probabilities")
    if len(law.scores) == 1:
        return law
    tail = law.tail(law.scores)
    top = (
        law.scores
        >= law.scores[min(int(np.argmax(tail <= 0.5)) if (tail <= 0.5).any() else len(tail) - 1, len(tail) - 1)]
    )
    u = float(law.mass[top].sum())
    a = min(math.exp(epsilon), (1 - math.exp(-epsilon) * (1 - u)) / u)
    mass = law.mass * np.where(top, a, (1 - a * u) / (1 - u))
    return Atoms(law.scores, mass / mass.sum())


def search_pools(
    rule: CandidateRule, pool: CandidatePool, epsilon: float, *, progress: Progress = silent
) -> Iterator[tuple[tuple[int, ...], CandidatePool, PrivacyLoss]]:
    """Persons who tell more and more.

    Of up to five candidates all choices are tried, of more each alone, all but each, halves by rank.

    Parameters
    ----------
    rule
        What is run.
    pool
        The candidates without her.
    epsilon
        ε1, by which she may change the law of every run.
    progress
        Told the fraction done; may raise `Cancelled`.

    Yields
    ------
    tuple[tuple[int, ...], CandidatePool, PrivacyLoss]
        The candidates she makes better, the pool with her, and the loss against `pool`.
    """
    tries = list(_choices(pool))
    most = -math.inf
    for number, better in enumerate(tries):
        part = portion(progress, number / len(tries), (number + 1) / len(tries))
        changed = moved_pool(pool, better, epsilon)
        loss = privacy_loss(rule, changed, pool, progress=part)
        if loss.largest > most:
            most = loss.largest
            yield better, changed, loss
    progress(1.0)


def _choices(pool: CandidatePool) -> Iterator[tuple[int, ...]]:
    size = pool.size
    if size <= _ALL_CORNERS:
        masks: list[Bools] = [np.array([bool(bits >> k & 1) for k in range(size)]) for bits in range(1, 1 << size)]
    else:
        singles = np.eye(size, dtype=bool)
        order = np.argsort(-pool.tail(float(np.median(pool.level))), kind="stable")
        rank = np.argsort(order)
        halves = [rank < size // 2, rank >= size // 2, rank % 2 == 0, rank % 2 == 1, np.ones(size, bool)]
        masks = [*singles, *~singles, *halves]
    for mask in masks:
        yield tuple(np.flatnonzero(mask).tolist())
