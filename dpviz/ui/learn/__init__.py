"""Learn: lessons to choose from, and a lesson step by step; the link holds where one is.

`place` is where a person is, `menu` the list, `frame` what stands around a step, `instructor` what a teacher needs.
`step.draw_step` draws one step for one person, whoever decides where they are: the page here, a teacher in a class.
"""

from dpviz.ui.learn.frame import lesson
from dpviz.ui.learn.instructor import instructor, session_asked
from dpviz.ui.learn.menu import menu
from dpviz.ui.learn.place import Place, here
from dpviz.ui.learn.step import May, Person, draw_step

__all__ = ["May", "Person", "Place", "draw_step", "here", "instructor", "lesson", "menu", "session_asked"]
