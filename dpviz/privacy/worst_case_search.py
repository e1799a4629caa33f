"""A search for the neighbour with the largest privacy loss, of scores and of pools.

Symbols: a step is every item's move, in units of Δ.
Invariant: the result is a neighbour with the same names, so its loss is a lower bound of the worst.
"""

import math
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import combinations, islice, product
from typing import Any

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Bools,
    Floats,
    Ints,
    Progress,
    Scores,
    check_generator,
    check_integer,
    check_kind,
    check_number,
    ignore_progress,
    portion,
)
from dpviz.candidates import CandidatePool, CandidateRule
from dpviz.candidates.score_laws import DiscreteScoreLaw
from dpviz.privacy.loss import PrivacyLoss
from dpviz.privacy.loss_computation import NeighbourLossMeter, privacy_loss
from dpviz.privacy.neighbours import drop_moves_below_zero, max_moved_scores, move_scores

_ALL_CORNERS = 5  # up to so many items or candidates


def worst_neighbour(
    mechanism: Any,
    scores: Scores,
    *,
    rng: Generator | int | None = None,
    tries: int = 200,
    at: float | None = None,
    progress: Progress = ignore_progress,
) -> tuple[Scores, PrivacyLoss]:
    """The neighbour with the largest loss found, and that loss: a lower bound of the worst.

    Under (ε, δ) it looks for the largest δ(ε). Neighbours with a new name are not tried.

    Parameters
    ----------
    mechanism
        A mechanism with scores.
    scores
        The data.
    rng
        The generator that tries single flips, or its seed; None for seed 0, so that a page repeats.
    tries
        The most neighbours to meter; of up to five items all moves by whole Δ are tried.
    at
        ε' from 0 on, to look for the largest δ(ε'); None to look for the largest loss.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    tuple[Scores, PrivacyLoss]
        The neighbour, and its loss against `scores`.

    Raises
    ------
    ParameterError
        For anything but scores, and as `privacy_loss`.

    Examples
    --------
    >>> from dpviz import Canonical
    >>> s = Scores([9, 5, 5, 2, 0], monotonic=True)
    >>> neighbour, loss = worst_neighbour(Canonical(epsilon=1.0, k=2), s)
    >>> (neighbour.values - s.values).tolist(), round(loss.largest, 4)
    ([0.0, 0.0, 1.0, 0.0, 1.0], 0.7001)
    """
    *_, worst = search_neighbours(mechanism, scores, rng=rng, tries=tries, at=at, progress=progress)
    return worst


def search_neighbours(
    mechanism: Any,
    scores: Scores,
    *,
    rng: Generator | int | None = None,
    tries: int = 200,
    at: float | None = None,
    progress: Progress = ignore_progress,
) -> Iterator[tuple[Scores, PrivacyLoss]]:
    """The search of `worst_neighbour`, step by step."""
    check_kind("scores", scores, Scores, "a dpviz.Scores")
    tries = check_integer("tries", tries, low=1)
    k = getattr(mechanism, "k", 1) or scores.d  # no k where all that pass come out
    at = None if at is None else check_number("at", at, low=0.0)
    rng = check_generator(rng, default=0)
    best_step, most, meter = np.zeros(scores.d), -np.inf, NeighbourLossMeter(mechanism, scores)
    few = scores.d <= _ALL_CORNERS
    tries = 3**scores.d if few else tries
    counts = not getattr(mechanism, "needs_names", True)  # or it refuses what is below 0

    def proposed() -> Iterator[Floats]:
        tried = 0
        for step in islice(
            _distinct(scores, unit_step_patterns(scores, k)), tries if few else tries - tries // 4
        ):
            tried += 1
            yield step
        for _ in range(0 if few else min(tries - tried, tried)):
            yield _flipped(scores, best_step, k, rng)

    for done, wanted in enumerate(proposed()):
        step = np.where(move_scores(scores, wanted).values < 0, 0.0, wanted) if counts else wanted
        neighbour = move_scores(scores, step)
        loss = meter(neighbour, portion(progress, done / tries, (done + 1) / tries))
        if (found := search_objective(loss, at)) > most:
            best_step, most = step, found
            yield neighbour, loss
        if at is None and not loss.ceiling.delta and most >= loss.ceiling.epsilon * (1 - 1e-9):
            break  # no neighbour shows more than is promised, up to rounding
    progress(1.0)


def search_objective(loss: PrivacyLoss, epsilon_prime: float | None) -> float:
    """The figure to maximise: the largest loss, or δ at ε' (else at ε of an (ε, δ) promise)."""
    if epsilon_prime is None and not loss.ceiling.delta:
        return loss.largest
    epsilon = loss.ceiling.epsilon if epsilon_prime is None else epsilon_prime
    return max(loss.delta(epsilon), loss.reversed.delta(epsilon))


def unit_step_patterns(scores: Scores, k: int) -> Iterator[Floats]:
    """Steps to try, by rank: some items go up (or down), the others stay or go the other way."""
    d, ranks = scores.d, np.arange(scores.d)
    most = max_moved_scores(scores)
    if d <= _ALL_CORNERS:  # every step of whole Δ
        for way in [(0.0, 1.0), (0.0, -1.0)] if scores.same_direction else [(0.0, 1.0, -1.0)]:
            for whole in product(way, repeat=d):
                if np.count_nonzero(whole) <= most:
                    yield drop_moves_below_zero(scores, np.array(whole))
        return
    if not scores.names_known:  # the best items of one person alone go, or items of nobody come
        for score, sign in ((scores.sensitivity, -1.0), (0.0, 1.0)):
            step = np.zeros(d)
            step[scores.order[scores.values[scores.order] == score][:most]] = sign
            yield step
    chosen = [ranks % 2 == 0, ranks % 2 == 1, (ranks < k) ^ (ranks % 2 == 0)]
    reaches = [0, 1, *(round(d ** (power / 6)) for power in range(1, 7))]
    around = (cut for reach in reaches for cut in (k - reach, k, k + reach))
    cuts = list(dict.fromkeys(min(d, max(0, cut)) for cut in around))
    ends = sorted(combinations(range(len(cuts)), 2), key=sum)  # close to the cut first
    chosen += [(ranks >= min(cuts[i], cuts[j])) & (ranks < max(cuts[i], cuts[j])) for i, j in ends]
    # they hardly ever decide, but make outputs that no other move does
    ends_differ = (ranks == 0) | (ranks == d - 1)
    for members in chosen:
        for sign in (1.0, -1.0):
            yield _step(scores, members, sign, k)
            yield _step(scores, members ^ ends_differ, sign, k)


def _step(scores: Scores, members: Bools, sign: float, k: int) -> Floats:
    """The members (by rank) move by `sign`; where too many would, those closest to the cut."""
    by_rank = np.where(members, sign, 0.0 if scores.same_direction else -sign)
    closest = np.argsort(np.abs(np.arange(scores.d) - k + 0.5), kind="stable")
    moving = closest[by_rank[closest] != 0]
    by_rank[moving[max_moved_scores(scores) :]] = 0.0
    return drop_moves_below_zero(scores, by_rank[scores.rank])


def _flipped(scores: Scores, step: Floats, k: int, rng: Generator) -> Floats:
    """One item near the cut moves another way; where that makes too many, one that moved stays."""
    way = 1.0 if (step > 0).any() else -1.0
    reach = max(2, scores.d // 2) ** float(rng.random())
    rank = int(np.clip(k + round(float(rng.normal()) * reach), 0, scores.d - 1))
    item = int(scores.order[rank])
    changed = step.copy()
    changed[item] = (0.0 if step[item] else way) if scores.same_direction else (-step[item] or way)
    moving: Ints = np.flatnonzero(changed)
    if len(moving) > max_moved_scores(scores):
        changed[rng.choice(moving[moving != item])] = 0.0
    return drop_moves_below_zero(scores, changed)


def _distinct(scores: Scores, steps: Iterator[Floats]) -> Iterator[Floats]:
    """Each step once, and none that moves nothing unless there is no other."""
    seen = set[bytes]()  # not the steps themselves: of a million items they are gigabytes
    for step in steps:
        key = blake2b(step.astype(np.int8).tobytes(), digest_size=16).digest()
        if key not in seen and step.any():
            seen.add(key)
            yield step
    if not seen:
        yield np.zeros(scores.d)


def neighbouring_pool(
    pool: CandidatePool, improved_candidates: Iterable[int], epsilon: float
) -> CandidatePool:
    """The pool with a person who makes runs of the candidates in `improved_candidates` better, at
    ε1 a run.
    """
    epsilon = check_number("epsilon", epsilon, low=0.0)
    chosen = {
        check_integer("a candidate", k, low=0, high=pool.size - 1) for k in improved_candidates
    }
    laws = [
        _better(pool, k, epsilon) if k in chosen else law for k, law in enumerate(pool.candidates)
    ]
    return CandidatePool(laws, labels=pool.labels)


def _better(pool: CandidatePool, k: int, epsilon: float) -> DiscreteScoreLaw:
    name, allowed = f"the runs of {pool.label(k)}", "runs that were made, or typed probabilities"
    law: DiscreteScoreLaw = check_kind(name, pool.candidates[k], DiscreteScoreLaw, allowed)
    if len(law.scores) == 1:
        return law
    # the better half (mass u) comes `a` times as often with the person, the most that ε1 allows
    top = law.tail(law.scores) <= 0.5
    top[-1] = True
    u = float(law.mass[top].sum())
    a = min(math.exp(epsilon), (1 - math.exp(-epsilon) * (1 - u)) / u)
    mass = law.mass * np.where(top, a, (1 - a * u) / (1 - u))
    return DiscreteScoreLaw(law.scores, mass / mass.sum())


def search_neighbouring_pools(
    rule: CandidateRule,
    pool: CandidatePool,
    epsilon: float,
    *,
    progress: Progress = ignore_progress,
) -> Iterator[tuple[tuple[int, ...], CandidatePool, PrivacyLoss]]:
    """Persons with larger and larger losses: all choices of up to five candidates, else some."""
    tries = list(_choices(pool))
    most = -math.inf
    for number, better in enumerate(tries):
        part = portion(progress, number / len(tries), (number + 1) / len(tries))
        changed = neighbouring_pool(pool, better, epsilon)
        loss = privacy_loss(rule, changed, pool, progress=part)
        if loss.largest > most:
            most = loss.largest
            yield better, changed, loss
    progress(1.0)


def _choices(pool: CandidatePool) -> Iterator[tuple[int, ...]]:
    size = pool.size
    if size <= _ALL_CORNERS:
        yield from (tuple(k for k in range(size) if bits >> k & 1) for bits in range(1, 1 << size))
        return
    singles = np.eye(size, dtype=bool)
    order = np.argsort(-pool.tail(float(np.median(pool.score_levels))), kind="stable")
    rank = np.argsort(order)
    halves = [rank < size // 2, rank >= size // 2, rank % 2 == 0, rank % 2 == 1]
    for mask in (*singles, *~singles, *halves, np.ones(size, bool)):
        yield tuple(np.flatnonzero(mask).tolist())
