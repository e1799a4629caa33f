"""Learn: lessons that run themselves, one step at a time."""

from dpviz import ui
from dpviz.ui import learn

ui.start_alone("learn")
place = learn.here()
if place is None:
    learn.menu()
else:
    learn.lesson(place, ui.look())
