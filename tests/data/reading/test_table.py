"""Choosing columns, and tables edited by hand."""

import numpy as np
import pandas as pd
import pytest

from dpviz.base.errors import ParameterError
from dpviz.base.scores import Scores
from dpviz.data.reading import MAX_EDIT_ROWS, editable_frame, headings, read_frame, read_table
from dpviz.data.reading.guessing import offer
from dpviz.data.reading.guessing.meaning import guess_meaning
from dpviz.data.score_sources import scores_from
from tests.data.reading.helpers import csv_scores, refusal


class TestColumns:
    def test_guesses(self):
        table = read_table("a.csv", b"id,city,share,votes,note\n1,Ulm,.5,7,x\n2,Bonn,.6,8,y\n")
        assert guess_meaning(table).columns == {"label": "city", "score": "votes"}

    def test_former_names_answer_and_warn(self):
        table = read_table("a.csv", b"isbn,title,loans\n978,Blue,3\n979,Red,5\n")
        with pytest.warns(DeprecationWarning, match="scores_from"):
            assert (table.label_column, table.score_column) == ("title", "loans")

    def test_numbering_is_no_score(self):
        assert scores_from(read_table("a.csv", b"id,points\n1,5\n2,6\n")).values.tolist() == [5, 6]

    def test_chosen(self):
        table = read_table("a.csv", b"id,city,share,votes\n1,Ulm,.5,7\n2,Bonn,.6,8\n")
        scores = scores_from(table, "share", "id", sensitivity=0.25, monotonic=True)
        assert scores == Scores([0.5, 0.6], labels=["1", "2"], sensitivity=0.25, monotonic=True)
        assert scores_from(table, label=None).labels is None
        with pytest.raises(ParameterError, match="score must be one of the columns 'id', 'city'"):
            scores_from(table, "nope")
        with pytest.raises(ParameterError, match="label must be one of the columns"):
            scores_from(table, label="nope")

    def test_no_numbers(self):
        told = refusal(csv_scores, "item,kind\na,b\nc,d\n")
        assert "No column of 'data.csv' holds numbers; a score must be a number." in told

    def test_one_bad_cell_is_named_though_the_column_is_guessed(self):
        assert refusal(csv_scores, "item,count\na,1\nb,abc\nc,2\n") == (
            "1 of 3 cells in column 'count' is not a number: 'abc' of 'b' (row 3)."
            " Say bad_cells='leave-out'."
        )

    def test_too_few_and_too_many_items(self, monkeypatch):
        assert "only 1 item" in refusal(csv_scores, "item,count\na,1\n")
        monkeypatch.setattr(offer, "MAX_ITEMS", 3)
        assert refusal(csv_scores, "1\n2\n3\n4\n") == "There are 4 items; at most 3 are allowed."


class TestEditing:
    def test_there_and_back(self):
        scores = Scores([3, 1, 2], labels=["a", "=b", "c"], monotonic=True)
        table = read_frame(editable_frame(scores))
        assert scores_from(table, "score", "item", monotonic=True) == scores

    def test_rows_added_and_left_empty(self):
        frame = pd.DataFrame({"item": ["a", None, "b"], "score": [1.0, None, 5.0]})
        assert scores_from(read_frame(frame)).values.tolist() == [1, 5]
        frame = pd.DataFrame({"item": ["a", "b"], "score": [1.0, None]})
        told = refusal(scores_from, read_frame(frame))
        assert told == "Row 2: the score in column 'score' is missing (NaN)."
        assert "is empty" in refusal(read_frame, frame.iloc[:0])

    def test_too_many_to_edit(self):
        told = refusal(editable_frame, Scores(np.arange(MAX_EDIT_ROWS + 1)))
        assert "2,001 items; at most 2,000 can be edited" in told


def test_every_usual_heading_is_met_with_and_without_its_accents() -> None:
    """A long list of them once kept its accents, which no split heading has."""
    for word in headings._ALL_HEADINGS:
        assert headings.strip_accents(word) == word
    for heading in ("Počet", "Množství", "città", "Szó", "πλήθος", "ЧИСЛО"):
        assert headings.is_usual_heading(heading)
