"""Neighbours: what one person's data change."""

from dpviz.ui import neighbours

neighbours.show_page()
