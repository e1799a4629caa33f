"""Letters of a text: which encoding is guessed, told and taken when said, in every way in."""

import json
from itertools import product
from pathlib import Path
from random import Random
from unicodedata import category, normalize

import pytest

from dpviz.base import ParameterError
from dpviz.data.reading import check_encoding, decode_text, read_table, read_upload
from dpviz.data.reading.encoding import guess_legacy_encoding, likely_encodings
from dpviz.data.reading.guessing.item_lists import read_catalogue
from dpviz.data.score_sources import scores_from
from tests.data.reading.helpers import refusal

pytestmark = pytest.mark.usefixtures("read_here")
WORDS = json.loads((Path(__file__).parents[1] / "words.json").read_text(encoding="utf-8"))
PAIRS = (
    ("Czech", "cp1250"), ("Czech", "iso8859-2"), ("Hungarian", "cp1250"), ("Polish", "cp1250"),
    ("Polish", "iso8859-2"), ("Romanian", "cp1250"), ("Croatian", "cp1250"), ("Greek", "cp1253"),
    ("Greek", "iso8859-7"), ("Turkish", "cp1254"), ("Hebrew", "cp1255"), ("Arabic", "cp1256"),
    ("Arabic", "iso8859-6"), ("Russian", "cp1251"), ("Russian", "koi8-r"), ("Russian", "cp866"),
    ("Ukrainian", "cp1251"), ("Bulgarian", "cp1251"), ("Serbian", "cp1251"),
    ("Japanese", "shift_jis"), ("Japanese", "euc_jp"), ("Japanese", "iso2022_jp"),
    ("Simplified", "gb18030"), ("Traditional", "big5"), ("Korean", "cp949"), ("Korean", "euc_kr"),
    ("Thai", "cp874"), ("Vietnamese", "cp1258"), ("Lithuanian", "cp1257"), ("Latvian", "cp1257"),
    ("Estonian", "cp1257"), ("French", "cp1252"), ("French", "latin-1"), ("German", "cp1252"),
    ("Spanish", "mac-roman"), ("German", "mac-roman"), ("Portuguese", "latin-1"),
    ("Swedish", "cp1252"), ("Icelandic", "latin-1"), ("French", "cp850"),
)  # fmt: skip

RIGHT = 115
SHAPES = ("item,count\n{}", "{}", "id;name\r\n{}")
SHORT = (
    (["Zoë", "Renée", "José"], "cp1252"),
    (["Äpfel", "Übermut", "Straße"], "latin-1"),
    (["Nîmes", "Châlons", "Mâcon"], "latin-1"),
    (["Łódź", "Wrocław", "Kraków"], "cp1250"),
    (["Plzeň", "Děčín", "Žďár"], "cp1250"),
    (["Αθήνα", "Πάτρα", "Βόλος"], "cp1253"),
    (["Москва", "Казань", "Пермь"], "cp1251"),
    (["東京", "大阪", "札幌"], "shift_jis"),
    (["10 €", "20 £", "x – y"], "cp1252"),
    (["Zoë", "Łódź", "Пермь"], "utf-16"),
    (["Zoë", "Anna", "José"], "utf-16-le"),
    (["Žďár", "Děčín", "Třeboň"], "utf-16-le"),
    (["Zoë", "Łódź", "🌳"], "utf-8-sig"),
    (["Zoë", "Łódź", "🌳"], "utf-32"),
)


def test_lines_of_two_encodings_are_asked_about() -> None:
    for words, encoding in SHORT[:3]:
        lines = [f"{word},{place}\n".encode(encoding) for place, word in enumerate(words)]
        content = b"item,count\n" + b"".join(lines)
        assert scores_from(read_table("a.csv", content)).d == 3
        mixed = read_table("a.csv", content + "Köln,31\n".encode())
        assert "Other lines are UTF-8. Say encoding='" in refusal(scores_from, mixed)


def encoded(text: str, encoding: str) -> bytes:
    """Text in an encoding; that of Vietnamese writes tones after their letters."""
    if encoding != "cp1258":
        return text.encode(encoding)
    parts = []
    for letter in text:
        base, tone = "", ""
        for sign in normalize("NFD", letter):
            base, tone = (
                (base, sign) if sign in "\u0300\u0301\u0303\u0309\u0323" else (base + sign, tone)
            )
        parts.append((normalize("NFC", base) + tone).encode(encoding))
    return b"".join(parts)


def sample(language: str, shape: str, seed: int) -> str:
    draw, words = Random(seed), WORDS[language].split()
    cells = (",", "", ";")[SHAPES.index(shape)]
    rows = (
        f"{draw.choice(words)}{cells}{draw.randrange(5_000) if cells else ''}" for _ in range(60)
    )
    return shape.format("".join(f"{row}\n" for row in rows))


def test_nearly_all_samples_of_sixty_rows_are_read_as_they_were_written() -> None:
    wrong = []
    for seed, ((language, encoding), shape) in enumerate(product(PAIRS, SHAPES)):
        text = sample(language, shape, seed)
        if normalize("NFC", decode_text("a.txt", encoded(text, encoding))) != text:
            wrong.append((language, encoding))
    assert (len(PAIRS) * len(SHAPES), len({encoding for _, encoding in PAIRS})) == (120, 25)
    assert all(len(set(words.split())) > 30 for words in WORDS.values())
    assert 120 - len(wrong) >= RIGHT, wrong


@pytest.mark.parametrize(("names", "encoding"), SHORT)
def test_few_names_are_read_as_they_were_written(names: list[str], encoding: str) -> None:
    text = "name;count\n" + "".join(f"{name};{i + 3}\n" for i, name in enumerate(names))
    table = read_upload("a.csv", text.encode(encoding))
    assert scores_from(table).labels == tuple(names)
    told = [remark.says for remark in table.remarks]
    assert all(names[0] in says for says in told)
    assert bool(told) == (not encoding.startswith("utf") or encoding == "utf-16-le")


def test_of_encodings_with_the_same_letters_the_commonest_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "dpviz.data.reading.encoding.likely_encodings", lambda content: iter(("cp1254", "cp1252"))
    )
    assert guess_legacy_encoding("Räuber".encode("cp1254")) == "cp1252"
    assert guess_legacy_encoding("Iğdır".encode("cp1254")) == "cp1254"


def test_no_encoding_is_offered_in_which_a_text_would_have_control_characters() -> None:
    text = "title;loans\nCafé – Zürich;5 €\n„Straße“;7\n".encode("cp1252")
    offered = list(likely_encodings(text))
    assert "cp1250" in offered
    assert not [name for name in offered if any(map(_is_control, text.decode(name)))]


def _is_control(sign: str) -> bool:
    return category(sign) == "Cc" and sign not in "\r\n\t"


def test_a_wrong_guess_is_answered_by_the_word_that_it_gives() -> None:
    content = "name,count\nZoë,3\nAgnès,5\n".encode("cp1252")
    (remark,) = read_table("a.csv", content).remarks
    assert remark.says == "Its letters are read as Windows-1252: “Zoë”, “Agnès”."
    other = remark.mends["Read it as “Agnčs”"]  # as the first word does not tell those two apart
    assert read_table("a.csv", content, **other).frame["name"].tolist() == ["Zoë", "Agnčs"]


def test_any_text_encoding_of_python_may_be_said_and_nothing_else() -> None:
    for encoding in ("latin-1", "CP850", "mac_greek", "shift-jis", "hz", "cp037", "utf-7"):
        check_encoding(encoding)
        content = "item,n\nash,3\noak,5\n".encode(encoding)
        assert read_table("a.csv", content, encoding=encoding).columns == ("item", "n")
    for encoding in ("klingon", "hex", "rot13", "", "a\0b", 8):
        with pytest.raises(ParameterError, match="encoding must be a text encoding that Python"):
            read_table("a.csv", b"1\n2\n", encoding=encoding)  # type: ignore[arg-type]


def test_what_does_not_fit_the_encoding_that_was_said_is_refused_with_its_line() -> None:
    content = "item,count\nash,0\nbéla,1\n".encode("cp1252")
    assert refusal(read_table, "a.csv", content, encoding="utf-8") == (
        "'a.csv' is not UTF-8 text (line 3): save it as UTF-8, or say which encoding it has."
    )


def test_a_list_of_items_has_the_same_letters() -> None:
    listed = ("Plzeň", "Děčín", "Žďár")
    assert read_catalogue("items.txt", "\n".join(listed).encode("cp1250")) == listed


def test_what_is_no_text_is_not_guessed() -> None:
    for content in (b"\x89PNG\r\n\x1a\n\0", bytes(range(256))):
        assert guess_legacy_encoding(content) is None
        assert "'a.csv'" in refusal(read_table, "a.csv", content)
