"""Claims of Shekelyan & Loukides 2022 on its definitions: classes, losses, noise distributions, and
their misprints.
"""

import math

import numpy as np

from dpviz.base import NOISES, Scores
from dpviz.export.reproduction.claims.claim import Finding, Vectors, register_claim
from dpviz.export.reproduction.report_jobs import format_epsilon
from dpviz.topk import Canonical, event_bounds


@register_claim(
    "canonical.great",
    where="A.2",
    says="GREAT for k = 100: all of the top 10 are in, and nothing from outside the top 110.",
    printed="10 and 110",
    low=110,
    high=110,
)
def _great(vectors: Vectors) -> Finding:
    a, b = event_bounds("great", np.arange(200.0, 0.0, -1.0), 100)
    return Finding(
        values={"": float(b)}, why=f"Ranks 1 to {a} are all in and none is worse than {b}."
    )


_TEN = Scores(np.arange(1.0, 11.0))  # the item with index i − 1 scores i
_CHOSEN = (1, 5, 10)


@register_claim(
    "canonical.loss_of_example",
    where="Lemma A.24",
    says="For the scores 1, 2, …, 10 the canonical loss of choosing {1, 5, 10} is 4.",
    printed="4",
    low=4,
    high=4,
)
def _loss_of_example(vectors: Vectors) -> Finding:
    x = _TEN.ranked
    ranks = sorted(11 - score for score in _CHOSEN)
    h = next(i for i, rank in enumerate(ranks) if rank != i + 1)
    loss = Canonical(epsilon=1.0, k=3).class_loss(x, np.array([h]), np.array([ranks[-1]]))
    value = math.nan if loss is None else float(loss[0])
    return Finding(
        values={"": value}, why="Half the way from the worst chosen, 1, to the best left out, 9."
    )


@register_claim(
    "canonical.joint_of_example",
    where="Lemma A.24",
    says="The joint exponential mechanism’s loss of the same choice is 7/2, less than canonical’s.",
    printed="7/2",
    low=3.5,
    high=3.5,
)
def _joint_of_example(vectors: Vectors) -> Finding:
    gaps = (_TEN.ranked[:3] - sorted(_CHOSEN, reverse=True)) / 2
    return Finding(
        values={"": float(gaps.max())},
        why="Half the largest of 10−10, 9−5, 8−1: here joint does ask for less.",
    )


_GRID = np.linspace(0.0, 1.0, 400_001)[1:-1]


def variance(noise: str) -> float:
    """By the trapezoid rule over the quantile, to about 1e-3."""
    return float(np.var(NOISES[noise].quantile(np.log(_GRID), np.log1p(-_GRID))))


@register_claim(
    "canonical.least_variance",
    where="Section 2",
    says="The exponential distribution has the smallest variance of the five considered.",
    printed="smallest",
    low=-math.inf,
    high=0.0,
)
def _least_variance(vectors: Vectors) -> Finding:
    variances = {noise: variance(noise) for noise in NOISES}
    others = min(v for noise, v in variances.items() if noise != "exponential")
    listed = ", ".join(f"{NOISES.label(noise).lower()} {v:.2f}" for noise, v in variances.items())
    return Finding(
        values={"its variance less the smallest of the others": variances["exponential"] - others},
        error=2e-3,
        why=f"Variances: {listed}.",
    )


@register_claim(
    "canonical.classes",
    where="A.1, Theorem A.1",
    says="There are 1 + k(d−k) classes, and together they hold all binom(d, k) subsets.",
    printed="1 + k(d−k)",
    low=0,
    high=0,
)
def _classes(vectors: Vectors) -> Finding:
    d, k = 30, 12
    table = (
        Canonical(epsilon=1e-6, k=k).distribution(Scores(np.arange(float(d), 0.0, -1.0))).table()
    )
    apart = (
        abs(len(table) - (1 + k * (d - k)))
        + abs(float(table["size"].sum()) / math.comb(d, k) - 1) // 1e-9
    )
    return Finding(
        values={"difference": float(apart)},
        why=(
            f"At d = {d} and k = {k}: {len(table)} classes that hold {table['size'].sum():,.0f}"
            " subsets."
        ),
    )


def _misprint(exact: float, text: str) -> Finding:
    return Finding(
        values={"": exact},
        error=1e-12,
        why=f"{text} A misprint: what follows from it uses the right one.",
    )


@register_claim(
    "canonical.laplace_cdf",
    where="A.3, Theorem A.11",
    says="The standard Laplace distribution function at 1 is ½·exp(−1).",
    printed=f"{math.exp(-1) / 2:.4f}",
    low=math.exp(-1) / 2 - 5e-5,
    high=math.exp(-1) / 2 + 5e-5,
)
def _laplace_cdf(vectors: Vectors) -> Finding:
    value = float(np.exp(NOISES["laplace"].log_cdf(np.array(1.0))))
    return _misprint(value, "For x ≥ 0 it is 1 − ½·exp(−x); the two cases are swapped.")


def _quantile(noise: str, p: float) -> float:
    return float(NOISES[noise].quantile(np.array(math.log(p)), np.array(math.log1p(-p))))


@register_claim(
    "canonical.laplace_quantile",
    where="A.3, Theorem A.11",
    says="The Laplace quantile at p is sgn(p−½)·log(1−|2p−1|), so at 0.9 it is log 0.2.",
    printed=f"{math.log(0.2):.3f}",
    low=math.log(0.2) - 5e-4,
    high=math.log(0.2) + 5e-4,
)
def _laplace_quantile(vectors: Vectors) -> Finding:
    return _misprint(_quantile("laplace", 0.9), "A minus sign is missing.")


@register_claim(
    "canonical.logistic_quantile",
    where="A.3, Theorem A.13",
    says="The logistic quantile at p is −log(p/(1−p)), so at 0.9 it is −log 9.",
    printed=f"{-math.log(9):.3f}",
    low=-math.log(9) - 5e-4,
    high=-math.log(9) + 5e-4,
)
def _logistic_quantile(vectors: Vectors) -> Finding:
    return _misprint(
        _quantile("logistic", 0.9),
        f"There is a minus sign too many; at 0.9 it is {format_epsilon(math.log(9))}.",
    )
