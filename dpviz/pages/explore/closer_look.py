"""Explore, a closer look: all scores, one utility class, and releases drawn."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpviz.base import Floats, Ints, Scores
from dpviz.charts import (
    Chart,
    Look,
    class_heatmap,
    count_text,
    drawn_hits_chart,
    number_text,
    percent,
    power_of_ten_text,
    shorten_text,
)
from dpviz.charts.topk.map_frame import exact_top_k_phrase, rank_cell_index
from dpviz.pages.common import event_regions, true_top_phrase
from dpviz.studies import LawStudy
from dpviz.topk import TopKDistribution
from dpviz.topk.law_grid import ClassDetails, grid_class_losses

_NAMED = 10  # of the noisy counts, in a line
_MISSED = 5  # items named
_ALL_NAMED = 15  # right items, of a list that falls into the map
_LN10 = math.log(10.0)


# ---- the map -------------------------------------------------------------------------------------


def class_map_chart(
    law: LawStudy, h: int, t: int, look: Look, measure: str = "probability"
) -> Chart:
    """The map with one class marked; `measure` is what its colours show."""
    return class_heatmap(
        law.grid,
        event_regions(law),
        measure=measure,
        loss=None if measure == "probability" else class_map_loss(law),
        chosen_class=(h, t),
        digits=3 if law.distribution.method == "exact" else 2,
        shorter=law.mechanism.shorter,
        look=look,
    )


def class_map_loss(law: LawStudy) -> Floats | None:
    return grid_class_losses(law.mechanism, law.scores, law.grid)


def nearest_existing_class(law: LawStudy, h: int, t: int) -> tuple[int, int]:
    """Nearest class that exists, of which the exact top k is (k, k) and the one without a t."""
    k = law.k
    if t > k:
        return min(max(h, 0), k - 1), min(t, law.scores.d)
    return (min(max(h, 0), k) if t and law.mechanism.shorter else k), k


def released_lists_with_cells(law: LawStudy, sets: Ints) -> list[dict[str, Any]]:
    scores, k, grid, told = law.scores, law.k, law.grid, []
    for items in sets:
        ranks = np.sort(scores.rank[items[items >= 0]])
        h = int((ranks == np.arange(len(ranks))).cumprod().sum())
        t = max(k, int(ranks.max(initial=-1)) + 1)
        wrong, missing = wrong_and_missing_ranks(items, scores, k)
        right = ranks[: len(ranks) - len(wrong)]
        named = [f"\u2713\u00a0{name}" for name in _names(scores, right, _ALL_NAMED)]
        named += [f"\u2717\u00a0{name} (wrong)" for name in _names(scores, wrong, _MISSED)]
        named += [f"\u2212\u00a0{name} (missing)" for name in _names(scores, missing, _MISSED)]
        first = f"first {h:,} all there" if h else "the first is missing"
        says = f"{first}; lowest rank {ranks[-1] + 1:,}" if len(ranks) else "nothing is published"
        if (h, t) == (k, k):
            says = exact_top_k_phrase(k)
        cell = rank_cell_index(grid.t_edges, t), rank_cell_index(grid.h_edges, h)
        told.append({"names": named, "says": says, "cell": cell})
    return told


def wrong_and_missing_ranks(items: Ints, scores: Scores, k: int) -> tuple[Ints, Ints]:
    """Ranks that are wrong, and ranks that are missing; ties count as right."""
    ranks, best = np.sort(scores.rank[items[items >= 0]]), scores.tie_counts(k).at_or_above
    absent = np.ones(best, bool)
    absent[ranks[ranks < best]] = False
    wrong = ranks[ranks >= best]
    return wrong, np.flatnonzero(absent)[: k - len(ranks) + len(wrong)]


def _names(scores: Scores, ranks: Ints, most: int) -> list[str]:
    names = [shorten_text(scores.label(int(scores.order[rank]))) for rank in ranks[:most]]
    return [*names, f"{len(ranks) - most:,} more"] if len(ranks) > most else names


# ---- one cell, and releases ----------------------------------------------------------------------


def class_meaning(details: ClassDetails, k: int, *, may_be_shorter: bool = False) -> str:
    """Meaning of a utility class; `may_be_shorter` where fewer than k may come out."""
    h = details.h
    if details.t == k and (h == k or not may_be_shorter):
        return f"{exact_top_k_phrase(k).capitalize()}."
    missing = f"rank {h + 1:,} is missing"
    head = {0: "The best item is missing", 1: f"The best item is in the list, {missing}"}.get(
        h, f"The best {h:,} are in the list, {missing}"
    )
    return (
        f"{head}, and the list has fewer than {k:,} items, none below rank {k:,}."
        if details.t == k
        else f"{head}, and the lowest item in the list has rank {details.t:,}."
    )


def class_loss_sentence(details: ClassDetails, k: int) -> str:
    """Meaning of the loss of a class in people; "" where it has none, and for the exact top k."""
    if details.people is None or details.t == k:
        return ""
    if not details.people:
        return f"This list is as good as {true_top_phrase(k)}."
    return (
        f"At least {count_text(details.people, 'person', 'people')} would have to be different for"
        f" this list to be {true_top_phrase(k)}."
    )


def format_class_probability(dist: TopKDistribution, p: float) -> str:
    if dist.draws:
        low, high = dist.bounds(np.array(p))
        return percent(p, float(low), float(high))
    if p <= max(dist.error, 1e-12):
        return "smaller than the rounding error"
    return percent(p) if p >= 0.001 else f"{percent(p)} ({power_of_ten_text(math.log10(p))})"


def format_set_probability(dist: TopKDistribution, log_p: float) -> str:
    if log_p == -math.inf:
        return f"this list: {'in no simulated release' if dist.draws else 'never'}"
    return (
        f"this list: {percent(math.exp(log_p))}"
        if log_p > math.log(0.01)
        else f"this list: 1 in {power_of_ten_text(-log_p / _LN10)} releases"
    )


def release_dots_chart(law: LawStudy, sets: Ints, chosen_release: int | None, look: Look) -> Chart:
    """A dot a release by its number of right items, beside the expected number."""
    hits = ((sets >= 0) & (law.scores.rank[sets] < law.scores.tie_counts(law.k).at_or_above)).sum(1)
    return drawn_hits_chart(
        hits,
        law.k,
        mean=law.expected_hits,
        whole=law.all_right.value,
        method=law.distribution.method,
        chosen_release=chosen_release,
        look=look,
    )


def release_items_table(items: Ints, scores: Scores, k: int) -> pd.DataFrame:
    ranks = np.sort(scores.rank[items[items >= 0]])
    chosen, tied = scores.order[ranks], scores.tie_counts(k).at_or_above
    columns = {
        "rank": ranks + 1,
        "item": [scores.label(int(i)) for i in chosen],
        "score": scores.values[chosen],
    }
    return pd.DataFrame(columns | {f"top {k:,}": np.where(ranks < tied, "yes", "")})


def missed_items_sentence(items: Ints, scores: Scores, k: int) -> str:
    """Missing items of one release; ties count as right."""
    _, missing = wrong_and_missing_ranks(items, scores, k)
    if len(missing):
        names = [
            f"{scores.label(int(scores.order[r]))} (rank {r + 1:,})" for r in missing[:_MISSED]
        ]
        return f"Missing: {_listed(names, len(missing))}."
    exactly = bool((scores.rank[items[items >= 0]] < k).all())
    return f"{'Exactly' if exactly else 'As good as'} {true_top_phrase(k)}."


def noisy_counts_sentence(items: Ints, noisy: Floats, scores: Scores) -> str:
    items, noisy = items[items >= 0], noisy[items >= 0]
    if not len(items):
        return "No noisy count passed the threshold, so nothing is published."
    names = [
        f"{scores.label(i)} {number_text(round(count, 1))}"
        for i, count in zip(items[:_NAMED].tolist(), noisy.tolist(), strict=False)
    ]
    return f"Published with their noisy counts: {_listed(names, len(items))}."


def _listed(names: Sequence[str], total: int) -> str:
    more = f" and {total - len(names):,} more" if total > len(names) else ""
    return ", ".join(names) + more
