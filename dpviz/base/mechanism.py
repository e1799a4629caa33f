"""What every frozen description on a menu has in common: a name, a key, and copies with changes.

Invariants: the declared parameters are validated when it is made; equal keys mean equal
descriptions, so caches, files and seeds may go by them.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

from dpviz.base.former_names import former_names
from dpviz.base.law import Law, PrivacyCeiling
from dpviz.base.noise import NOISES
from dpviz.base.notebook import notebook_table
from dpviz.base.parameters import check_parameters
from dpviz.base.progress import Progress, ignore_progress
from dpviz.base.registry import Registry
from dpviz.base.scores import Scores

OWN_WORD = "Its ε is what its author says; dpviz has no proof of it."


@former_names(
    delta_beside_rho="zcdp_delta",
    holds="guarantee_holds",
    noisy_scores="laplace_score_shifts",
    promise="privacy_ceiling",
    unproved="unproved_reason",
)
@dataclass(frozen=True)
class Mechanism(ABC):
    """The base of the frozen dataclasses that a registry lists; `_menu` says which one.

    Raises `ParameterError` when it is made with a value that is not allowed.
    """

    runs_on: ClassVar[type] = Scores
    needs_names: ClassVar[bool] = True
    """Whether its privacy needs a list of names known beforehand: else what it promises does not
    hold, see `guarantee_holds`.
    """
    _menu: ClassVar[Registry[Any]]

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def name(self) -> str:
        """The name in the registry; of what is on no menu, as in a notebook, that of its class."""
        kind = type(self)
        return next((name for name, entry in self._menu.items() if entry is kind), kind.__name__)

    @property
    def key(self) -> str:
        """One text that stands for this description and no other: for caches, files and seeds."""
        values = ",".join(
            f"{f.name}={getattr(self, f.name)!r}"
            for f in sorted(fields(self), key=lambda f: f.name)
        )
        return f"{self.name}({values})"

    def _repr_html_(self) -> str:
        """Its parameters."""
        rows = [(f.name, getattr(self, f.name)) for f in fields(self)]
        return notebook_table(type(self).__name__, rows)

    @abstractmethod
    def distribution(self, data: Any, *, progress: Progress = ignore_progress) -> Law:
        """The law of what comes out when it is run on `data`, which are of the kind `runs_on`."""

    def exact_law(self, data: Any, progress: Progress) -> Any:
        """Its exact law on some data.

        Parameters
        ----------
        data
            What it is run on: scores, or a pool of candidates.
        progress
            Told the fraction done; may raise `Cancelled`.

        Returns
        -------
        Any
            What comes out.

        Raises
        ------
        ParameterError
            Where there is no exact law.
        """
        return self.distribution(data, progress=progress)

    def privacy_ceiling(self, data: Any, neighbour: Any) -> PrivacyCeiling:
        """What it promises for two neighbouring worlds: nothing where it does not hold, see
        `guarantee_holds`.

        Parameters
        ----------
        data, neighbour
            The two worlds, one person apart.

        Returns
        -------
        Ceiling
            (ε, δ), with a sentence where they are not proved.
        """
        if not self.guarantee_holds(data.names_known):
            return PrivacyCeiling(math.inf)
        ceiling = PrivacyCeiling(getattr(self, "epsilon"), self.delta_spent)  # noqa: B009
        ceiling.unproved = self.unproved_reason
        return ceiling

    @property
    def unproved_reason(self) -> str:
        """Why what it promises is not proved, in a sentence; "" where it is."""
        if not type(self).__module__.startswith("dpviz."):
            return OWN_WORD
        noise = str(getattr(self, "noise", ""))
        proved = noise not in NOISES or vars(type(NOISES[noise])).get("hazard_proved")
        return "" if proved else NOISES.says(noise)

    @classmethod
    def guarantee_holds(cls, names_known: bool) -> bool:
        """Whether what it promises holds: not where it needs names that were not known before the
        data were.
        """
        return names_known or not cls.needs_names

    @property
    def delta_spent(self) -> float:
        """What one release costs beside ε."""
        return 0.0

    @property
    def zcdp_delta(self) -> float:
        """What one release costs beside `zcdp`, or beside the ε²/2 of what has none: all of δ,
        unless ρ covers it.
        """
        return self.delta_spent

    @property
    def gaussian_shift(self) -> float | None:
        """How far one person moves gaussian noise at most, in standard deviations, beside
        `zcdp_delta`; or None.

        Whoever knows it knows the whole loss: that of a normal distribution whose mean moves so
        far.
        """
        return None

    @property
    def zcdp(self) -> float | None:
        """ρ of zero-concentrated DP, where one below the ε²/2 of any ε-DP release is proved; else
        None.
        """
        return None

    def laplace_score_shifts(
        self, contributions: int | None, monotonic: bool
    ) -> tuple[int, float] | None:
        """How many noisy scores with laplace noise one person moves, and by how much each, in units
        of the noise.

        Parameters
        ----------
        contributions
            In how many items one person can count at most; None for any number.
        monotonic
            Whether people are added or removed; else one is replaced by another.

        Returns
        -------
        tuple[int, float] | None
            Their number and their move; None where what comes out is not made of such scores, or
            too many may move.
        """
        return None

    def replace(self, **changes: object) -> Self:
        """The same description with other parameters."""
        return replace(self, **changes)
