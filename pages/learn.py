"""Learn: lessons that run themselves, one step at a time."""

from dpviz import web
from dpviz.web import classroom
from dpviz.web.screens import learn

web.start_alone("learn")
place, session = learn.here(), learn.session_asked()
if place is not None:
    learn.lesson(place, web.look(), classroom.offer)
elif session is not None:
    learn.instructor(session)
else:
    learn.menu()
    classroom.way_in()
