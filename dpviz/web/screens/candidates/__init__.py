"""The page Candidates: `controls` is its strip and sidebar, `sections` is the page.

Its figures are computed and worded in `dpviz.pages.candidates`. Neighbours uses the controls and
the runs, too.
"""
