"""Guesses about a file: its kind, its encoding, and the meaning of its columns.

`propose_reading` gives a `Proposal`: the table, its meaning, and every guess with the answers that
would correct it. `Proposal.scores` uses it once a person agreed, and `dpviz.data.counting.count_proposal` for a log.
"""

from dpviz.data.reading.guessing.choices import ReadingChoices
from dpviz.data.reading.guessing.meaning import TableMeaning
from dpviz.data.reading.guessing.offer import Proposal, propose_reading
from dpviz.data.reading.input_rules import Remark

__all__ = ["Proposal", "ReadingChoices", "Remark", "TableMeaning", "propose_reading"]
