"""A class that draws together: codes, seeds, predictions, everyone's draws, and the store that
processes share.

`class_manager` is what pages call and what students do, `teacher_actions` what whoever teaches
does, `teacher_access` who may, `class_reader` what a process knows of a class, `class_state` what
it is, `course` through which stops it goes, `class_changes` how it is written down, `class_results`
what it believed, `class_store` the file behind it, `class_limits` how much of everything and the
waits of who tries codes. Nothing here knows a page, a name or data of anybody: a class has the keys
of lessons, numbers, and for a while the text of a poll.
"""

from dpviz.teaching.classes.class_limits import (
    LIMITS,
    ClassLimits,
    ClassRefusal,
    ClassStoreUnavailable,
)
from dpviz.teaching.classes.class_manager import ClassManager
from dpviz.teaching.classes.class_state import (
    LENGTH,
    ClassState,
    QuestionProgress,
    RunningPoll,
    Seat,
    StopAnswers,
    StudentProgress,
    Timer,
    read_code,
)
from dpviz.teaching.classes.class_store import ENVIRONMENT, TEACH_KEY, default_path
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
    "StudentProgress",
    "RunningPoll",
    "Seat",
    "CourseStop",
    "Timer",
    "QuestionProgress",
    "default_path",
    "read_code",
]
