"""The page Neighbours, what one person's data changes; read `settings` first, what the page adds to the scenario.

`menu` has the mechanisms of every page and their controls, `person` the controls on whose data are looked at, `study`
what is computed beside the page, the search for the worst neighbour included; `sections` is the page from its title to
its last chart.
"""

from dpviz.ui.neighbours.menu import Subject, start
from dpviz.ui.neighbours.person import who
from dpviz.ui.neighbours.sections import figures, guesses, lists, losses, there, title
from dpviz.ui.neighbours.study import Study, study

__all__ = ["Study", "Subject", "figures", "guesses", "lists", "losses", "start", "study", "there", "title", "who"]
