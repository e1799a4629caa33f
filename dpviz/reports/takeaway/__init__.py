"""A figure to take away: one HTML file with its figures at every step of a slider, for slides, notes and blogs.

`steps` is what any such file shows (read it first), `packed` how it stays below two megabytes with plotly inside,
`page` the file. `choices` makes the steps of Explore and Compare, ε by ε; `lessons` those of a lesson's experiment.
"""

from dpviz.reports.takeaway.choices import compared, explored, holds
from dpviz.reports.takeaway.lessons import taught
from dpviz.reports.takeaway.page import File, written
from dpviz.reports.takeaway.steps import Step, Takeaway, around, step

__all__ = ["File", "Step", "Takeaway", "around", "compared", "explored", "holds", "step", "taught", "written"]
