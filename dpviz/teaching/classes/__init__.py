"""A class that draws together: codes, seeds, predictions, everyone's draws, and the store that
processes share.

`classes` is what pages call and what students do, `taught` what whoever teaches does, `consoles`
who may, `reading` what a process knows of a class, `state` what it is, `course` through which stops
it goes, `changes` how it is written down, `results` what it believed, `store` the file behind it,
`limits` how much of everything and the waits of who tries codes. Nothing here knows a page, a name
or data of anybody: a class has the keys of lessons, numbers, and for a while the text of a poll.
"""

from dpviz.teaching.classes.classes import Classes
from dpviz.teaching.classes.course import Stop
from dpviz.teaching.classes.limits import LIMITS, ClassesAway, ClassLimits, ClassRefusal
from dpviz.teaching.classes.state import (
    LENGTH,
    ClassState,
    Given,
    Mine,
    Polled,
    Seat,
    Timer,
    Vote,
    read_code,
)
from dpviz.teaching.classes.store import ENVIRONMENT, TEACH_KEY, default_path

__all__ = [  # noqa: RUF022
    "ENVIRONMENT",
    "LENGTH",
    "LIMITS",
    "TEACH_KEY",
    "ClassLimits",
    "ClassRefusal",
    "ClassState",
    "ClassesAway",
    "Classes",
    "Given",
    "Mine",
    "Polled",
    "Seat",
    "Stop",
    "Timer",
    "Vote",
    "default_path",
    "read_code",
]
