"""Base of the frozen descriptions that a menu lists: a name, a key, and copies with changes."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, ClassVar, Self

from dpviz.base.errors import ParameterError
from dpviz.base.former_names import former_names
from dpviz.base.law import Law, PrivacyCeiling
from dpviz.base.noise import NOISES
from dpviz.base.notebook import notebook_table
from dpviz.base.parameters import check_parameters
from dpviz.base.progress import Progress, ignore_progress
from dpviz.base.registry import Registry
from dpviz.base.scores import Scores
from dpviz.base.user_errors import NamesUserErrors

OWN_WORD = "Its ε is what its author claims. dpviz has no proof of it."


@former_names(
    delta_beside_rho="zcdp_delta",
    holds="guarantee_holds",
    noisy_scores="laplace_score_shifts",
    promise="privacy_ceiling",
    unproved="unproved_reason",
)
@dataclass(frozen=True)
class Mechanism(NamesUserErrors, ABC):
    """Base of the frozen dataclasses that the registry `_menu` lists, checked when one is made."""

    runs_on: ClassVar[type] = Scores
    needs_names: ClassVar[bool] = True
    """True if its guarantee needs a list of names known beforehand, see `guarantee_holds`."""
    _menu: ClassVar[Registry[Any]]
    _added: ClassVar[frozenset[str]] = frozenset()
    """Fields younger than stored keys, which have them only where they are not the default."""

    def __post_init__(self) -> None:
        check_parameters(self)

    @property
    def name(self) -> str:
        """Name in the registry, or the class's name where it is on no menu (as in a notebook)."""
        kind = type(self)
        return next((name for name, entry in self._menu.items() if entry is kind), kind.__name__)

    @property
    def key(self) -> str:
        """Text that stands for this description and no other: for caches, files and seeds."""
        values = ",".join(
            f"{f.name}={getattr(self, f.name)!r}"
            for f in sorted(fields(self), key=lambda f: f.name)
            if f.name not in self._added or getattr(self, f.name) != f.default
        )
        return f"{self.name}({values})"

    def _repr_html_(self) -> str:
        rows = ((f.name, getattr(self, f.name)) for f in fields(self))
        return notebook_table(type(self).__name__, rows)

    @abstractmethod
    def distribution(self, data: Any, *, progress: Progress = ignore_progress) -> Law:
        """Law of its output on `data`, which are of the kind `runs_on`."""

    def exact_law(self, data: Any, progress: Progress) -> Any:
        """Exact law of its output on some data.

        Parameters
        ----------
        data
            Its input: scores, or a pool of candidates.
        progress
            Called with the fraction done; may raise `Cancelled`.

        Returns
        -------
        Any
            The law of its output.

        Raises
        ------
        ParameterError
            Where there is no exact law.
        """
        return self.distribution(data, progress=progress)

    def privacy_ceiling(self, data: Any, neighbour: Any) -> PrivacyCeiling:
        """Guarantee (ε, δ) for two neighbouring data sets; ε is infinite where none holds.

        Parameters
        ----------
        data, neighbour
            The two data sets, which differ by one person.

        Returns
        -------
        PrivacyCeiling
            (ε, δ), with a sentence where they are not proved.
        """
        if not self.guarantee_holds(data.names_known):
            return PrivacyCeiling(math.inf)
        ceiling = PrivacyCeiling(getattr(self, "epsilon"), self.delta_spent)  # noqa: B009
        ceiling.unproved = self.unproved_reason
        return ceiling

    @property
    def unproved_reason(self) -> str:
        """Reason why its guarantee is not proved, in a sentence; "" where it is proved."""
        if not type(self).__module__.startswith("dpviz."):
            return OWN_WORD
        noise = str(getattr(self, "noise", ""))
        proved = noise not in NOISES or vars(type(NOISES[noise])).get("hazard_proved")
        return "" if proved else NOISES.says(noise)

    @classmethod
    def guarantee_holds(cls, names_known: bool) -> bool:
        """True unless it needs names known beforehand and they were not."""
        return names_known or not cls.needs_names

    @property
    def delta_spent(self) -> float:
        """δ of one release."""
        return 0.0

    @property
    def zcdp_delta(self) -> float:
        """δ beside `zcdp`, or beside ε²/2 where there is no ρ: all of δ, unless ρ covers it."""
        return self.delta_spent

    @property
    def gaussian_shift(self) -> float | None:
        """Largest move of gaussian noise by one person, over its deviation; None if not gaussian.

        The whole loss follows, beside `zcdp_delta`: that of a normal distribution moved so far.
        """
        return None

    @property
    def zcdp(self) -> float | None:
        """ρ of zero-concentrated DP if one below the ε²/2 of any ε-DP release is proved, or None."""
        return None

    def laplace_score_shifts(
        self, contributions: int | None, monotonic: bool
    ) -> tuple[int, float] | None:
        """Number of laplace-noised scores that one person moves, and each move over the scale.

        Parameters
        ----------
        contributions
            The most items that one person can count in; None for any number.
        monotonic
            True if people are added or removed; else one is replaced by another.

        Returns
        -------
        tuple[int, float] | None
            Their number and their move; None for other outputs, or where too many may move.
        """
        return None

    def replace(self, **changes: object) -> Self:
        return replace(self, **changes)


def check_mechanism(
    mechanism: object,
    kind: type = Mechanism,
    description: str = "a mechanism or rule of one of the menus",
) -> Any:
    """`mechanism` if it is one of this kind; else an error that says what makes one."""
    return check_kind(
        "mechanism", mechanism, kind, description + mechanism_creation_hint(mechanism)
    )


_USUAL = {"epsilon", "k"}  # told even where they may be left out


def mechanism_creation_hint(value: object) -> str:
    """The end of a sentence that asks for a mechanism: how to make one of what was given."""
    if isinstance(value, type) and issubclass(value, Mechanism):
        needed = [f.name for f in fields(value) if f.default is MISSING or f.name in _USUAL]
        return f", such as {value.__name__}({', '.join(f'{name}=…' for name in needed)})"
    if callable(getattr(value, "map", None)) and hasattr(value, "input_metric"):
        return ": from_opendp(measurement) makes one of it"
    if isinstance(value, str):
        return f": Design(mechanism={value!r}).build(epsilon, k) makes one of a name"
    if callable(value):
        return ": FromSampler(draw, epsilon=…, k=…) makes one of a function that draws"
    return ""


def check_scores(scores: object, name: str = "scores") -> Scores:
    """`scores` if they are a `Scores`."""
    if isinstance(scores, Scores):
        return scores
    hint = ""
    if hasattr(scores, "columns"):
        hint = ": Scores.from_frame(frame, score=…, label=…) makes them of a table"
    elif isinstance(scores, Sequence | Mapping) or hasattr(scores, "__array__"):
        hint = ": Scores(values) makes them of numbers"
    raise ParameterError(name, scores, f"a dpviz.Scores{hint}")


def check_kind(name: str, value: Any, kind: type, description: str) -> Any:
    """`value` if it is of a kind; else an error that says what is allowed."""
    if not isinstance(value, kind):
        raise ParameterError(name, value, description)
    return value


def check_top_k(scores: object, k: int) -> Scores:
    """The scores if they have more than `k` items."""
    checked = check_scores(scores)
    if k >= checked.d:
        allowed = f"at most {checked.d - 1}, one less than the {checked.d} items"
        raise ParameterError("k", k, allowed)
    return checked
