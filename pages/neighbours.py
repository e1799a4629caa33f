"""Neighbours: the changes that one person's data make."""

from dpviz.web.screens import neighbours

neighbours.show_page()
