"""The distribution of a private top-k selection; every figure derives from its law."""

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from numpy.random import Generator

from dpviz.base import (
    Floats,
    Frame,
    Ints,
    ParameterError,
    Plottable,
    Progress,
    ReadOnlyArrays,
    Scores,
    ValueEquality,
    attach_person_metadata,
    cached_property,
    check_integer,
    check_item_indices,
    extract_person_metadata,
    ignore_progress,
    notebook_table,
    pd,
)
from dpviz.base.former_names import former_names
from dpviz.base.live_figure import LiveResult
from dpviz.base.notebook import method_and_error_text
from dpviz.topk.classes import (
    EVENTS,
    ClassScore,
    event_bounds,
    log_class_size,
    log_class_size_up_to_k,
)
from dpviz.topk.law import ClassTable, RankLaw, SelectionMechanism
from dpviz.topk.law_grid import Grid, class_grid
from dpviz.topk.sampled_law import clopper_pearson


@former_names(
    event="event_probability",
    events="event_probabilities",
    loss="compare_outcomes",
    nothing="incomplete_list_probability",
)
class TopKDistribution(ReadOnlyArrays, ValueEquality, Plottable, LiveResult):
    """The distribution of the k items that a mechanism chooses, with all figures of merit.

    Parameters
    ----------
    mechanism
        The mechanism that is run.
    scores
        Its d scores, d > k.
    law
        The law of the chosen ranks: the source of every figure.

    Examples
    --------
    >>> from dpviz import Canonical
    >>> dist = Canonical(epsilon=1.0, k=1).distribution(Scores([2.0, 0.0]))
    >>> round(dist.top, 4), dist.method, dist.inclusion.round(4).tolist()
    (0.6225, 'exact', [0.6225, 0.3775])
    """

    seen = "the set of items"
    _made_of = "mechanism", "scores", "draws", "_drawn"
    whole = True

    def __init__(self, mechanism: SelectionMechanism, scores: Scores, law: RankLaw) -> None:
        self.mechanism = mechanism
        self.scores = scores
        self.law = law
        self.k = mechanism.k
        self.reach = mechanism.largest_list_size(scores)

    @property
    def requested_count(self) -> int:
        """Number of names asked for."""
        return self.k

    @property
    def names(self) -> Sequence[str]:
        return self.scores.names

    @property
    def chances(self) -> Floats:
        return self.inclusion

    @property
    def class_score(self) -> ClassScore | None:
        """The weight of C(h,t) if it alone decides the chance of a set; otherwise None."""
        return self.mechanism.class_score

    @property
    def method(self) -> Literal["exact", "estimated"]:
        """ "exact", or "estimated" from draws."""
        return "estimated" if self.law.draws else "exact"

    @property
    def draws(self) -> int:
        """Number of draws behind an estimate; 0 for an exact law."""
        return self.law.draws

    @property
    def _drawn(self) -> Floats | None:
        return self._inclusion_by_rank if self.draws else None

    @property
    def error(self) -> float:
        """Bound on the error of any one figure, rounding included; 1 if the law is estimated."""
        return self.law.error

    @cached_property
    def _classes(self) -> ClassTable:
        return self.law.classes()

    @property
    def h(self) -> Ints:
        """For each class listed, the number of top ranks that are all present."""
        return self._classes.h

    @property
    def t(self) -> Ints:
        """For each class listed, the worst rank present."""
        return self._classes.t

    @property
    def probability(self) -> Floats:
        """For each class listed, its probability."""
        return self._classes.probability

    @property
    def missing(self) -> float:
        """Certified bound on the mass of the classes not listed."""
        return self._classes.missing

    def draw(self, size: int, rng: Generator | int) -> Ints:
        """Independent releases.

        Parameters
        ----------
        size
            Number of releases.
        rng
            The generator, or its seed.

        Returns
        -------
        Ints
            Item indices of shape (size, k), each row sorted by index.
        """
        return self.mechanism.sample(self.scores, size, rng=rng)

    def compare_outcomes(
        self, other: "TopKDistribution", progress: Progress = ignore_progress
    ) -> None:
        """None: the privacy loss compares both laws itself.

        Parameters
        ----------
        other, progress
            Not needed.
        """

    def within(self, a: int, b: int) -> float:
        """P(ranks 1..a are all in and none worse than b is in).

        Parameters
        ----------
        a
            Number of best items that must be in, from 0 to k.
        b
            The worst rank allowed. Above d it counts as d; below k the probability is 0.

        Returns
        -------
        float
            The probability, from 0 to 1.
        """
        a = check_integer("a", a, low=0, high=self.k)
        b = check_integer("b", b, low=0)
        return 0.0 if b < self.k else self.law.within(a, min(b, self.scores.d))

    def event_probability(self, name: str) -> float:
        """The probability of the named event of `dpviz.topk.classes.EVENTS`."""
        a, b = event_bounds(name, self.scores.rescaled_scores_and_sensitivity[0], self.reach)
        return self.law.full_length_within(a, b) if name == "optimal" else self.law.within(a, b)

    def event_probabilities(self, names: Sequence[str]) -> Floats:
        """The probabilities of several named events, computed together."""
        if not names:
            return np.empty(0)
        x = self.scores.rescaled_scores_and_sensitivity[0]
        bounds = np.array([event_bounds(name, x, self.reach) for name in names], np.int64)
        chances = np.clip(self.law.within_pairs(bounds[:, 0], bounds[:, 1]), 0.0, 1.0)
        if self.law.shorter and "optimal" in names:
            chances[np.array(names) == "optimal"] = self.optimal
        return chances

    @cached_property
    def top(self) -> float:
        """P(exactly the true top k), ties broken by input order.

        If the k-th largest score is shared, `top` cannot reach 1 at any ε; `optimal` counts every
        order of the ties.
        """
        return self.event_probability("top")

    @cached_property
    def great(self) -> float:
        """P(within(⌈k/10⌉, k+⌊k/10⌋))."""
        return self.event_probability("great")

    @cached_property
    def good(self) -> float:
        """P(within(⌈k/100⌉, k+⌊k/2⌋))."""
        return self.event_probability("good")

    @cached_property
    def optimal(self) -> float:
        """P(the scores chosen equal those of the true top k, in any order of the ties)."""
        return self.event_probability("optimal")

    def interval(self, event: str) -> tuple[float, float]:
        """(low, high) for a named event: the error bound, or Clopper–Pearson 95 % if estimated."""
        low, high = self.bounds(np.array(self.event_probability(event)))
        return float(low), float(high)

    def bounds(self, probability: Floats) -> tuple[Floats, Floats]:
        """(low, high) for probabilities of this distribution, elementwise, as `interval`."""
        if self.draws:
            return clopper_pearson(np.round(probability * self.draws), self.draws)
        return np.maximum(probability - self.error, 0.0), np.minimum(probability + self.error, 1.0)

    @cached_property
    def _inclusion_by_rank(self) -> Floats:
        return self.law.inclusion()

    @property
    def inclusion(self) -> Floats:
        """P(item is among the chosen), shape (d,), in item order."""
        return self._inclusion_by_rank[self.scores.rank]

    @cached_property
    def length(self) -> Floats:
        """P(exactly j items come out) for j = 0..k, shape (k + 1,)."""
        return self.law.length()

    @property
    def expected_length(self) -> float:
        """Expected number of items that come out."""
        return float(self.length @ np.arange(self.k + 1))

    @property
    def incomplete_list_probability(self) -> float:
        """P(fewer than k items come out)."""
        return float(np.clip(1.0 - self.length[self.k], 0.0, 1.0))

    @property
    def share(self) -> float:
        """Expected share of the true top k that comes out, by `hits`: recall@k, or precision@k."""
        return self.expected_hits / self.reach

    @cached_property
    def hits(self) -> Floats:
        """P(exactly j of the chosen are hits) for j = 0..k, shape (k + 1,).

        A hit scores at least the k-th largest score. With ties more than k items can be hits.
        """
        return np.clip(self.law.hits(self._right), 0.0, 1.0)

    @property
    def _right(self) -> int:
        """Number of items that score at least the k-th largest score."""
        return self.scores.tie_counts(self.reach).at_or_above

    @cached_property
    def expected_hits(self) -> float:
        """Expected number of hits: the summed inclusion of the items that can be hits."""
        return min(float(self._inclusion_by_rank[: self._right].sum()), float(self.reach))

    def hits_at_least(self, m: int) -> float:
        """P(at least m of the chosen score at least the k-th largest score), 0 ≤ m ≤ k."""
        m = check_integer("at_least", m, low=0, high=self.k)
        if not m:
            return 1.0
        chance = self.law.hits_at_least(self._right, m)
        return min(1.0, float(self.hits[m:].sum()) if chance is None else chance)

    @cached_property
    def expected_worst_rank(self) -> float:
        """E[t], the expected worst rank: k + Σ_{b=k}^{d−1} P(t > b)."""
        return self.k + self.law.mean_worst_rank_excess()

    def grid(self, rows: int = 80, columns: int = 120) -> Grid:
        """The class law binned for a heatmap, zoomed to 99.9 % of the mass.

        Parameters
        ----------
        rows
            Largest number of bins of h, the number of top ranks that are all in.
        columns
            Largest number of bins of t, the worst rank that is in.

        Returns
        -------
        Grid
            Edges, masses and marginals of the bins.
        """
        rows = check_integer("rows", rows, low=1)
        columns = check_integer("columns", columns, low=1)
        return class_grid(self.law, rows, columns)

    def log_probability(self, items: Iterable[int]) -> float:
        """log P of one output set, given as k distinct item indices, or fewer from a short list."""
        allowed = f"{'at most ' if self.law.shorter else ''}{self.k} distinct item indices"
        chosen = check_item_indices("items", items, self.scores.d, allowed)
        if len(chosen) != self.k and not (self.law.shorter and len(chosen) < self.k):
            raise ParameterError("items", chosen, allowed)
        return self.law.log_probability(np.sort(self.scores.rank[chosen]))

    def frame(self) -> Frame:
        """The figures of merit as a table: figure, value, low, high, method."""
        names = [*EVENTS, "share"]
        value = np.append(self.event_probabilities(list(EVENTS)), self.share)
        low, high = self.bounds(value)
        frame = pd.DataFrame(
            {"figure": names, "value": value, "low": low, "high": high, "method": self.method}
        )
        return attach_person_metadata(frame, extract_person_metadata(self.scores))

    def table(self) -> Frame:
        """The classes, most probable first: h, t, size (inf past 1e308), log10_size, probability"""
        h, t, probability = self.h, self.t, self.probability
        log_size = (
            log_class_size_up_to_k(h, t, self.k, self.scores.d)
            if self.law.shorter
            else log_class_size(h, t, self.k)
        )
        log10 = log_size / np.log(10)
        with np.errstate(over="ignore"):
            size = np.round(10.0**log10, 0)
        frame = pd.DataFrame(
            {"h": h, "t": t, "size": size, "log10_size": log10, "probability": probability}
        )
        return frame.sort_values("probability", ascending=False, ignore_index=True)

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object]] = []
        for name in ("top", "optimal", "great", "good"):
            text, (low, high) = f"{self.event_probability(name):.4f}", self.interval(name)
            if self.draws:
                text += f" (95 %: {low:.4f} to {high:.4f})"
            rows.append((f"P({name.upper()})", text))
        rows += [
            ("right, on average", f"{self.expected_hits:.4g} of {self.k:,}"),
            ("mechanism", self.mechanism.key),
        ]
        drawn = f"{self.method} from {self.draws:,} draws"
        badge = drawn if self.draws else method_and_error_text(self.method, self.error)
        return notebook_table(f"The best {self.k:,} of {self.scores.d:,}", rows, badge)

    def __repr__(self) -> str:
        top = "" if getattr(self.mechanism, "heavy", False) else f"P(TOP) {self.top:.4g}, "
        return f"TopKDistribution({top}{self.mechanism.key}, {self.scores!r}, {self.method})"
