"""The base of private top-k mechanisms that need a δ for one release."""

from dataclasses import dataclass

from dpviz.base import check_open_interval, check_parameters, parameter
from dpviz.topk.mechanism import TopKMechanism


@dataclass(frozen=True, kw_only=True)
class ApproximateMechanism(TopKMechanism):
    """A private choice of k items under (ε, δ) for one release."""

    delta: float = parameter(
        1e-6,
        low=0.0,
        above=True,
        high=1.0,
        label="δ",
        help="For one release. It should be below 1 divided by the number of people.",
    )

    def __post_init__(self) -> None:
        check_open_interval("delta", self.delta)
        check_parameters(self)

    @property
    def delta_spent(self) -> float:
        return self.delta
