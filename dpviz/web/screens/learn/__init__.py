"""Learn: lessons to choose from, and a lesson step by step.

`position` is where a person is, `step` draws a step, here and in a class. `lesson_page` has the
list and a lesson for one reader, `instructor` what a teacher needs.
"""

from dpviz.web.screens.learn.instructor import instructor, session_asked
from dpviz.web.screens.learn.lesson_page import lesson, menu
from dpviz.web.screens.learn.position import LessonPlace, here

__all__ = ["LessonPlace", "here", "instructor", "lesson", "menu", "session_asked"]
