"""Classes that draw together: codes, seeds, predictions, everyone's draws, one shared store.

A class has keys of lessons, numbers, and for a while the text of a poll: no name and no data of
anybody.
"""

from dpviz.teaching.classes.class_manager import ClassManager
from dpviz.teaching.classes.class_state import (
    LENGTH,
    ClassState,
    QuestionFlags,
    RunningPoll,
    Seat,
    StopAnswers,
    StudentStopRecord,
    Timer,
    parse_code,
)
from dpviz.teaching.classes.class_store import (
    ENVIRONMENT,
    LIMITS,
    TEACH_KEY,
    ClassLimits,
    ClassRefusal,
    ClassStoreUnavailable,
    default_path,
)
from dpviz.teaching.classes.course import CourseStop

__all__ = [  # noqa: RUF022
    "ENVIRONMENT",
    "LENGTH",
    "LIMITS",
    "TEACH_KEY",
    "ClassLimits",
    "ClassRefusal",
    "ClassState",
    "ClassStoreUnavailable",
    "ClassManager",
    "StopAnswers",
    "StudentStopRecord",
    "RunningPoll",
    "Seat",
    "CourseStop",
    "Timer",
    "QuestionFlags",
    "default_path",
    "parse_code",
]
