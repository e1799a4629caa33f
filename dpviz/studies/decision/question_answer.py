"""The answer to a question in one call: `decide`."""

from collections.abc import Sequence

from dpviz.base import (
    Progress,
    Scores,
    check_kind,
    check_scores,
    ignore_progress,
    monotone_progress,
)
from dpviz.studies.decision.decide_study import DecideStudy
from dpviz.studies.decision.decision import Decision
from dpviz.studies.decision.question import Question
from dpviz.studies.decision.suggestions import RecountableLog


def decide(
    question: Question,
    scores: Scores | Sequence[Scores] | None = None,
    *,
    log: RecountableLog | None = None,
    digest: bool = False,
    samples: int = 10_000,
    progress: Progress = ignore_progress,
) -> Decision:
    """Decide on ε: the cheapest plan that meets the goal, its cost and its risks.

    Parameters
    ----------
    question
        The question.
    scores
        Scores of one's own, or several vectors: the first is decided on, the others are of past
        periods and have to meet the goal too. None for the question's own data. They say what one
        person can change, unless the question says it of uploaded data.
    log
        Event log of the scores, to compute the savings by a cap.
    digest
        True to keep the scores' digest in the decision.
    samples
        Draws of an estimated law.
    progress
        Called with the fraction done; may raise `Cancelled`.

    Returns
    -------
    Decision
        The answer, with figures and item names, never a score.

    Raises
    ------
    ParameterError
        For uploaded data without their scores, and where no design allowed reaches the goal.

    Examples
    --------
    >>> from dpviz.studies.data_spec import DataSpec
    >>> trip = DataSpec(name="class_trip")
    >>> decision = decide(Question(k=2, goal="2 of 2 in 0.9", data=trip, releases=12))
    >>> print(decision.chosen_plan_with_curves.label, decision.epsilon, decision.total, sep="; ")
    One-shot; 1.811; ε = 13.25 at δ = 1e-06
    """
    check_kind("question", question, Question, "a Question, such as Question(k=10)")
    several = scores if isinstance(scores, list | tuple) else [scores]
    own = [check_scores(one) for one in several if one is not None]
    if own and question.data.source != "uploaded" and own[0] != question.data.scores():
        decided_on = None if question.decided_on == "generated" else question.decided_on
        data = question.data.with_own_scores(own[0])
        question = question.replace(data=data, decided_on=decided_on)
    study = DecideStudy.from_question(question, scores, log=log, digest=digest, samples=samples)
    # monotone, as a law reports progress again when its figures are read
    return study.compute(monotone_progress(progress)).decision
