"""Learn: lessons that run themselves, one step at a time."""

from dpviz import ui
from dpviz.ui import learn

ui.start_alone("learn")
place, session = learn.here(), learn.session_asked()
if place is not None:
    learn.lesson(place, ui.look())
elif session is not None:
    learn.instructor(session)
else:
    learn.menu()
