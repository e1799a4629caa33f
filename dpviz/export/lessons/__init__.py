"""Slides and a handout for a teacher, each one HTML file that works without a server.

Read `slides` first, then `handout`; `prose` turns a lesson's text into HTML, `experiment_picture`
draws an experiment. Every figure is computed when the file is made, and a seed gives the releases
that the app shows for it.
"""

from dpviz.export.lessons.handout import handout
from dpviz.export.lessons.slides import slides

__all__ = ["handout", "slides"]
