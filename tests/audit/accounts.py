"""Totals of several releases and what a guesser gains, beside closed forms and convolved losses.

P, Q = the dominating pair; δ(e) = E_P[(1 − e^(e−L))⁺]. Pure releases are a randomised response each
(Kairouz, Oh & Viswanath 2015); gaussian ones one shift, μ = √Σμ_i².
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import mpmath
import numpy as np
import scipy
from numpy.random import Generator

from dpviz import Canonical, GaussianCounts, OneShot, Peeling, Question, Scores, compose
from dpviz.privacy.composition import Composition
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import costs
from tests.audit.laws import Array, gaussian_delta, gaussian_shift
from tests.audit.runner import Family, Finding, about, between

TIGHT = 1e-9
Curve = Callable[[float], float]
Plan = list[tuple[Any, int]]


def smallest(curve: Curve, delta: float, most: float) -> float:
    """The ε at which a falling δ(ε) comes down to δ."""
    if curve(0.0) <= delta:
        return 0.0
    low, high = 0.0, most
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if curve(middle) <= delta else (middle, high)
    return high


def log_binomials(n: int) -> Array:
    i, gammaln = np.arange(n + 1), scipy.special.gammaln
    return np.asarray(gammaln(n + 1) - gammaln(i + 1) - gammaln(n - i + 1))


def responses(epsilons: dict[float, int]) -> tuple[Array, Array]:
    """Loss and chance of randomised responses, those of each ε by how many of them lie."""
    loss, log_mass = np.zeros(1), np.zeros(1)
    for epsilon, n in epsilons.items():
        lies = np.arange(n + 1)
        own = log_binomials(n) + (n - lies) * epsilon - n * np.logaddexp(0.0, epsilon)
        loss = (loss[:, None] + (n - 2 * lies) * epsilon).ravel()
        log_mass = (log_mass[:, None] + own).ravel()
    return loss, np.exp(log_mass)


def pure_curve(epsilons: dict[float, int], shift: float = 0.0) -> Curve:
    """δ(e) of randomised responses, beside one gaussian shift."""
    loss, mass = responses(epsilons)
    if not shift:
        return lambda e: float(mass @ -np.expm1(np.minimum(e - loss, 0.0)))
    return lambda e: float(
        sum(p * gaussian_delta(e - at, shift) for at, p in zip(loss, mass, strict=True))
    )


def by_rho(rho: float, delta: float) -> float:
    """The smallest ρα + log(1 − 1/α) − log(δα)/(α − 1) over α > 1."""

    def at(log_above: float) -> float:
        above = math.exp(log_above)
        left = math.log1p(1 / above) + (math.log(delta) + math.log1p(above)) / above
        return rho * (1 + above) - left

    grid = np.linspace(-12, 14, 400)
    start = float(grid[np.argmin([at(point) for point in grid.tolist()])])
    near, exact = (start - 0.2, start + 0.2), {"xatol": 1e-10}
    found = scipy.optimize.minimize_scalar(at, bounds=near, method="bounded", options=exact)
    return max(0.0, float(found.fun))


def laplace_curves(moves: dict[float, int], cells: int = 1 << 18) -> tuple[Curve, Curve]:
    """(δ from below, δ from above) of noisy counts, losses rounded down and up to a grid."""
    step = 2 * sum(move * n for move, n in moves.items()) / (cells // 2)

    def of_one(move: float, *, up: bool) -> Array:
        """Law of one loss on whole steps: cdf e^((l − move)/2)/2 from −move to move, and jumps."""
        low, high = math.floor(-move / step) - 1, math.ceil(move / step) + 1
        at = np.arange(low, high + 1) * step
        inside = 0.5 * np.exp((np.minimum(at, move) - move) / 2)
        if up:
            cdf = np.where(at < -move, 0.0, np.where(at >= move, 1.0, inside))
            return np.diff(cdf, prepend=0.0)
        before = np.where(at <= -move, 0.0, np.where(at > move, 1.0, inside))
        return np.append(np.diff(before), 1 - before[-1])

    def curve(*, up: bool) -> Curve:
        total, first = np.ones(1), 0
        for move, n in moves.items():
            one = of_one(move, up=up)
            size = n * (len(one) - 1) + 1
            padded = 1 << (size - 1).bit_length()
            power = np.fft.irfft(np.fft.rfft(one, padded) ** n, padded)[:size]
            total = scipy.signal.fftconvolve(total, np.maximum(power, 0.0))
            first += n * (math.floor(-move / step) - 1)
        loss = (first + np.arange(len(total))) * step
        return lambda e: float(np.maximum(total, 0.0) @ -np.expm1(np.minimum(e - loss, 0.0)))

    return curve(up=False), curve(up=True)


def range_delta(e: float, epsilon: float, n: int) -> float:
    """δ(e) of n fixed ε-bounded-range releases: the worst t, alike for all (Dong et al. 2020)."""
    i, choose = np.arange(n + 1), log_binomials(n)

    def at(t: Array) -> Array:
        p = np.clip(np.expm1(t - epsilon)[:, None] / math.expm1(-epsilon), 0.0, 1.0)
        share = np.exp(choose + scipy.special.xlogy(n - i, p) + scipy.special.xlog1py(i, -p))
        return np.sum(share * -np.expm1(np.minimum(e + i * epsilon - n * t[:, None], 0.0)), axis=1)

    grid = np.linspace(0, epsilon, 1001)
    best = float(grid[np.argmax(at(grid))])
    near = np.clip(np.linspace(best - epsilon / 1000, best + epsilon / 1000, 1001), 0, epsilon)
    return float(at(near).max())


def _epsilon(rng: Generator, most: float = 1.0) -> float:
    return float(np.round(10 ** rng.uniform(-2, math.log10(most)), 3))


def _pure(epsilon: float, k: int) -> list[Any]:
    shot = OneShot(epsilon=epsilon, k=k, noise="exponential")
    return [shot, Canonical(epsilon=epsilon, k=k), Peeling(epsilon=epsilon, k=k)]


def totals_of_pure(rng: Generator) -> Iterator[Finding]:
    """Pure releases, some with a δ of their own: as good as theory allows and no better."""
    delta = float(rng.choice([1e-9, 1e-6, 1e-3, 0.05]))
    kinds = int(rng.integers(1, 3))
    plan: Plan = []
    for _ in range(kinds):
        epsilon, k = _epsilon(rng), int(rng.integers(1, 20))
        made = [*_pure(epsilon, k), (epsilon, 0.0), (epsilon, float(delta / 80))]
        one = made[int(rng.integers(len(made)))]
        plan.append((one, int(rng.integers(1, 60 if kinds == 1 else 25))))
    total = compose(plan, delta=delta)
    case = f"{plan}, delta={delta}"
    epsilons, log_kept, rho, basic = dict[float, int](), 0.0, 0.0, 0.0
    for one, n in plan:
        epsilon, beside = one if isinstance(one, tuple) else (one.epsilon, 0.0)
        rounds = {Canonical: 1, Peeling: getattr(one, "k", 1)}.get(type(one))
        epsilons[epsilon] = epsilons.get(epsilon, 0) + n
        log_kept += n * math.log1p(-beside)
        basic += epsilon * n
        rho += n * (epsilon**2 / 2 if rounds is None else epsilon**2 / (8 * rounds))
    curve = pure_curve(epsilons)
    true = smallest(curve, (delta + math.expm1(log_kept)) / math.exp(log_kept), basic)
    left = delta - sum(one[1] * n for one, n in plan if isinstance(one, tuple))
    allowed = smallest(curve, left, basic)
    error, of_rho = 1e-9 * basic + 2e-4 * allowed * (len(epsilons) > 1), by_rho(rho, left)
    yield between(case, "pure", _way(total, "pure"), true, allowed, error)
    yield about(case, "rho", _way(total, "rho"), of_rho, TIGHT + 1e-6 * basic)
    yield about(case, "basic", _way(total, "basic"), basic, TIGHT * (1 + basic))
    best = min(allowed * (1 + 2e-4), of_rho, basic)
    error = TIGHT * (1 + basic) + 1e-4 * best
    yield between(case, "total", total.epsilon or 0.0, min(true, of_rho), best, error)


def _way(total: Composition, name: str) -> float:
    found = total.find_way(name).epsilon
    return math.nan if found is None else found


def totals_of_bounded_range(rng: Generator) -> Iterator[Finding]:
    """Releases alike and fixed in advance, each one exponential mechanism."""
    delta, n, epsilon = float(rng.choice([1e-6, 1e-3])), int(rng.integers(1, 40)), _epsilon(rng)
    m = Canonical(epsilon=epsilon, k=int(rng.integers(1, 9)))
    total = compose([(m, n)], delta=delta)
    case, told = f"{m!r} × {n}, delta={delta}", _way(total, "bounded range")
    yield between(case, f"δ at {told!r}", range_delta(told, epsilon, n), 0.0, delta, 1e-7 * delta)
    if told:
        below = range_delta(told * (1 - 1e-5), epsilon, n)
        yield between(case, "δ at a little less", below, delta, 1.0)
    held = (_way(total, name) for name in ("basic", "pure", "rho"))
    yield about(case, "what holds whatever was seen", total.epsilon or 0.0, min(held), 1e-3 * told)


def _gaussians(rng: Generator, delta: float) -> tuple[Plan, float]:
    """Some gaussian counts, and the shift of all together."""
    plan, square = list[tuple[Any, int]](), 0.0
    for _ in range(int(rng.integers(1, 4))):
        own = float(rng.choice([0.5, 1.0, 10.0, 1e-3])) * delta
        epsilon, k = _epsilon(rng, 2.0), int(rng.integers(1, 9))
        m = GaussianCounts(epsilon=epsilon, k=k, delta=min(own, 0.4))
        n = int(rng.choice([1, 2, 12, 52]))
        plan.append((m, n))
        square += n * gaussian_shift(m.epsilon, m.delta) ** 2
    return plan, math.sqrt(square)


def totals_of_gaussian(rng: Generator) -> Iterator[Finding]:
    """Gaussian counts, also beside pure releases: no less than is exact; alone, no more."""
    delta = float(rng.choice([1e-9, 1e-6, 1e-4]))
    plan, shift = _gaussians(rng, delta)
    pure = dict[float, int]()
    if rng.random() < 0.4:
        pure = {_epsilon(rng, 0.5): int(rng.integers(1, 12))}
        plan += [(OneShot(epsilon=e, k=2, noise="exponential"), n) for e, n in pure.items()]
    c = int(rng.integers(1, 9))
    total = compose(plan, delta=delta, contributions=c, monotonic=bool(rng.random() < 0.5))
    most = shift**2 + 12 * shift + sum(e * n for e, n in pure.items()) + 1
    true = smallest(pure_curve(pure, shift), delta, most)
    rho = by_rho(shift**2 / 2 + sum(n * e**2 / 2 for e, n in pure.items()), delta)
    case = f"{plan}, delta={delta}, contributions={c}"
    high = rho if pure else true * (1 + 1e-6)
    told = math.nan if total.epsilon is None else total.epsilon
    yield between(case, "total", told, true, high, 1e-8 * (1 + high))


def totals_of_laplace(rng: Generator) -> Iterator[Finding]:
    """Laplace counts by their own loss: not below losses rounded down, and near them."""
    delta, k = float(rng.choice([1e-6, 1e-4, 1e-2])), int(rng.integers(2, 12))
    c, monotonic = int(rng.integers(1, k + 1)), bool(rng.random() < 0.6)
    m = OneShot(epsilon=_epsilon(rng, 2.0), k=k, noise="laplace")
    n = int(rng.choice([1, 3, 12, 24]))
    total = compose([(m, n)], delta=delta, contributions=c, monotonic=monotonic)
    moves = {m.epsilon / c: c * n} if monotonic else {m.epsilon / (2 * c): 2 * c * n}
    below, above = laplace_curves(moves)
    case = f"{m!r} × {n}, delta={delta}, contributions={c}, monotonic={monotonic}"
    told = math.nan if total.epsilon is None else total.epsilon
    most = min(m.epsilon * n, by_rho(n * m.epsilon**2 / 2, delta))
    yield between(case, "total", told, 0.0, most, 1e-6 * told)
    if told < m.epsilon * n * (1 - 1e-9):
        yield between(case, f"δ at {told!r}", below(told), 0.0, delta, 1e-9 * delta)
    if told:
        less = above(told * (1 - 5e-3))
        yield between(case, "δ at a little less", less, delta, 1.0, 1e-9 * delta)


def guesses(rng: Generator) -> Iterator[Finding]:
    """How often a guesser is right at most: never less than is true, and that where it is known."""
    n, k, c = int(rng.choice([1, 2, 12, 52])), int(rng.integers(1, 12)), int(rng.integers(1, 9))
    epsilon, delta = _epsilon(rng, 2.0), float(rng.choice([1e-9, 1e-6, 1e-3]))
    gaussian = GaussianCounts(epsilon=epsilon, k=k, delta=delta / 2 / n)
    m = [*_pure(epsilon, k), gaussian][int(rng.integers(4))]
    data = DataSpec(name="class_trip", contributions=c, monotonic=True)
    question = Question(k=k, releases=n, delta=delta, data=data)
    told = costs.releases_cost(m, n, question)
    case = f"{m!r} × {n}, delta={delta}, contributions={c}"
    if isinstance(m, GaussianCounts):
        shift = gaussian_shift(m.epsilon, m.delta) * math.sqrt(n)
        yield about(case, "guess", told.guess, scipy.special.ndtr(shift / 2), 1e-8)
        return
    apart = pure_curve({epsilon: n})(0.0)
    rounds = {Canonical: 1, Peeling: k}.get(type(m))
    rho = n * (epsilon**2 / 2 if rounds is None else epsilon**2 / 8 / rounds)
    best = (1 + min(apart, math.sqrt(rho / 2), math.sqrt(-math.expm1(-rho)))) / 2
    # Of one exponential mechanism a neighbour that reaches its range is a lower bound.
    range_ = {None: epsilon / 2, 1: epsilon / 4}.get(rounds, 0.0)
    least = (1 + math.tanh(range_)) / 2
    yield between(case, "guess", told.guess, least, best, 1e-9)


def shifts(rng: Generator) -> Iterator[Finding]:
    """σ of gaussian counts keeps (ε, δ) at any ε and δ, and is no larger than it has to be."""
    epsilon, delta = float(10 ** rng.uniform(-6, 1.5)), float(10 ** rng.uniform(-14, -0.5))
    c, monotonic = int(rng.integers(1, 9)), bool(rng.random() < 0.5)
    s = Scores([5.0, 3.0, 1.0], monotonic=monotonic, contributions=c)
    sigma = GaussianCounts(epsilon=epsilon, k=1, delta=delta).scale(s)
    with mpmath.workdps(60):
        shift = mpmath.sqrt(c * (1 if monotonic else 2)) / mpmath.mpf(sigma)

        def curve(at: Any) -> Any:
            lower = at / 2 - mpmath.mpf(epsilon) / at, -at / 2 - mpmath.mpf(epsilon) / at
            return mpmath.ncdf(lower[0]) - mpmath.exp(epsilon) * mpmath.ncdf(lower[1])

        reached = float(curve(shift) / delta)
        wider = float(curve(shift * (1 + mpmath.mpf(10) ** -7)) / delta)
    case = f"epsilon={epsilon!r}, delta={delta!r}, contributions={c}, monotonic={monotonic}"
    yield between(case, "δ that is kept, over δ", reached, 0.0, 1.0, 1e-12)
    yield between(case, "δ with less noise, over δ", wider, 1.0, math.inf)


def _cheaper(share: float) -> tuple[Any, str, Callable[[Any], Any]]:
    def wrong(epsilon: Any) -> property:
        return property(lambda total: (found := epsilon.fget(total)) and share * found)

    return Composition, "epsilon", wrong


def _guessed(cost: Any) -> Callable[..., costs.Cost]:
    return lambda *a, **b: costs.Cost(None, 0.99 * cost(*a, **b).guess)


FAMILIES = [
    Family(totals_of_pure, 12, 120, [_cheaper(0.99), _cheaper(1.01)]),
    Family(totals_of_bounded_range, 4, 60, [_cheaper(0.99)]),
    Family(totals_of_gaussian, 12, 120, [_cheaper(0.99)]),
    Family(totals_of_laplace, 5, 60, [_cheaper(0.98), _cheaper(1.02)]),
    Family(guesses, 15, 120, [(costs, "releases_cost", _guessed)]),
    Family(shifts, 15, 100, [(GaussianCounts, "scale", lambda f: lambda m, s: 0.9999 * f(m, s))]),
]
