"""The tools that draw a release: whole numbers, OpenDP, or floating point, with a note on each.

OpenDP's noisy top-k is peeling with exponential noise under max divergence, and with gumbel noise,
as one-shot, under zero-concentrated divergence. With a nameless item that ends the list it is
limited domain. Its laplace and gaussian mechanisms, sorted, are noisy counts. Scales are found from
what OpenDP's own map claims, never more than the sheet; where the promise is by a proof of dpviz's
alone, OpenDP draws the noise and its map is not asked.
Invariants: randomness is the system's; the law is the sheet's.
"""

import math
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import takewhile
from typing import Any, Final, Literal, cast

import numpy as np

from dpviz.base import NOISES, Scores
from dpviz.export.release.refusal import Refusal
from dpviz.topk import OneShot, TopKMechanism
from dpviz.topk.canonical import Canonical
from dpviz.topk.exact_sampler import ExactSampler, has_exact_sampler
from dpviz.topk.gaussian_counts import GaussianCounts
from dpviz.topk.limited_domain import LimitedDomain
from dpviz.topk.noisy_counts import require_contributions
from dpviz.topk.peeling import Peeling
from dpviz.topk.threshold_counts import ThresholdCounts

Kind = Literal["exact", "max", "zero_concentrated", "counts", "noise", "threshold", "floating"]
Drawn = list[tuple[int, float | None]]
"""Items by index, and their noisy scores where ε covers them."""
Draw = Callable[[], Drawn]

_MORE_NOISE, _HIGHER = 1 + 1e-9, 1 + 1e-5  # scale and threshold: no more is claimed then
OPENDP: Final = "0.16.0"
"""The version of OpenDP that releases are made with, and tested with."""

_EXACT: Final = (
    "OpenDP draws its noise exactly, with the system's randomness, and rounds its claims up."
)
_OWN_PROOF: Final = (
    "OpenDP draws its noise exactly, with the system's randomness. OpenDP has no such mechanism, so"
    " ε rests on the proof that dpviz names, not on OpenDP's own check."
)


@dataclass(frozen=True)
class ReleaseTool:
    """The library that draws: OpenDP or dpviz, its name in a record, and a note on how it draws."""

    kind: Kind
    name: str = "OpenDP"
    record_name: str = f"OpenDP {OPENDP}"
    note: str = _EXACT
    pip_requirement: str = f"opendp=={OPENDP}"
    has_noisy_scores: bool = False

    def prepare_draw(self, mechanism: TopKMechanism, scores: Scores) -> Draw:
        """Do everything that can fail, so that only drawing is left."""
        if self.kind == "exact":
            draw = ExactSampler(cast("Canonical", mechanism), scores)
            return lambda: [(item, None) for item in draw(secrets.randbits)]
        if self.kind == "floating":
            return _in_floating_point(mechanism, scores)
        if isinstance(mechanism, ThresholdCounts):
            return _above_threshold(mechanism, scores)
        if isinstance(mechanism, LimitedDomain):
            return _above_the_nameless_item(mechanism, scores)
        return _with_opendp(self.kind, mechanism, scores)


_TOOLS: Final[dict[Kind, ReleaseTool]] = {
    tool.kind: tool
    for tool in (
        ReleaseTool(
            "exact",
            "dpviz",
            "dpviz, whole numbers",
            "dpviz uses whole numbers alone and the system's randomness. No rounding changes"
            " the chance of a list.",
            "",
        ),
        ReleaseTool("max"),
        ReleaseTool("zero_concentrated"),
        ReleaseTool(
            "counts",
            note=f"{_EXACT} ε covers the noisy scores too.",
            has_noisy_scores=True,
        ),
        ReleaseTool("noise", note=_OWN_PROOF),
        ReleaseTool(
            "threshold",
            note=(
                f"{_EXACT} The largest noisy counts above the threshold are taken; ε and δ cover"
                " these counts too."
            ),
            has_noisy_scores=True,
        ),
        ReleaseTool(
            "floating",
            "dpviz",
            "dpviz, floating point",
            "dpviz computes this law with floating-point numbers. Chances are right to about 1e-10,"
            " and lists rarer than that may never appear. The generator has a fresh seed of 256"
            " bits from the system, but is not cryptographic. ε holds up to these limits. Canonical"
            " with gumbel noise, and each mechanism of OpenDP, has neither limit.",
            "",
        ),
    )
}


def select_tool(mechanism: TopKMechanism, contributions: int | None) -> ReleaseTool:
    """The tool for a mechanism where one person counts in at most `contributions` items.

    >>> canonical, one_shot = Canonical(epsilon=1.0, k=2), OneShot(epsilon=1.0, k=2)
    >>> select_tool(canonical, None).kind, select_tool(one_shot, None).pip_requirement
    ('exact', 'opendp==0.16.0')
    """
    noise = getattr(mechanism, "noise", "")
    kind: Kind = "floating"
    if has_exact_sampler(mechanism):
        kind = "exact"
    elif mechanism.states_noise:  # OpenDP takes ε, and adds a little more noise than stated
        kind = "floating"
    elif isinstance(mechanism, ThresholdCounts):
        kind = "threshold"
    elif isinstance(mechanism, GaussianCounts):
        kind = "counts"
    elif isinstance(mechanism, LimitedDomain):
        kind = "noise"
    elif isinstance(mechanism, OneShot | Peeling) and NOISES[noise].max_stable:
        kind = "zero_concentrated"
    elif noise == "exponential" and _has_law_of(mechanism, Peeling):
        kind = "max"
    elif noise == "laplace" and _has_law_of(mechanism, OneShot):
        kind = "counts" if mechanism.releases_scores(contributions) else "noise"
    return _TOOLS[kind]


def _has_law_of(mechanism: TopKMechanism, kind: type[OneShot | Peeling]) -> bool:
    """True if it is of this kind; for one item one-shot and peeling have the same law."""
    return isinstance(mechanism, kind) or (
        mechanism.k == 1 and isinstance(mechanism, OneShot | Peeling)
    )


def _in_floating_point(mechanism: TopKMechanism, scores: Scores) -> Draw:
    mechanism.check_scores(scores)

    def draw() -> Drawn:
        rng = np.random.default_rng(secrets.randbits(256))  # a seed that nobody keeps
        return [(item, None) for item in mechanism.sample(scores, rng=rng)[0].tolist() if item >= 0]

    return draw


def _with_opendp(kind: Kind, mechanism: TopKMechanism, scores: Scores) -> Draw:
    measurement, _ = opendp_measurement_and_distance(kind, mechanism, scores)
    values, k = scores.values.tolist(), mechanism.k

    def draw() -> Drawn:
        released = measurement(values)
        if kind in ("counts", "noise"):
            best = sorted(range(len(released)), key=lambda i: -released[i])[:k]
            return [(item, released[item] if kind == "counts" else None) for item in best]
        return [(int(item), None) for item in released]

    return draw


def opendp_measurement_and_distance(
    kind: Kind, mechanism: TopKMechanism, scores: Scores
) -> tuple[Any, float]:
    """OpenDP's measurement, and the distance of neighbours in its metric."""
    dp, k, moved, budget = _opendp(), mechanism.k, scores.sensitivity, mechanism.epsilon
    people = (scores.contributions or scores.d) * (1 if scores.monotonic else 2)
    given: tuple[Any, ...]
    if isinstance(mechanism, GaussianCounts):
        moved, budget = moved * math.sqrt(people), cast("float", mechanism.zcdp)
        make, given = dp.m.make_gaussian, (dp.l2_distance(T=float),)
    elif kind in ("counts", "noise"):
        moved *= people
        make, given = dp.m.make_laplace, (dp.l1_distance(T=float),)
    else:
        measure = dp.max_divergence()
        if kind == "zero_concentrated":
            measure, budget = dp.zero_concentrated_divergence(), budget**2 / (8 * k)
        metric = dp.linf_distance(T=float, monotonic=scores.same_direction)
        make, given = dp.m.make_noisy_top_k, (metric, measure, k)

    def scaled(scale: float) -> Any:
        return make(_vectors(dp), *given, scale)

    if kind == "noise":  # by its scale, as names alone cost less than all noisy scores
        rounds = k * mechanism.epsilon_cost_factor(scores.contributions)
        return scaled(2 * rounds * scores.effective_sensitivity / budget * _MORE_NOISE), moved
    return scaled(dp.binary_search_param(scaled, moved, budget)), moved


def _above_threshold(mechanism: ThresholdCounts, scores: Scores) -> Draw:
    """The k largest noisy counts that OpenDP lets pass; it is told only items that occur."""
    measurement, _ = opendp_threshold_and_distances(mechanism, scores)
    occurring = {f"{item}": float(value) for item, value in enumerate(scores.values) if value > 0}

    def draw() -> Drawn:
        passed = measurement(occurring)
        best = sorted(passed, key=lambda item: (-passed[item], int(item)))[: mechanism.k]
        return [(int(item), passed[item]) for item in best]

    return draw


def opendp_threshold_and_distances(
    mechanism: ThresholdCounts, scores: Scores
) -> tuple[Any, tuple[int, float, float]]:
    """OpenDP's threshold counts, and the distance of neighbours: in items, in all, in one.

    Scale and threshold are the mechanism's to a part in 10⁵, on the side that claims no more: ε and
    δ with laplace noise, ρ and δ with gaussian noise.
    """
    dp = _opendp()
    mechanism.check_scores(scores)
    moved = require_contributions(scores)
    domain = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=float, nan=False))
    scale, threshold = mechanism.scale(scores) * _MORE_NOISE, mechanism.threshold(scores) * _HIGHER
    one, budget = moved * scores.sensitivity, mechanism.epsilon
    metric, make = dp.l01inf_distance, dp.m.make_laplace_threshold
    if mechanism.noise == "gaussian":
        one, budget = math.sqrt(moved) * scores.sensitivity, cast("float", mechanism.zcdp)
        metric, make = dp.l02inf_distance, dp.m.make_gaussian_threshold
    apart = moved, one, scores.sensitivity
    measurement = make(domain, metric(dp.absolute_distance(T=float)), scale, threshold)
    spent, delta = measurement.map(apart)
    # of people replaced OpenDP takes twice as many names to be new
    if scores.monotonic and (spent > budget or delta > mechanism.delta):
        raise Refusal(
            f"OpenDP {OPENDP} claims {spent!r} and δ = {delta!r} for this, more than {budget!r} and"
            f" {mechanism.delta!r} on the sheet."
        )
    return measurement, apart


def _above_the_nameless_item(mechanism: LimitedDomain, scores: Scores) -> Draw:
    """The best of the candidates and a nameless item, by OpenDP's noise, down to the nameless."""
    dp = _opendp()
    candidates, race = mechanism.candidates_and_levels(scores)
    values = [*race.levels.tolist(), race.floor.level]
    metric = dp.linf_distance(T=float, monotonic=scores.same_direction)
    measurement = dp.m.make_noisy_top_k(
        _vectors(dp),
        metric,
        dp.zero_concentrated_divergence(),
        min(mechanism.k, len(values)),
        _MORE_NOISE,
    )

    def draw() -> Drawn:
        named = takewhile(lambda place: place < len(candidates), map(int, measurement(values)))
        return [(int(candidates[place]), None) for place in named]

    return draw


def _vectors(dp: Any) -> Any:
    return dp.vector_domain(dp.atom_domain(T=float, nan=False))


def _opendp() -> Any:
    try:
        there = version("opendp")
    except PackageNotFoundError:
        raise Refusal(
            "This release is drawn by OpenDP, which is not installed: pip install"
            f" opendp=={OPENDP}."
        ) from None
    if there != OPENDP:
        raise Refusal(
            f"This release is drawn by OpenDP {OPENDP}, not by {there}: pip install"
            f" opendp=={OPENDP}."
        )
    import opendp.prelude as dp  # noqa: PLC0415 - an optional extra

    dp.enable_features("contrib")
    return dp
