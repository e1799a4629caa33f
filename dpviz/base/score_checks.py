"""Checks that an argument is scores, and has more items than are chosen."""

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores


def check_scores(scores: object, name: str = "scores") -> Scores:
    """`scores` if they are a `Scores`."""
    if not isinstance(scores, Scores):
        raise ParameterError(name, scores, "a dpviz.Scores")
    return scores


def check_top_k(scores: object, k: int) -> Scores:
    """The scores if they have more than `k` items."""
    checked = check_scores(scores)
    if k >= checked.d:
        allowed = f"at most {checked.d - 1}, one less than the {checked.d} items"
        raise ParameterError("k", k, allowed)
    return checked
