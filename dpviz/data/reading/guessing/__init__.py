"""The reader that guesses: which kind a file is, its encoding, and which columns are meant.

`propose_reading` reads what came in and gives a `Proposal`: the table, what it is taken for and every guess
that was made, each with the answers that would mend it. `Proposal.scores` and `Proposal.counted`
make something of it once a person agreed. Read `propose_reading` first, then `columns` (what is meant),
`encoding` (letters and lines), `number_cells` (numbers in disguise).
"""

from dpviz.data.reading.guessing.columns import TableMeaning
from dpviz.data.reading.guessing.guessed_table import ReadingChoices, Remark
from dpviz.data.reading.guessing.offer import Proposal, propose_reading

__all__ = ["Proposal", "ReadingChoices", "Remark", "TableMeaning", "propose_reading"]
