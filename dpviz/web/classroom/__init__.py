"""A class on the projector: what its teacher sees and does; the students' page is `phone`.

`access` says whose browser this is, `vote_bars` draws bars. `teacher` is the view, `console` what
is at hand at every step, `results` what stays, `entry` the ways into a class.
"""

from dpviz.web.classroom.entry import show_begin_class_button, show_join_link
from dpviz.web.classroom.teacher import show_teacher_page

__all__ = ["show_begin_class_button", "show_join_link", "show_teacher_page"]
