"""Class: the teacher's screen, for a projector."""

from dpviz import web
from dpviz.web import classroom

web.set_up_page_without_scenario("classroom")
classroom.show_teacher_page(web.current_look())
