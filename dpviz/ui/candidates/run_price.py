"""What this page asks for beyond the rules' own parameters, declared once like theirs."""

from dataclasses import dataclass

from dpviz.base.parameters import Parameter, check, parameter, parameters

__all__ = ["PAGE", "RunPrice"]


@dataclass(frozen=True, kw_only=True)
class RunPrice:
    """What one run of a candidate costs, how the built-in ones are made, and what counts as a top run."""

    epsilon1: float = parameter(
        0.5,
        low=0.0,
        above=True,
        high=1e4,
        label="ε1, the price of one run",
        help="Every run, its score included, is ε1-differentially private. For your own runs this is yours to know.",
    )
    delta1: float = parameter(
        0.0,
        low=0.0,
        high=0.5,
        label="δ1 of one run",
        help="0 for pure ones. Above 0 the built-in gradient runs use Gaussian noise; some rules do not cover that.",
    )
    people: int = parameter(600, low=20, high=100_000, integer=True, label="People trained on")
    runs: int = parameter(200, low=1, high=5_000, integer=True, label="Runs of each candidate")
    share: float = parameter(
        0.05,
        low=0.0,
        above=True,
        high=0.9,
        label="Top share p of all runs",
        help="A run counts as good if it is among the best share p of the runs of all candidates.",
    )

    def __post_init__(self) -> None:
        check(self)


PAGE: dict[str, Parameter] = {declared.name: declared for declared in parameters(RunPrice)}
