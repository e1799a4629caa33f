"""The goal of Explore in plain words, and the ε that it needs."""

from dpviz.charts import input_percent_text, number_text
from dpviz.studies import SmallestEpsilonStudy


def hits_goal_phrase(k: int, at_least: int, sure: float) -> str:
    what = (
        f"At least {at_least:,} of the top {k:,} right"
        if at_least < k
        else f"All of the top {k:,} right"
    )
    return f"{'The best item' if k == 1 else what} in {input_percent_text(sure)} of releases"


def unreachable_goal_phrase(need: SmallestEpsilonStudy) -> str:
    return (
        "no ε is enough"
        if need.mechanism.guarantee_holds(need.scores.names_known)
        else "no ε is valid without a list of all possible items"
    )


def epsilon_comparison_phrase(needed: float, epsilon: float) -> str:
    times = needed / epsilon
    return (
        "about your setting"
        if f"{times:.2g}" == "1"
        else f"{number_text(float(f'{times:.3g}'))} times your setting"
    )
