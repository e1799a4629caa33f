"""Learn: lessons to choose from, and a lesson step by step.

`position` is a place in the lessons, `step` draws a step, here and in a class. `lesson_menu` has
the list, `lesson_page` a lesson for one reader, `instructor` the view for teachers,
`paper_items` that for researchers.
"""

from dpviz.web.screens.learn.instructor import requested_session, show_instructor_view
from dpviz.web.screens.learn.lesson_menu import show_lesson_menu
from dpviz.web.screens.learn.lesson_page import show_lesson
from dpviz.web.screens.learn.paper_items import requested_paper, show_paper_items
from dpviz.web.screens.learn.position import LessonPlace, current_place

__all__ = [
    "LessonPlace",
    "current_place",
    "requested_paper",
    "requested_session",
    "show_instructor_view",
    "show_lesson",
    "show_lesson_menu",
    "show_paper_items",
]
