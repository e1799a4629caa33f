"""What came in is read as a person would read it; every guess is told, and one answer mends it."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

from dpviz.data.counting import count_proposed_log
from dpviz.data.reading import Table
from dpviz.data.reading.guessing.choices import Spelling, question_and_options_text
from dpviz.data.reading.guessing.guessed_table import split_name_and_number
from dpviz.data.reading.guessing.meaning import TableMeaning
from dpviz.data.reading.guessing.offer import Proposal, ReadingChoices, propose_reading
from dpviz.data.reading.input_rules import Remark
from tests.data.reading.helpers import refusal

LOG = """user_id,timestamp,page
u1,2026-01-02 10:00:00,home
u1,2026-01-02 10:05:00,shop
u2,2026-01-03 09:00:00,home
"""


def of(text: str, name: str = "in.csv") -> Proposal:
    return propose_reading(name, text.encode(), is_own_data=True)


def scores(given: Proposal) -> dict[str, float]:
    made = given.scores()
    return {made.label(i): float(value) for i, value in enumerate(made.values)}


def mend(given: Proposal, said: str) -> Proposal:
    """What one click makes of it: the answer of the guess that says this."""
    (remark,) = (remark for remark in given.remarks if said in remark.says)
    return given.with_choices(**next(iter(remark.mends.values())))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("item,votes\nash,31\noak,28\n", ("scores", "item", "votes")),
        ("Artikel;Preis;Menge\nÄpfel;2,5;31\nBirnen;3,1;20\n", ("scores", "Artikel", "Menge")),
        ("year,country,total\n2020,FR,3\n2020,DE,4\n", ("scores", "country", "total")),
        ("page,users\nhome,31\nshop,20\n", ("scores", "page", "users")),
        (",votes\nash,3\noak,4\n", ("scores", "column 1", "votes")),
        ("sku,amount\nA12,3\nB7,4\n", ("scores", "sku", "amount")),
        ("rank,name,score\n1,ash,9\n2,oak,8\n3,elm,8\n", ("scores", "name", "score")),
        ("31\n28\n3\n", ("scores", None, "column 1")),
        ("id,points\n7,31\n12,28\n", ("scores", "id", "points")),
        ("date,count\n2026-01-01,31\n2026-01-02,20\n", ("scores", "date", "count")),
        (LOG, ("log", "page", "user_id")),
        ("when;kunde;artikel\n3.1.2026;17;Tee\n3.1.2026;17;Rum\n4.1.2026;18;Tee\n", ("log", "artikel", "kunde")),
        ("person,item\nann,tea\nbo,tea\n", ("log", "item", "person")),
        ("user,item\n1,tea\n1,rye\n2,tea\n", ("log", "item", "user")),
        ("Timestamp,Email,Choice\n1/2/2026 10:00,a@b.de,tea\n1/2/2026 10:01,c@b.de,tea\n", ("log", "Choice", "Email")),
        ("name,choice\nAnn,tea\nBo,tea\nAnn,rye\n", ("log", "choice", "name")),
        ("ann,tea\nbo,tea\nann,rye\n", ("log", "column 2", "column 1")),
        ("tea\nrye\ntea\ntea\n", ("log", "column 1", None)),  # each row is another person
        ("userId,movieId,rating,timestamp\n1,31,2.5,1260759144\n1,10,3,1260759179\n2,31,4,1260759182\n",
         ("log", "movieId", "userId")),
    ],
)  # fmt: skip
def test_kind_and_columns_are_found(text: str, meant: tuple[str, str | None, str | None]) -> None:
    given = of(text).meaning
    assert ("log" if given.log else "scores", given.item, given.other) == meant


def test_what_could_not_be_guessed_has_to_be_chosen() -> None:
    given = of("user_id,item_id\n1,31\n1,10\n2,31\n").with_column(item=None)
    assert given.meaning.open_choice == "the column of the item"
    assert "the column of the item" in refusal(count_proposed_log, given)
    chosen = given.with_column(item="item_id")
    assert chosen.meaning.open_choice is None
    assert count_proposed_log(chosen).scores.values.tolist() == [2.0, 1.0]


def test_a_column_that_is_chosen_twice_goes_to_the_last_choice() -> None:
    given = of(LOG).with_column(item="user_id").meaning
    assert given == TableMeaning(log=True, item="user_id", other=None)
    assert of(LOG).with_column(other="page").meaning.open_choice == "the column of the item"


def test_a_log_is_counted_by_people_or_by_rows() -> None:
    given = of(LOG + "u1,2026-01-04 09:00:00,home\n")
    assert count_proposed_log(given).scores.values.tolist() == [2.0, 1.0]
    assert count_proposed_log(given.with_column(other=None)).scores.values.tolist() == [3.0, 1.0]


def test_the_other_kind_brings_its_own_columns() -> None:
    given = of("item,count\ntea,3\nrye,5\ntea,7\n")
    assert "'tea' is in 2 rows" in given.remarks[-1].says
    assert scores(mend(given, "is in 2 rows")) == {"tea": 10, "rye": 5}
    assert given.with_choices(log=True).with_choices(log=False).meaning == given.meaning


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Anna 12\nBen 7\n", {"Anna": 12, "Ben": 7}),
        ("Anna (12)\nBen (-7)\n", {"Anna": 12, "Ben": -7}),
        ("Anna: 12\nBen .... 7\n", {"Anna": 12, "Ben": 7}),
        ("12 x Anna\n7 x Ben\n", {"Anna": 12, "Ben": 7}),
        ("votes\nAnna Lee 12\nBen 7\n", {"Anna Lee": 12, "Ben": 7}),
        ("Anna 1\u202f200\nBen 7\n", {"Anna": 1200, "Ben": 7}),
        ("item;amount\nash;1 234 €\noak;56 €\n", {"ash": 1234, "oak": 56}),
        ("item;amount\nash;1'234.50\noak;56.00\n", {"ash": 1234.5, "oak": 56}),
        ("item,share\nash,31 %\noak,20 %\n", {"ash": 31, "oak": 20}),
        ("item;amount\nash;1.234,5\noak;1.000,0\n", {"ash": 1234.5, "oak": 1000}),
        ("item;amount\nash;1.234\noak;2.345\n", {"ash": 1234, "oak": 2345}),
        ('item,amount\nash,"1,234"\noak,"2,345"\n', {"ash": 1234, "oak": 2345}),
    ],
)
def test_numbers_in_disguise_are_read(text: str, read: dict[str, float]) -> None:
    given = of(text, name="in.txt")
    assert scores(given) == read
    assert dict(given.first_rows()) == {name: f"{value:,.10g}" for name, value in read.items()}


def test_thousands_are_a_guess_that_one_answer_mends() -> None:
    given = of("item;amount\nash;1.234\noak;2.345\n")
    assert (
        given.remarks[0].says == "'1.234' is read as 1\u202f234: the point separates the thousands."
    )
    mended = mend(given, "separates the thousands")
    assert scores(mended) == {"ash": 1.234, "oak": 2.345}
    assert scores(mend(mended, "marks the decimals")) == {"ash": 1234, "oak": 2345}
    commas = of('item,n\nash,"1,234"\noak,"2,345"\n')
    assert scores(mend(commas, "separates")) == {"ash": 1.234, "oak": 2.345}


def test_cells_are_left_together_where_a_person_says_so() -> None:
    given = of("Room 12\nHall 7\n")
    assert mend(given, "separated").meaning == TableMeaning(log=True, item="column 1", other=None)
    # one name with many numbers is no list of scores
    assert of("Room 12\nRoom 13\nRoom 12\n").meaning.log


def test_a_first_row_that_may_be_data_is_told_and_mended() -> None:
    given = of("ann,tea\nbo,rye\ncy,rye\n")
    told = "The first row is read as the names of the columns: 'ann', 'tea'."
    assert given.remarks[0].says == told
    mended = mend(given, "first row").with_column(item="column 2")
    assert count_proposed_log(mended).scores.values.tolist() == [1.0, 2.0]
    again = of("ann,tea\nbo,tea\nann,rye\n")
    assert again.remarks[0].says.startswith("The first row is read as data")
    assert mend(again, "read as data").table.columns == ("ann", "tea")


def test_who_calls_a_column_by_its_name_says_that_the_first_row_has_names() -> None:
    text = "wer,was\nann,tee\nbo,rum\ncy,rum\n"
    assert "first row" in of(text).remarks[0].says
    given = propose_reading("in.csv", text.encode(), ReadingChoices(person="wer", item="was"))
    assert (given.remarks, count_proposed_log(given).scores.values.tolist()) == ((), [1.0, 2.0])


def test_what_is_sure_asks_nothing() -> None:
    log = "who\twhat\nann\ttea\nbo\ttea"
    asking = ("Anna 12\nBen 7", log, "id,n\n7,3\n9,4", "a;1.234\nb;2.345")
    for text in ("apples, 31\npears, 28\n", "3 1 4", *asking):
        given = propose_reading("pasted scores", text, is_own_data=True)
        assert given.is_unambiguous is (text not in asking), text


@pytest.mark.parametrize(
    "content", [b"", b"\x89PNG", bytes(range(256)), b"tea\nrye\noat\n", b"item,votes\n"]
)
def test_what_holds_no_scores_is_refused_in_one_sentence(content: bytes) -> None:
    assert "'in.csv'" in refusal(propose_reading, "in.csv", content)


def test_a_bad_cell_is_named_by_its_row_whatever_was_mended() -> None:
    amounts = "".join(f"i{n};1 00{n} €\n" for n in range(9))
    given = of(f"Votes\n\nitem;amount\n{amounts}oak;many\n")
    assert refusal(given.scores) == (
        "1 of 10 cells in column 'amount' is not a number: 'many' of 'oak' (row 13)."
    )


def test_once_agreed_nothing_is_read_again() -> None:
    given = of("Votes\n\nitem;amount\nash;1.234\noak;2.345\n").without_source()
    assert given.content is None
    assert [bool(remark.mends) for remark in given.remarks] == [False, True]
    assert scores(mend(given, "separates the thousands")) == {"ash": 1.234, "oak": 2.345}


def test_of_many_numbers_none_is_looked_at_for_a_name() -> None:
    """As objects a million of them take 32 MB, in the process that serves people."""
    column = np.arange(1e6)
    table = Table("log", pd.DataFrame({"item": column}), np.arange(1, len(column) + 1))
    tracemalloc.start()
    assert split_name_and_number(table) is None
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(("rows", "asks"), [(150, True), (60, False)])
def test_many_large_numbers_that_all_differ_may_be_codes(rows: int, asks: bool) -> None:
    text = "tree,mark\n" + "".join(f"tree {i},{1_003 + 97 * i}\n" for i in range(rows))
    given = propose_reading("a.csv", text.encode(), is_own_data=True)
    said = [remark.says for remark in given.remarks if remark.asks]
    assert any("Its numbers look like codes" in says for says in said) == bool(said) == asks


def test_things_are_items_rather_than_people_who_stand_before_them() -> None:
    given = of("client,shop,receipts\nann,North,31\nbob,South,28\ncy,East,9\n")
    assert given.meaning.columns == {"label": "shop", "score": "receipts"}
    assert "distinct people by 'client' for each 'shop'" in given.remarks[0].says


@pytest.mark.parametrize("counts", [(3100, 2800, 2500, 8401), (1, 2, 3, 6)])
def test_a_score_that_is_nearly_or_by_chance_the_sum_of_others_is_an_item(
    counts: tuple[int, ...],
) -> None:
    text = "".join(f"{tree},{n}\n" for tree, n in zip("abcd", counts, strict=True))
    given = of(f"tree,n\n{text}")
    assert scores(given)["d"] == counts[-1]
    assert not given.remarks


def test_rows_without_a_person_and_rows_without_an_item_are_counted_together() -> None:
    given = of("user,drink\nann,tea\n,rye\nbob,\ncy,rye\ncy,tea\n")
    assert given.open_question is not None
    assert given.open_question.says == "2 of 5 rows have no person or no item. Leave them out?"


@pytest.mark.parametrize("seed", range(20))
def test_ranks_and_years_below_an_unknown_heading_are_no_scores_unasked(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(5, 40))
    ranks = rng.permutation(size) + 1
    for numbers in (ranks, np.arange(3) + 1, rng.integers(1900, 2101, size)):
        rows = "".join(f"thing {place},{n}\n" for place, n in enumerate(numbers.tolist()))
        given = of(f"item,zv\n{rows}")
        assert "codes, ranks or years" in given.remarks[0].says
        assert not any(remark.asks for remark in of(f"item,votes\n{rows}").remarks)


@pytest.mark.parametrize("heading", ["year", "rank", "Hausnummer", "isbn"])
def test_numbers_that_are_no_scores_are_named_with_the_answer_that_takes_them(
    heading: str,
) -> None:
    given = of(f"film,{heading}\nHeat,1995\nDune,2021\nEmma,2020\n")
    told = refusal(given.require_answers, "command")
    assert told == (
        f"The numbers in '{heading}' look like codes, ranks or dates. Say --score-column {heading}."
    )
    assert given.with_choices(score=heading).scores().values.tolist() == [1995, 2021, 2020]


def test_only_a_row_can_be_asked_about_as_a_heading() -> None:
    frame = pd.DataFrame({"wx": ["a", "b", "a"], "zq": ["rr", "ss", "ss"]})
    assert "The first row" in of(frame.to_csv(index=False)).remarks[0].says
    for name, content in (
        ("a.json", frame.to_json(orient="records").encode()),
        ("a.jsonl", frame.to_json(orient="records", lines=True).encode()),
        ("a.parquet", frame.to_parquet()),
    ):
        given = propose_reading(name, content, is_own_data=True)
        assert not any("The first row" in remark.says for remark in given.remarks)


@pytest.mark.parametrize("spelling", ["python", "command"])
def test_a_question_stays_short_however_long_the_headings_are(spelling: Spelling) -> None:
    ways = {"kept": {"score": "[" * 5_000}, "mends": {"another": {"item": "-" * 5_000}}}
    assert len(question_and_options_text(Remark(says="Which one?", **ways), spelling)) < 600
