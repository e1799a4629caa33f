"""Learn: lessons that run themselves, one step at a time."""

from dpviz import web
from dpviz.web import classroom
from dpviz.web.screens import learn

web.set_up_page_without_scenario("learn")
place, session = learn.current_place(), learn.requested_session()
if place is not None:
    learn.show_lesson(place, web.current_look(), classroom.show_begin_class_button)
elif session is not None:
    learn.show_instructor_view(session)
elif (paper := learn.requested_paper()) is not None:
    learn.show_paper_items(paper)
else:
    learn.show_lesson_menu(classroom.show_join_link)
