"""Slides and a handout for a teacher, each one HTML file that works without a server."""

from dpviz.export.lessons.handout import render_handout
from dpviz.export.lessons.slides import render_slides

__all__ = ["render_handout", "render_slides"]
