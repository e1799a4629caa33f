"""Classes in a room: the teacher's screen, and the students' phones (`phone`)."""

from dpviz.web.classroom.entry import show_begin_class_button, show_join_link
from dpviz.web.classroom.teacher import show_teacher_page

__all__ = ["show_begin_class_button", "show_join_link", "show_teacher_page"]
