"""What the tests of ingest share: small files made in memory, and the words of a refusal."""

import io

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz.data.reading import IngestError, read_table
from dpviz.data.score_sources import scores_from


def csv_scores(text, **options):
    return scores_from(read_table("data.csv", text.encode()), **options)


def refusal(function, *arguments, **options):
    """The sentence with which an IngestError refuses."""
    with pytest.raises(IngestError) as caught:
        function(*arguments, **options)
    return str(caught.value)


def excel(rows, *, title="Sheet", more=()):
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    for name, content in more:
        page = book.create_sheet(name)
        for row in content:
            page.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def parquet(columns, **options):
    target = io.BytesIO()
    pq.write_table(pa.table(columns), target, **options)
    return target.getvalue()
