"""A figure to take away: one HTML file with its figures at every step of a slider, for slides, notes and blogs.

`steps` is what any such file shows (read it first), `packed` how it stays below two megabytes with plotly inside,
`page` the file. `pages` has every page of which there is a figure, and `choices` (Explore, Compare), `gaps`, `margin`,
`candidates` with `searches`, `neighbours` and `decide` make their steps; `lessons` those of a lesson's experiment.
"""

from dpviz.reports.takeaway.choices import compared, explored, holds
from dpviz.reports.takeaway.lessons import taught
from dpviz.reports.takeaway.page import File, written
from dpviz.reports.takeaway.pages import PAGES, Page, Subject, file_of
from dpviz.reports.takeaway.steps import Step, Takeaway, around, step

__all__ = [
    "PAGES",
    "File",
    "Page",
    "Step",
    "Subject",
    "Takeaway",
    "around",
    "compared",
    "explored",
    "file_of",
    "holds",
    "step",
    "taught",
    "written",
]
