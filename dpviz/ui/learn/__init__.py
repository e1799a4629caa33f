"""Learn: lessons to choose from, and a lesson step by step; the link holds where one is.

`place` is where a person is, `step` what a step is drawn of, here and in a class, `frame` the list
and a lesson for one reader, `instructor` what a teacher needs.
"""

from dpviz.ui.learn.frame import lesson, menu
from dpviz.ui.learn.instructor import instructor, session_asked
from dpviz.ui.learn.place import LessonPlace, here

__all__ = ["LessonPlace", "here", "instructor", "lesson", "menu", "session_asked"]
