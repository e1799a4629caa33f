"""Neighbours: what one person's data change."""

from dpviz.web.screens import neighbours

neighbours.show_page()
