"""Mechanisms of a user's own: any function that draws item indices can be run and compared."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.random import Generator

from dpviz.base import Ints, ParameterError, Progress, Scores, check_number
from dpviz.base.former_names import former_names
from dpviz.base.mechanism import OWN_WORD
from dpviz.base.user_errors import name_user_errors
from dpviz.topk.law import Draw
from dpviz.topk.mechanism import TopKMechanism


@former_names(release="raw_outputs")
@dataclass(frozen=True, kw_only=True, repr=False)
class FromSampler(TopKMechanism):
    """A mechanism from a function: `draw(scores, size, rng)` gives item indices of shape (size, k).

    Parameters
    ----------
    draw
        A function of (scores, size, rng), and of `epsilon` and `k` if it takes them by name. It
        gives independent answers: item indices of shape (size, k), or (size,) for k = 1.
    epsilon
        The stated ε above 0, for one release of all k items.
    k
        Number of items that come out, from 1 to d − 1.

    Raises
    ------
    ParameterError
        If `draw` is no function, or an output is not k distinct items per row.

    Examples
    --------
    >>> def noisy_max(scores, size, rng, epsilon):
    ...     return np.argmax(scores.values + rng.gumbel(0, 2 / epsilon, (size, scores.d)), axis=1)
    >>> own = FromSampler(noisy_max, epsilon=1.0, k=1)
    >>> law = own.distribution(Scores([2.0, 0.0]))
    >>> law.method, round(law.top, 1)
    ('estimated', 0.7)
    """

    unproved_reason: ClassVar[str] = OWN_WORD

    draw: Callable[..., Any] = field(kw_only=False)

    def __post_init__(self) -> None:
        if not callable(self.draw) or isinstance(self.draw, type):
            raise ParameterError("draw", self.draw, "a function of (scores, size, rng)")
        super().__post_init__()

    @property
    def key(self) -> str:
        return f"{self.name}({_told(self.draw)},epsilon={self.epsilon!r},k={self.k!r})"

    def __repr__(self) -> str:
        return self.key

    def replace(self, **changes: object) -> Self:
        """A copy with other parameters; ε and k only if the function takes them by name."""
        for name in self._own_names():
            if (
                name in changes
                and changes[name] != getattr(self, name)
                and name not in _asked_by(self.draw)
            ):
                raise ParameterError(
                    name, changes[name], f"{getattr(self, name)!r}, as draw takes no {name}"
                )
        return super().replace(**changes)

    def raw_outputs(self, scores: Scores, size: int, rng: Generator) -> Any:
        """The unchecked outputs of `draw`.

        Parameters
        ----------
        scores, size, rng
            As `draw` takes them.

        Returns
        -------
        Any
            The outputs.
        """
        names = _asked_by(self.draw).intersection(self._own_names())
        told = {name: getattr(self, name) for name in names}
        return name_user_errors(self.draw)(scores, size, rng, **told)

    def as_class(self, name: str) -> type["SamplerMechanism"]:
        """The mechanism as a class for a menu, with ε and k left open.

        Parameters
        ----------
        name
            Its name on the menu.

        Returns
        -------
        type[SamplerMechanism]
            The same class each time for the same function and name.
        """
        return _as_class(name, self)

    def _own_names(self) -> list[str]:
        return [f.name for f in fields(self) if f.name != "draw"]

    def _sampler(self, scores: Scores, progress: Progress) -> Draw:
        def draw(size: int, rng: Generator) -> Ints:
            items = np.asarray(self.raw_outputs(scores, size, rng))
            items = items[:, None] if items.ndim == 1 else items
            if items.shape != (size, self.k) or items.dtype.kind not in "iu":
                raise ParameterError(
                    "the outputs of draw",
                    f"{items.dtype} of shape {items.shape}",
                    f"item indices of shape ({size}, {self.k})",
                )
            if items.min(initial=0) < 0 or items.max(initial=0) >= scores.d:
                raise ParameterError(
                    "the outputs of draw",
                    int(items.max()),
                    f"item indices from 0 to {scores.d - 1}",
                )
            ranks = np.sort(scores.rank[items], axis=1)
            if (np.diff(ranks, axis=1) == 0).any():
                raise ParameterError(
                    "the outputs of draw", "an item twice", f"{self.k} distinct items a row"
                )
            return ranks

        return draw


@dataclass(frozen=True, kw_only=True)
class SamplerMechanism(TopKMechanism):
    """A user's function as an entry of a menu; `FromSampler.as_class` makes subclasses."""

    source: ClassVar[FromSampler]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the function under its name: each process makes the class anew."""
        return _drawn, (type(self).__name__, self.source, self.epsilon, self.k)

    def _sampler(self, scores: Scores, progress: Progress) -> Draw:
        return self.source.replace(epsilon=self.epsilon, k=self.k)._sampler(scores, progress)


@cache
def _as_class(name: str, sampler: FromSampler) -> type[SamplerMechanism]:
    home = getattr(sampler.draw, "__module__", "")  # whose it is: a menu keeps dpviz's own
    return type(
        name,
        (SamplerMechanism,),
        {"source": sampler, "__module__": home, "__doc__": sampler.draw.__doc__},
    )


def _drawn(name: str, sampler: FromSampler, epsilon: float, k: int) -> SamplerMechanism:
    return _as_class(name, sampler)(epsilon=epsilon, k=k)


def from_opendp(
    measurement: Any, *, epsilon: float | None = None, k: int = 1, d_in: float = 1.0
) -> FromSampler:
    """A mechanism from an OpenDP measurement that chooses items by their scores.

    Parameters
    ----------
    measurement
        From a vector of scores to an index (`make_noisy_max`) or a list of them
        (`make_noisy_top_k`).
    epsilon
        Its ε; None to use the measurement's map at `d_in`, if that is in terms of ε.
    k
        Number of items that it chooses.
    d_in
        Distance between neighbours in its metric: the sensitivity of the scores.

    Returns
    -------
    FromSampler
        The mechanism; it draws from the system's entropy and ignores the generator.

    Raises
    ------
    ParameterError
        If it is no measurement, or its map gives no ε and none was given.

    Examples
    --------
    >>> import opendp.prelude as dp
    >>> dp.enable_features("contrib")
    >>> domain = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    >>> metric = dp.linf_distance(T=float, monotonic=True)
    >>> theirs = from_opendp(dp.m.make_noisy_max(domain, metric, dp.max_divergence(), scale=2.0))
    >>> theirs.epsilon, theirs.sample(Scores([900.0, 0.0]), size=2, rng=0).tolist()
    (0.5, [[0], [0]])
    """
    if not callable(getattr(measurement, "map", None)):
        raise ParameterError("measurement", measurement, "a measurement of OpenDP")
    if epsilon is None:
        claimed = measurement.map(d_in)
        if not isinstance(claimed, float) or "MaxDivergence" not in str(measurement.output_measure):
            raise ParameterError(
                "epsilon", None, "given, as the measurement's map is not in terms of ε", "missing"
            )
        epsilon = claimed
    return FromSampler(_Measured(measurement), epsilon=check_number("epsilon", epsilon), k=k)


@dataclass(frozen=True)
class _Measured:
    """Draws of a measurement, one by one."""

    measurement: Any

    def __call__(self, scores: Scores, size: int, rng: Generator) -> list[Any]:
        whole = not any(real in str(self.measurement.input_carrier_type) for real in ("f64", "f32"))
        values = (scores.values.astype(int) if whole else scores.values).tolist()
        return [self.measurement(values) for _ in range(size)]


def _asked_by(draw: Callable[..., Any]) -> frozenset[str]:
    return frozenset(inspect.signature(draw).parameters)


def _told(draw: Callable[..., Any]) -> str:
    """The function's name, with its address if the name is not unique to it."""
    name = getattr(draw, "__qualname__", type(draw).__name__)
    plain = (
        name.isidentifier()
        and hasattr(draw, "__qualname__")
        and getattr(draw, "__closure__", None) is None
    )
    return f"{getattr(draw, '__module__', '')}.{name}" if plain else f"{name} at {id(draw):x}"
