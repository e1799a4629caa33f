"""`decide`: a question and its data in, the decision out."""

from collections.abc import Sequence

from dpviz.base import Progress, Scores, ignore_progress, monotone_progress
from dpviz.studies.decision.contribution_caps import RecountableLog
from dpviz.studies.decision.decide_study import DecideStudy
from dpviz.studies.decision.decision import Decision
from dpviz.studies.decision.question import Question


def decide(
    question: Question,
    scores: Scores | Sequence[Scores] | None = None,
    *,
    log: RecountableLog | None = None,
    digest: bool = False,
    samples: int = 10_000,
    progress: Progress = ignore_progress,
) -> Decision:
    """The decision on a question: the cheapest plan that meets the goal, and what it means.

    Parameters
    ----------
    question
        What is published, about whom, what it may cost, how good it must be.
    scores
        The scores where the data are uploaded; or several vectors, the first of them the one
        decided on, the others of past periods on which the goal has to be met too; else None.
    log
        The event log that the scores were counted from, to say what a cap would save.
    digest
        Whether the decision holds the scores' digest.
    samples
        How many draws an estimated law takes.
    progress
        Told the fraction done; may raise `Cancelled`.

    Returns
    -------
    Decision
        The answer, which holds figures and names of items, never a score.

    Raises
    ------
    ParameterError
        For uploaded data without their scores, and where no design allowed reaches the goal.

    Examples
    --------
    >>> from dpviz.studies.data_spec import DataSpec
    >>> decision = decide(Question(k=2, goal="2 of 2 in 0.9", data=DataSpec(name="class_trip"), releases=12))
    >>> print(decision.need.label, decision.epsilon, decision.total, sep="; ")
    One-shot; 1.811; ε = 13.25 at δ = 1e-06
    """
    study = DecideStudy.from_question(question, scores, log=log, digest=digest, samples=samples)
    return study.compute(
        monotone_progress(progress)
    ).decision  # a law tells of its figures when they are read
