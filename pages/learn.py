"""Learn: lessons that run themselves, one step at a time."""

from dpviz import web
from dpviz.web import classroom
from dpviz.web.screens.learn import lesson_page, overviews, step

web.set_up_page_without_scenario("learn")
place, session = step.current_lesson_place(), overviews.requested_session()
if place is not None:
    lesson_page.show_lesson(place, web.current_look(), classroom.show_begin_class_button)
elif session is not None:
    overviews.show_instructor_view(session)
elif (paper := overviews.requested_paper()) is not None:
    overviews.show_numbered_paper_items(paper)
else:
    overviews.show_lesson_menu(classroom.show_join_link)
