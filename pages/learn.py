"""Learn: lessons that run themselves, one step at a time."""

from dpviz import ui
from dpviz.ui import classroom, learn

ui.start_alone("learn")
place, session = learn.here(), learn.session_asked()
if place is not None:
    learn.lesson(place, ui.look(), classroom.offer)
elif session is not None:
    learn.instructor(session)
else:
    learn.menu()
    classroom.way_in()
