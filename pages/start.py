"""Start: what is traded for what, on one screen."""

from dpviz import ui
from dpviz.ui import start_screen

ui.start_alone("start")
start_screen.show_page()
