"""A figure to take away: one HTML file with its figures at every step of a slider, for slides, notes and blogs.

Views make what it shows (`dpviz.views.common.slider`). `packed` is how it stays below two megabytes with plotly inside,
`page` the file.
"""

from dpviz.reports.takeaway.page import File, file_of, written

__all__ = ["File", "file_of", "written"]
