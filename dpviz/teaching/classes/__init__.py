"""A class that draws together: codes, seeds, predictions, everyone's draws, and the store that processes share.

`classes` is what pages call and how a class changes, `reading` what a process knows of it, `state` what it is, `store`
the file behind it, `limits` how much of everything and the waits of who tries codes. Nothing here knows a page, a name
or data of anybody: a class has a lesson's key and numbers.
"""

from dpviz.teaching.classes.classes import Classes
from dpviz.teaching.classes.limits import LIMITS, ClassLimits, ClassRefusal, Tries
from dpviz.teaching.classes.state import LENGTH, ClassState, Mine, Seat, read_code
from dpviz.teaching.classes.store import ENVIRONMENT, default_path

__all__ = [
    "ENVIRONMENT",
    "LENGTH",
    "LIMITS",
    "ClassLimits",
    "ClassRefusal",
    "ClassState",
    "Classes",
    "Mine",
    "Seat",
    "Tries",
    "default_path",
    "read_code",
]
