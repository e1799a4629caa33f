"""Menus of mechanisms that are searched where nobody picked any.

The δ of one release is its share of the total, or all of it where δ do not add up.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from dpviz.base import check_number
from dpviz.privacy.composition import delta_of_one
from dpviz.studies import SEARCHED, DataSpec, Design
from dpviz.topk import TOP_K

ALLOWED: Final = SEARCHED
"""Menu for known names and any number of items."""

TIMES: Final = (1, 3, 10, 30)
"""Numbers of candidates, in multiples of k, that limited domain is tried with."""

_KNOWN_FEW = (*ALLOWED, Design(mechanism="gaussian_counts"))
_UNKNOWN_ANY = (Design(mechanism="limited_domain"),) * len(TIMES)
_UNKNOWN_FEW = (
    *_UNKNOWN_ANY,
    Design(mechanism="threshold_counts"),
    Design(mechanism="threshold_counts", parameters={"noise": "gaussian"}),
)
_MENUS = {
    (True, False): ALLOWED,
    (True, True): _KNOWN_FEW,
    (False, False): _UNKNOWN_ANY,
    (False, True): _UNKNOWN_FEW,
}
"""By names known beforehand, and a stated limit of items."""


def design_menu_key(data: DataSpec) -> tuple[bool, bool]:
    """Key of the menu: names known beforehand, and a stated limit of items."""
    return data.names_known, data.contributions is not None


def design_menu(data: DataSpec, k: int) -> tuple[Design, ...]:
    """Designs searched where nobody picked any; candidates depend on k alone, never on scores."""
    menu, candidates = [], iter(TIMES)
    for design in _MENUS[design_menu_key(data)]:
        more = {"candidates": next(candidates) * k} if design.mechanism == "limited_domain" else {}
        menu.append(replace(design, parameters={**design.parameters, **more}))
    return tuple(menu)


def is_default_menu(designs: Sequence[Design]) -> bool:
    return any(have_same_mechanisms(designs, menu) for menu in _MENUS.values())


def have_same_mechanisms(one: Sequence[Design], other: Sequence[Design]) -> bool:
    """True if two menus have the same mechanisms, at any δ and number of candidates."""
    return [_bare(design) for design in one] == [_bare(design) for design in other]


def _bare(design: Design) -> tuple[object, ...]:
    return design.mechanism, design.parameters.get("noise"), design.stated_scale


def adapt_designs_to_release(
    designs: Iterable[Design], k: int, delta: float, delta_of_one: float
) -> tuple[Design, ...]:
    """Designs with the δ of one release, and at least k candidates."""
    return tuple(_suited(design, k, delta, delta_of_one) for design in designs)


def _suited(design: Design, k: int, delta: float, delta_of_one: float) -> Design:
    given = dict(design.parameters)
    if given.get("candidates"):
        given["candidates"] = max(k, given["candidates"])
    if "delta" in given and delta:
        # the δ of new names under a stated noise follows from the noise
        adds_up = (
            design.stated_scale is None
            and replace(design, parameters=given).build(1.0, k).zcdp_delta > 0
        )
        given["delta"] = delta_of_one if adds_up else delta
    return design if given == design.parameters else replace(design, parameters=given)


def delta_per_release(delta: float, releases: int, share: float) -> float:
    """δ that each release may have of its own; 0 where there is none to share."""
    return delta_of_one(delta, releases, share) if delta else check_number("delta", delta)


def design_label(design: Design, k: int, contributions: int | None) -> str:
    """Label of a design without its δ, which is the same for all."""
    declared = {p.name: p.default for p in design.own_parameters}
    same = {"delta": declared["delta"]} if "delta" in declared else {}
    return replace(design, parameters={**design.parameters, **same}).label_for_data(
        k, contributions
    )


def excluded_mechanisms_text(data: DataSpec, designs: Iterable[Design]) -> str:
    """Mechanisms of other menus that are left out, with reasons; "" where there are none."""
    known, few = design_menu_key(data)
    taken = {design.mechanism for design in designs}
    names = () if known else [design.mechanism for design in _KNOWN_FEW]
    counts = () if few else ["gaussian_counts" if known else "threshold_counts"]
    left = {
        reason: ", ".join(dict.fromkeys(TOP_K.label(name) for name in some if name not in taken))
        for reason, some in (
            ("they need a list of all possible items", names),
            ("they need a limit of items per person", counts),
        )
    }
    return " ".join(f"Left out, as {why}: {labels}." for why, labels in left.items() if labels)
