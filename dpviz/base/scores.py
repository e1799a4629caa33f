"""Scores: the input of every private selection.

Symbols: d items, raw scores f, sensitivity Δ, x = f/Δ_eff sorted in descending order, rank r
(1-based in words, position r−1 in arrays). Δ_eff = Δ/2 for monotonic scores, else Δ.
Invariants: values are finite and read-only; differences of normalised scores never overflow.
Source: Shekelyan & Loukides 2022, Thm A.15 (monotonic scores).
"""

import json
import math
from copy import copy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from dpviz.base.arrays import (
    Floats,
    Ints,
    TieCounts,
    cached_property,
    make_read_only,
    scaled_differences,
    tie_counts,
)
from dpviz.base.errors import ParameterError
from dpviz.base.former_names import former_names
from dpviz.base.frames import ONE_PERSON, TOLD, Frame, attach_person_metadata, pd
from dpviz.base.notebook import notebook_table
from dpviz.base.parameters import check_flag, check_integer, check_labels, store_fields
from dpviz.base.person_metadata import (
    check_sensitivity_and_parts,
    extract_person_metadata,
    person_change_sentence,
)
from dpviz.base.score_values import (
    SENSITIVITY,
    check_values,
    digest_scores,
    scores_fields_from_frame,
    split_values_and_labels,
)

_SHOWN = 10  # items in a notebook
_LARGEST = 1e300  # of |value|/Δ: leaves room for ε up to 10,000 and for differences


@former_names(
    above="scaled_excess",
    comparable="rescaled_scores_and_sensitivity",
    relative_to="differences_from_rank",
    tied="tie_counts",
    ties_by_name="order_ties_by_name",
)
@dataclass(frozen=True, eq=False)
class Scores:
    """A score for each of d ≥ 2 items, with what one person can change.

    One person changes every score by at most `sensitivity` Δ. Where all scores then move the same
    way the effective sensitivity of mechanisms that only compare scores is halved: x = f/(Δ/2). A
    dict brings its keys as labels, a pandas Series its index, unless that only counts the rows.

    Parameters
    ----------
    values
        Finite scores, shape (d,), in any unit; ``|value|``/Δ at most 1e300.
    labels
        d texts, not necessarily distinct; None for "item 1", "item 2", …
    sensitivity
        Δ above 0: the most that one person changes a score by, in the unit of the scores. A list
        has one for each item. A tuple (fall, rise) says that adding one person changes every score
        by −fall to +rise. The field holds the largest, or fall + rise where one is replaced.
    monotonic
        True if one person is added or removed, so that all scores move in the same direction. Only
        a pair (fall, rise) lets them move both ways.
    contributions
        The most items c that one person can count in, None for any number. Then at most c scores
        move where they are monotonic, else 2c (one person's, and another's in their place).
    names_known
        True if all names were known before the data were. Otherwise a name that nobody else has can
        appear or vanish with one person, which an ε alone does not cover: see `needs_names` of the
        mechanisms.
    sensitivities
        The list or the tuple that was given for `sensitivity`, else None. Leave it out.

    Raises
    ------
    ParameterError
        For values that are not finite numbers, fewer than two items, labels of another length,
        whole numbers that a float would round (2^53 + 1), and parameters out of range.

    Examples
    --------
    >>> s = Scores([9, 14, 14, 2], labels=["a", "b", "c", "d"], monotonic=True)
    >>> s.order.tolist(), s.ranked.tolist()
    ([1, 2, 0, 3], [28.0, 28.0, 18.0, 4.0])
    >>> votes = Scores({"ash": 3, "oak": 5})
    >>> len(votes), votes.labels
    (2, ('ash', 'oak'))
    """

    values: Any
    labels: Any = None
    sensitivity: float | Any = 1.0
    monotonic: bool = False
    contributions: int | None = None
    names_known: bool = True
    sensitivities: Any = None

    def __post_init__(self) -> None:
        monotonic = check_flag("monotonic", self.monotonic)
        most = self.contributions
        given, own_labels = split_values_and_labels(self.values)
        values = check_values(given)
        sensitivity, parts = check_sensitivity_and_parts(
            self.sensitivity, self.sensitivities, len(values), people_added=monotonic
        )
        with np.errstate(all="ignore"):  # half of the smallest double is 0
            largest = float(np.max(np.abs(values)) / np.float64(sensitivity / 2))
        if not largest <= 2 * _LARGEST:
            allowed = f"at most {_LARGEST:g} in size once divided by the sensitivity"
            raise ParameterError("values", largest / 2, allowed)
        size = len(values)
        store_fields(
            self,
            values=values,
            labels=own_labels
            if self.labels is None
            else check_labels(self.labels, size, "an item"),
            sensitivity=sensitivity,
            monotonic=monotonic,
            contributions=None if most is None else check_integer("contributions", most, low=1),
            names_known=check_flag("names_known", self.names_known),
            sensitivities=parts,
        )

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        score: str,
        label: str | None = None,
        duplicates: str = "error",
        **says: Any,
    ) -> Self:
        """Scores from two columns of a table of pandas, polars, pyarrow or another Arrow library.

        Parameters
        ----------
        frame
            The table, an item a row.
        score
            The column of scores.
        label
            The column of labels; None for the index of a pandas frame that is more than a count.
        duplicates
            "error" to refuse a label in several rows, "sum" to add up its scores, "keep" for an
            item a row.
        **says
            Fields of `Scores` on what one person can change; `frame` may say the others, if
            `Scores.frame` made it.

        Returns
        -------
        Self
            The scores, in the order of the rows.

        Raises
        ------
        ParameterError
            For anything but a table, an unknown column, a row without a label, a label in several
            rows, and as `Scores`.

        Examples
        --------
        >>> import pandas as pd
        >>> votes = pd.DataFrame({"item": ["ash", "oak"], "votes": [3, 5]})
        >>> Scores.from_frame(votes, score="votes", label="item", monotonic=True).labels
        ('ash', 'oak')
        """
        return cls(**scores_fields_from_frame(frame, score, label, duplicates, says))

    def frame(self) -> Frame:
        """A row for each item: item (if there are labels), score, and sensitivity if it has its own.

        Its `attrs` say what one person can change; Parquet keeps them and `from_frame` reads them.

        >>> votes = Scores({"ash": 3, "oak": 5}, monotonic=True, contributions=2)
        >>> Scores.from_frame(votes.frame(), score="score", label="item") == votes
        True
        """
        columns: dict[str, Any] = {} if self.labels is None else {"item": list(self.labels)}
        columns["score"] = self.values.copy()
        if isinstance(self.sensitivities, np.ndarray):
            columns[SENSITIVITY] = self.sensitivities.copy()
        return attach_person_metadata(pd.DataFrame(columns), extract_person_metadata(self))

    def to_json(self) -> str:
        """JSON that `read_table` and the command line read back with what one person can change.

        >>> print(Scores({"ash": 3, "oak": 5}, monotonic=True).to_json())
        {"dpviz": "scores", "one_person": {"sensitivity": 1.0, "monotonic": true, "contributions":
        null,
        "names_known": true}, "rows": [{"item": "ash", "score": 3.0}, {"item": "oak", "score":
        5.0}]}
        """
        rows = self.frame().to_dict("records")
        return json.dumps(
            {TOLD: "scores", ONE_PERSON: extract_person_metadata(self), "rows": rows},
            ensure_ascii=False,
        )

    @property
    def d(self) -> int:
        """Number of items."""
        return len(self.values)

    def __len__(self) -> int:
        return self.d

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        """Values in item order: `np.asarray(scores)`."""
        return np.array(self.values, dtype=dtype, copy=copy)

    def __getitem__(self, item: str | int) -> float:
        """Score of an item, by its label or its index.

        >>> Scores({"ash": 3, "oak": 5})["oak"]
        5.0
        """
        if not isinstance(item, str):
            return float(self.values[item])
        places = [place for place, name in enumerate(self.names) if name == item]
        if len(places) != 1:
            allowed = "the label of one item" + (", not of several" if places else "")
            raise ParameterError("the item", item, allowed)
        return float(self.values[places[0]])

    @property
    def same_direction(self) -> bool:
        """True if one person moves all scores the same way: added or removed, and no pair."""
        return self.monotonic and not isinstance(self.sensitivities, tuple)

    @property
    def effective_sensitivity(self) -> float:
        """Half of what one person moves two scores apart: Δ/2 if added, (fall + rise)/2, or Δ."""
        if self.monotonic and isinstance(self.sensitivities, tuple):
            return sum(self.sensitivities) / 2
        return float(self.sensitivity / 2 if self.monotonic else self.sensitivity)

    @property
    def item_sensitivities(self) -> Floats:
        """Δ_i of each item, shape (d,): the largest of all where they have no own."""
        own = isinstance(self.sensitivities, np.ndarray)
        return self.sensitivities if own else np.broadcast_to(self.sensitivity, self.d)

    @cached_property
    def change(self) -> str:
        """Sentence that says what one person can change.

        >>> Scores([3, 1], monotonic=True).change
        'One person added or removed changes each score by at most 1, all in the same direction.'
        >>> Scores([3, 1], sensitivity=(1, 2), monotonic=True).change
        'Adding one person changes each score by −1 to +2.'
        """
        return person_change_sentence(
            self.sensitivity,
            self.sensitivities,
            monotonic=self.monotonic,
            contributions=self.contributions,
            names_known=self.names_known,
        )

    @property
    def may_be_counts(self) -> bool:
        """True if all scores are whole numbers from 0 up: a reason to ask, not to assume."""
        return bool((self.values >= 0).all() and (self.values == np.floor(self.values)).all())

    @cached_property
    def order(self) -> Ints:
        """Item index by rank, shape (d,): the best item first, ties in input order."""
        return make_read_only(np.argsort(-self.values, kind="stable").astype(np.int64))

    @cached_property
    def rank(self) -> Ints:
        """Position of each item in `order` (0 for the best), shape (d,)."""
        inverse = np.empty(self.d, np.int64)
        inverse[self.order] = np.arange(self.d)
        return make_read_only(inverse)

    def order_ties_by_name(self, rank: int) -> "Scores":
        """The same scores with those that tie at a rank ordered by name, code point by code point.

        Where names were unknown, a limit within a tie must not follow the data, as input order may.

        Parameters
        ----------
        rank
            1-based; beyond d nothing changes.

        Returns
        -------
        Scores
            Equal scores with another `order`.

        Examples
        --------
        >>> Scores([3, 2, 2], labels=["c", "b", "a"]).order_ties_by_name(2).order.tolist()
        [0, 2, 1]
        """
        above, upto = self.tie_counts(rank) if rank <= self.d else (0, 0)
        if upto <= above + 1:
            return self
        order = self.order.copy()
        order[above:upto] = sorted(order[above:upto].tolist(), key=self.label)
        same = copy(self)
        same.__dict__.pop("rank", None)
        same.__dict__["order"] = make_read_only(order)  # what the cached property would hold
        return same

    @cached_property
    def ranked(self) -> Floats:
        """Normalised scores x = f/Δ_eff in descending order, shape (d,)."""
        return make_read_only(self.values[self.order] / self.effective_sensitivity)

    @cached_property
    def rescaled_scores_and_sensitivity(self) -> tuple[Floats, float]:
        """(raw scores in descending order, Δ_eff), over the power of two that puts Δ_eff in [½, 1).

        Differences of these never overflow, and are right to rounding of themselves.
        """
        unit, power = math.frexp(self.effective_sensitivity)
        return make_read_only(np.ldexp(self.values[self.order], -power)), unit

    def differences_from_rank(self, rank: int) -> Floats:
        """(f_[r] − f_[rank])/Δ_eff for each rank r, 1-based, shape (d,), to a part in 2^52.

        >>> Scores([1e15 + 1, 1e15, 0.0], sensitivity=0.1).differences_from_rank(2)[:2].tolist()
        [10.0, 0.0]
        """
        raw, unit = self.rescaled_scores_and_sensitivity
        return (raw - raw[rank - 1]) / unit  # type: ignore[no-any-return]

    def scaled_excess(self, level: float) -> Floats:
        """(f_i − level)/Δ for each item, shape (d,), as precisely; Δ is never halved."""
        return scaled_differences(self.values, level, self.sensitivity)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of values, labels and what one person can change, as hexadecimal text."""
        return digest_scores(self)

    @property
    def names(self) -> tuple[str, ...]:
        """Label of every item, in item order."""
        return tuple(map(self.label, range(self.d)) if self.labels is None else self.labels)

    def label(self, item: int) -> str:
        """Label of the item with index `item`; "item 1" is the first where none were given."""
        return str(self.labels[item]) if self.labels is not None else f"item {item + 1}"

    def tie_counts(self, k: int) -> TieCounts:
        """How many scores lie strictly above the k-th largest, and how many at or above it.

        >>> Scores([9, 14, 14, 2]).tie_counts(1)
        TieCounts(above=0, at_or_above=2)
        """
        return tie_counts(self.values[self.order], k)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scores) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def _repr_html_(self) -> str:
        best = [(self.label(int(i)), float(self.values[i])) for i in self.order[:_SHOWN]]
        more = [("…", f"{self.d - _SHOWN:,} more")] if self.d > _SHOWN else []
        rows = [*best, *more, ("one person", self.change)]
        return notebook_table(f"Scores of {self.d:,} items", rows)

    def __repr__(self) -> str:
        kind = "monotonic" if self.same_direction else "general"
        own = "" if self.sensitivities is None else " at most"
        most = "" if self.contributions is None else f", contributions={self.contributions}"
        names = "" if self.names_known else ", names unknown"
        return (
            f"Scores(d={self.d}, sensitivity={self.sensitivity:g}{own}, {kind}{most}{names},"
            f" digest={self.digest[:8]})"
        )
