"""Guesses about a file: its kind, its encoding, and the meaning of its columns."""

from dpviz.data.reading.guessing.choices import ReadingChoices
from dpviz.data.reading.guessing.meaning import TableMeaning
from dpviz.data.reading.guessing.offer import Proposal, propose_reading
from dpviz.data.reading.input_rules import Remark

__all__ = ["Proposal", "ReadingChoices", "Remark", "TableMeaning", "propose_reading"]
