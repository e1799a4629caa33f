"""The first of many noisy tests to pass, when all share one noise.

Symbols, in units of the scale of a test's own noise: g_r = how far test r is passed without noise,
V_r ~ Laplace(1) independent, w the shared noise with density h. Test r passes when V_r < g_r + w; ℓ
is the first that does: P(ℓ = r) = ∫ h(w) F(g_r + w) Π_{j<r} S(g_j + w) dw, F and S = 1 − F
Laplace(1).
Invariants: memory is one chunk of ranks by the nodes, never all; a node that has (almost) surely
stopped is dropped and counted in `error`; panels end where the integrand is not smooth (w = −g_r).
Source: Chaudhuri, Hsu & Song 2014, Alg 1 (the tests); the expansion below is ours.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.base import Floats, Progress, ignore_progress, portion, slices_with_progress, tally
from dpviz.numerics.quadrature import gauss_nodes_and_weights

Gaps = Callable[[int, int], Floats]  # g of the tests start..stop−1, counted from 0
Sink = Callable[[int, Floats], None]  # (start, P of the tests from start on)

_CHUNK = 1 << 15
_DENSE = 128
_SHORT = 48  # an expansion over fewer ranks costs more than evaluating them
_HAZARD = 0.5  # an expansion's ceiling on the summed chance: below ½ no test is past its kink
_TERMS = 15
_REST = 1e-22  # nodes below this mass are dropped
_CLIP = 300.0
_LEAST_VALUE = 1e-13  # of the density at a kink that is worth a panel's end
_MOST_KINKS = 1500
_PANEL = 0.25
_SMOOTH = 1e-12  # left by panels where the integrand is smooth (measured on refined panels)


@dataclass(frozen=True)
class SharedNoise:
    """Density h of the shared noise; it lies within `reach` of 0 but for `outside` of its mass."""

    pdf: Callable[[Floats], Floats]
    reach: float
    outside: float


@dataclass(frozen=True)
class FirstPassRemainder:
    """P(no test passes), and an estimated bound on the error of any sum of the law."""

    none: float
    error: float


def shared_laplace_noise(scale: float) -> SharedNoise:
    """Shared Laplace noise of `scale` (in units of the tests' own)."""
    return SharedNoise(
        lambda w: np.exp(-np.abs(w) / scale) / (2 * scale), 44 * scale, math.exp(-44.0)
    )


def shared_laplace_difference(narrow: float, wide: float) -> SharedNoise:
    """Z − G with Z ~ Laplace(narrow) and G ~ Laplace(wide)."""
    scale = 2 * (wide**2 - narrow**2)

    def pdf(w: Floats) -> Floats:
        u = np.abs(w)
        return (wide * np.exp(-u / wide) - narrow * np.exp(-u / narrow)) / scale

    return SharedNoise(pdf, 44 * wide, wide**2 / (wide**2 - narrow**2) * math.exp(-44.0))


def first_pass_law(
    gaps: Floats, noise: SharedNoise, progress: Progress = ignore_progress
) -> tuple[Floats, FirstPassRemainder]:
    """P(ℓ = r) of every test as one array, shape of `gaps`, and the remainder."""
    law = np.zeros(len(gaps))

    def keep(start: int, p: Floats) -> None:
        law[start : start + len(p)] = p

    return law, stream_first_pass_law(lambda i, j: gaps[i:j], len(gaps), noise, keep, progress)


def stream_first_pass_law(
    gaps: Gaps,
    test_count: int,
    noise: SharedNoise,
    sink: Sink,
    progress: Progress = ignore_progress,
    *,
    falling_from: int | None = None,
) -> FirstPassRemainder:
    """Pass P(ℓ = r) of every test to `sink`, in order and in pieces."""
    falling = test_count if falling_from is None else falling_from
    # a first walk on a coarse grid, only to learn which kinks matter
    panels = math.ceil(2 * noise.reach / _PANEL)
    edges = np.linspace(-noise.reach, noise.reach, panels + 1)
    w, step = (edges[1:] + edges[:-1]) / 2, float(edges[1] - edges[0])
    watch = _Kinks(noise.pdf, step, falling)
    first_part = portion(progress, 0.0, 0.3)
    _PassWalk(w, step * noise.pdf(w)).walk_tests(
        gaps, test_count, lambda start, p: None, watch, first_part
    )
    kinks, unsplit = watch.heaviest_kinks()
    w, width = noise_nodes_and_weights(noise.reach, kinks)
    walk = _PassWalk(w, width * noise.pdf(w))
    walk.walk_tests(gaps, test_count, sink, None, portion(progress, 0.3, 1.0))
    return FirstPassRemainder(
        none=float(walk.mass.sum()), error=walk.dropped + unsplit + noise.outside + _SMOOTH
    )


class _PassWalk:
    """Nodes w (ascending) with the mass that has not stopped yet, walked along the tests."""

    def __init__(self, w: Floats, mass: Floats) -> None:
        self.w, self.mass, self.exp_w = w, mass, np.exp(w)
        self.dropped = 0.0

    def walk_tests(
        self, gaps: Gaps, count: int, sink: Sink, watch: "_Kinks | None", progress: Progress
    ) -> None:
        for part in slices_with_progress(count, _CHUNK, progress):
            g = np.clip(gaps(part.start, part.stop), -_CLIP, _CLIP)
            # no node left can be at or beyond a kink from here on
            passed = not len(self.w) or g[0] + float(self.w[-1]) + _PANEL <= 0
            if watch is not None and part.start >= watch.falling and passed:
                return
            sink(part.start, self._chunk(g, watch))

    def _chunk(self, g: Floats, watch: "_Kinks | None") -> Floats:
        half = 0.5 * np.exp(np.minimum(g, 40.0))  # the chance is half·e^w while g + w ≤ 0
        summed = np.append(0.0, np.cumsum(half))
        i, n, p = 0, len(g), np.zeros(len(g))
        while i < n and len(self.w):
            top = self.exp_w[-1]
            j = int(np.searchsorted(summed, summed[i] + _HAZARD / top, side="right")) - 1
            if (j - i >= _SHORT or j >= n) and half[i:j].max(initial=0.0) * top <= _HAZARD:
                j = max(min(j, n), i + 1)
                p[i:j] = self._expansion(half[i:j] * top)
            else:
                j = min(i + _DENSE, n)
                p[i:j] = self._dense(g[i:j], watch)
            alive = self.mass > _REST
            self.dropped += float(self.mass[~alive].sum())
            self.w, self.mass, self.exp_w = self.w[alive], self.mass[alive], self.exp_w[alive]
            i = j
        return p

    def _expansion(self, y: Floats) -> Floats:
        """P(ℓ = r) of tests whose chances y·a, a = e^(w − max w), add up to ½ at most."""
        a = self.exp_w / self.exp_w[-1]
        power = self.mass * a
        prefix = np.ones(len(y))
        law = np.zeros(len(y))
        left = np.ones(len(a))
        sign, bound, total = 1.0, 1.0, float(y.sum())
        factor = np.ones(len(a))
        # Π_j (1 − a·y_j) = Σ_k (−a)^k e_k(y), elementary symmetric polynomials that are nested
        # prefix sums; with the moments of a, a test costs a few operations for any nodes
        for k in range(1, _TERMS + 1):
            law += sign * float(power.sum()) * prefix
            sums = np.append(0.0, np.cumsum(y * prefix))
            factor = factor * a
            sign = -sign
            left += sign * float(sums[-1]) * factor
            bound *= total / k
            if bound < 1e-17:
                break
            prefix = sums[:-1]
            power = power * a
        self.mass = self.mass * left
        return law * y

    def _dense(self, g: Floats, watch: "_Kinks | None") -> Floats:
        """P(ℓ = r) with every test evaluated at every node."""
        t = np.exp(g)[:, None] * self.exp_w
        tail = 0.5 * np.minimum(t, 1 / t)
        below = t < 1
        go = np.empty((len(g) + 1, len(self.w)))
        go[0] = self.mass
        go[1:] = np.where(below, 1 - tail, tail)
        np.cumprod(go, axis=0, out=go)
        if watch is not None:
            watch.record_kinks(g, self.w, go[:-1])
        self.mass = go[-1].copy()
        return np.asarray(np.einsum("ij,ij->i", go[:-1], np.where(below, tail, 1 - tail)))


class _Kinks:
    """Points w = −g_r that the walk still reaches with a density worth a panel's end."""

    def __init__(self, pdf: Callable[[Floats], Floats], width: float, falling: int) -> None:
        self.pdf, self.width, self.falling = pdf, width, falling
        self.found: list[tuple[Floats, Floats]] = []  # points, and the density there

    def record_kinks(self, g: Floats, w: Floats, go: Floats) -> None:
        q = -g
        left = np.searchsorted(w, q) - 1  # survival falls in w, so the node to the left bounds it
        rows = np.flatnonzero((left >= 0) & (q <= w[-1] + self.width))
        survival = go[rows, left[rows]] / (self.width * self.pdf(w[left[rows]]))
        self.found.append((q[rows], survival * self.pdf(q[rows])))

    def heaviest_kinks(self) -> tuple[Floats, float]:
        """The kinks to split at, and a bound on what the others cost."""
        if not self.found:
            return np.empty(0), 0.0
        points, density = (np.concatenate(side) for side in zip(*self.found, strict=True))
        at, where = np.unique(points, return_inverse=True)
        value = tally(where, density)
        heaviest = np.argsort(-value)[:_MOST_KINKS]
        split = heaviest[value[heaviest] > _LEAST_VALUE]
        rest = float(value.sum() - value[split].sum())
        # a jump v in the second derivative within a panel of width H costs at most v·H³/100
        return at[split], max(rest, 0.0) * _PANEL**3 / 100


def noise_nodes_and_weights(half_width: float, kinks: Floats) -> tuple[Floats, Floats]:
    """Gauss–Legendre nodes (ascending) and weights on panels that end at every kink, and at 0."""
    regular = np.linspace(-half_width, half_width, 2 * math.ceil(half_width / _PANEL) + 1)
    edges = np.unique(np.concatenate([regular, [0.0], kinks[np.abs(kinks) < half_width]]))
    edges = edges[np.append(True, np.diff(edges) > 1e-10)]
    edges[-1] = half_width
    far = np.abs(edges[1:] + edges[:-1]) > 0.9 * half_width
    order = np.searchsorted([0.004, 0.02, 0.06, 0.13], np.diff(edges)) + np.where(far, 2, 3)
    return gauss_nodes_and_weights(edges, order)
