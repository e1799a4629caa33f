"""Goals as people write them: "9 of 10 in 0.9" is at least 9 right in a share 0.9 of releases.

Right: scoring at least the k-th largest score. "top in 99 %" asks for an event by its name.
Invariant: `read_goal(goal_text(goal, k), k) == goal`.
"""

import math
import re
from dataclasses import replace

from dpviz.base import ParameterError
from dpviz.base.text_format import stated_percent_text
from dpviz.topk import EVENTS, Goal

_NAMED = (*EVENTS, "share")
_OF_ONE_ITEM = {
    "top": "exactly the top item appears",
    "optimal": "the item chosen has the largest score",
    "share": "the top item appears often enough",
}
_WRITTEN = (
    'written as "{most} of {k} in 0.9" or as "{names} in 0.9", with a share above 0 and below 1'
    " (0.9, 90 %, 9 of 10)"
)
_WHOLE = "[0-9]{1,15}"  # more digits fit no float, many more no integer
_NUMBER = r"(?:[0-9]{0,15}\.)?[0-9]+(?:e-?[0-9]{1,3})?"
_SHARE = rf"(?:(?P<number>{_NUMBER})(?:\s*(?P<percent>%))?|(?P<part>{_WHOLE})\s+of\s+(?P<whole>{_WHOLE}))"
_GOAL = re.compile(
    r"\s*(?:(?:at"
    rf" least\s+)?(?P<least>{_WHOLE})\s+of\s+(?:the\s+)?(?P<k>{_WHOLE})|(?P<event>[a-z]+))"
    rf"\s+in\s+{_SHARE}(?:\s+(?:of\s+)?releases)?\s*",
    re.IGNORECASE,
)


def read_goal(text: str, k: int) -> Goal:
    """The goal that `text` states for a list of `k`; raises `ParameterError` for no goal."""
    match = _GOAL.fullmatch(text) if isinstance(text, str) else None
    event = "hits" if match is None or match["event"] is None else match["event"].lower()
    share = math.nan if match is None else _share(match)
    if (
        match is None
        or not 0 < share < 1
        or event not in (*_NAMED, "hits")
        or (event == "hits" and not match["least"])
    ):
        raise ParameterError(
            "goal", text, _WRITTEN.format(most=k - k // 10, k=k, names="|".join(_NAMED))
        )
    if event != "hits":
        return Goal(event=event, probability=share)
    if int(match["k"]) != k:
        raise ParameterError("goal", text, f"about the {k:,} that are published (k)")
    if not 1 <= int(match["least"]) <= k:
        raise ParameterError("goal", text, f"about at least 1 and at most {k:,} of the {k:,}")
    return Goal(event="hits", at_least=int(match["least"]), probability=share)


def _share(match: re.Match[str]) -> float:
    if match["part"] is not None:
        return int(match["part"]) / int(match["whole"]) if int(match["whole"]) else math.nan
    number = float(match["number"])
    return number / 100 if match["percent"] else number


def default_goal(k: int) -> Goal:
    """All but a tenth of the k right in 9 of 10 releases."""
    return Goal(event="hits", at_least=k - k // 10, probability=0.9)


def goal_text(goal: Goal, k: int) -> str:
    """The goal as `read_goal` reads it."""
    what = goal.event if goal.at_least is None else f"{goal.at_least} of {k}"
    return f"{what} in {goal.probability!r}"


def describe_goal(goal: Goal, k: int) -> str:
    """The goal as the end of a sentence.

    >>> describe_goal(read_goal("9 of 10 in 0.9", 10), 10), describe_goal(read_goal("great in 0.9", 10), 10)
    ('at least 9 of the 10 are right', 'the best one is in and nothing below rank 11')
    """
    if goal.at_least is not None:
        if k == 1:
            return "the one item is right"
        verb = "is" if goal.at_least == 1 else "are"
        return (
            f"at least {goal.at_least:,} of the {k:,} {verb} right"
            if goal.at_least < k
            else f"all {k:,} are right"
        )
    if k == 1 and goal.event in _OF_ONE_ITEM:
        return _OF_ONE_ITEM[goal.event]
    return {
        "top": f"exactly the top {k:,} appear",
        "optimal": f"the {k:,} chosen have the {k:,} largest scores",
        "great": _head_and_tail(-(-k // 10), k + k // 10),
        "good": _head_and_tail(-(-k // 100), k + k // 2),
        "share": f"on average, enough of the true top {k:,} appear",
    }[goal.event]


def describe_goal_and_probability(goal: Goal, k: int) -> str:
    """The goal with the share of releases, or of the top k, that it asks for.

    >>> describe_goal_and_probability(read_goal("share in 0.9", 10), 10).replace(chr(0x202f), " ")
    'on average, at least 90 % of the true top 10 appear'
    """
    share = stated_percent_text(goal.probability)
    if goal.event != "share":
        return f"{describe_goal(goal, k)} in {share} of releases"
    if k == 1:
        return f"the true top item appears in {share} of releases"
    return f"on average, at least {share} of the true top {k:,} appear"


def _head_and_tail(best: int, worst: int) -> str:
    return (
        f"the best {'one is' if best == 1 else f'{best:,} are'} in and nothing below rank {worst:,}"
    )


def rescale_goal(goal: str, k: int) -> str:
    """A goal for another k: as large a share of the list may be wrong.

    >>> rescale_goal("18 of 20 in 0.9", 10), rescale_goal("top in 0.5", 3), rescale_goal("1 of 20 in 0.9", 1)
    ('9 of 10 in 0.9', 'top in 0.5', '1 of 1 in 0.9')
    """
    so_many = re.match(r"\s*([0-9]{1,9}) of ([0-9]{1,9}) in .", goal)
    least, of = map(int, so_many.groups()) if so_many else (0, k)
    if of == k or not 1 <= least <= of:
        return goal
    least_right = max(1, k - math.floor(k * (of - least) / of))
    return goal_text(replace(read_goal(goal, of), at_least=least_right), k)
