"""Table of the ε that mechanisms need for goals, as the page Compare shows it."""

from collections.abc import Iterable

from dpviz.base import (
    Frame,
    ParameterError,
    Progress,
    Scores,
    check_scores,
    check_several,
    ignore_progress,
    iterate_with_progress,
    pd,
)
from dpviz.studies import Design, epsilon_rows, smallest_epsilon_or_reason
from dpviz.studies.decision.goals import read_goal
from dpviz.topk import LARGEST_EPSILON, Goal, TopKMechanism
from dpviz.topk.mechanism import check_top_k_mechanism


def table_of_epsilon(
    mechanisms: Iterable[TopKMechanism],
    scores: Scores,
    goals: Iterable[str],
    *,
    limit: float = LARGEST_EPSILON,
    progress: Progress = ignore_progress,
) -> Frame:
    """Smallest ε of each mechanism for each goal, and its multiple of the best.

    Parameters
    ----------
    mechanisms
        Mechanisms for the same k items; their own ε is ignored.
    scores
        The scores to choose from, more than k.
    goals
        Goals as texts: "9 of 10 in 0.9" for at least 9 right items in 90 % of releases. Or a figure
        with a probability: "top in 0.9", also optimal, great, good and share.
    limit
        The largest ε to look at.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Frame
        A row for each mechanism and goal: design, mechanism, parameters, k, figure, probability,
        epsilon, multiple, reason. A goal out of reach has an infinite ε and a reason.

    Raises
    ------
    ParameterError
        For no mechanism or goal, for several k, and for a text that is no goal.

    Examples
    --------
    >>> from dpviz import Canonical, OneShot
    >>> votes = Scores({"zoo": 9, "lake": 14, "castle": 12, "cave": 2}, monotonic=True)
    >>> mechanisms = Canonical(epsilon=1.0, k=2), OneShot(epsilon=1.0, k=2, noise="exponential")
    >>> table = table_of_epsilon(mechanisms, votes, ["2 of 2 in 0.9", "share in 0.95"])
    >>> table[["design", "figure", "probability", "epsilon", "multiple"]].round(2)
                       design           figure  probability  epsilon  multiple
    0               Canonical  hits_at_least_2         0.90     1.59      1.44
    1               Canonical            share         0.95     1.59      1.44
    2  One-shot · exponential  hits_at_least_2         0.90     1.11      1.00
    3  One-shot · exponential            share         0.95     1.11      1.00
    """
    allowed = "a list of mechanisms for the same k items, at least one"
    given = check_several("mechanisms", mechanisms, allowed)
    chosen = [check_top_k_mechanism(mechanism) for mechanism in given]
    check_scores(scores)
    if len(sizes := {mechanism.fit_to_scores(scores).k for mechanism in chosen}) != 1:
        raise ParameterError("mechanisms", sorted(sizes), allowed)
    (k,) = sizes
    some = "a list of at least one, such as '9 of 10 in 0.9'"
    texts = [goals] if isinstance(goals, str) else check_several("goals", goals, some)
    read: list[Goal] = [read_goal(text, k) for text in texts]
    if not read:
        raise ParameterError("goals", [], some)
    wanted = [(mechanism, goal) for mechanism in chosen for goal in read]
    needs = [
        smallest_epsilon_or_reason(mechanism, scores, goal, limit, part)
        for (mechanism, goal), part in iterate_with_progress(wanted, progress)
    ]
    designs = [(Design(mechanism=mechanism), goal) for mechanism, goal in wanted]
    rows = epsilon_rows(designs, needs, k, scores.contributions)
    return pd.DataFrame(rows).rename(columns={"event": "figure"})
