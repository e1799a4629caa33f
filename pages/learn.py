"""Learn: lessons that run themselves, one step at a time."""

from dpviz import ui
from dpviz.ui import classroom, learn

ui.start_alone("learn")
place = learn.here()
if place is None:
    learn.menu()
    classroom.way_in()
else:
    learn.lesson(place, ui.look(), classroom.offer)
