"""Slides and a handout for a teacher, each one HTML file that works without a server.

Every figure is computed when the file is made; a seed gives the releases that the app shows for it.
"""

from dpviz.export.lessons.handout import render_handout
from dpviz.export.lessons.slides import render_slides

__all__ = ["render_handout", "render_slides"]
