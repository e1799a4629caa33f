"""The page Neighbours: the change that one person's data make.

`controls` is its sidebar and the choice of person, `sections` the page. Its figures are computed in
`dpviz.pages.neighbours.study` and worded in `dpviz.pages.neighbours`.
"""
