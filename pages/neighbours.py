"""Neighbours: the changes that one person's data make."""

from dpviz.web.screens.neighbours.sections import show_page

show_page()
