"""Join a class: what a student sees, on a phone."""

from dpviz import ui
from dpviz.ui import classroom

ui.start_alone("join")
classroom.join()
