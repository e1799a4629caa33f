"""The page Compare, two to six designs side by side.

`controls` has its sidebar and the designs' marks, `sections` the page, `by_epsilon` its curves and
goals. Its figures are computed in `dpviz.pages.compare.study` and worded in
`dpviz.pages.compare.view`.
"""
