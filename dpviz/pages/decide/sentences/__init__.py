"""Sentences and cells of a decision, for the page, the sheet and its JSON alike.

`phrases` has parts of sentences (read it first), `price` the cost of a plan, `basis` the
assumptions, `quality` the quality of its lists, and the rows that two decisions are compared by.
Invariants: figures are the decision's, rounded by `dpviz.charts.text_format`; nothing else is
computed.
"""
