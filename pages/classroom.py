"""Class: what a teacher shows of a class, on a projector."""

from dpviz import ui
from dpviz.ui import classroom

ui.start_alone("classroom")
classroom.teach(ui.look())
