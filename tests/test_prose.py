"""Rules of prose: each finds a twin that breaks it, and what people read first is easy to read."""

import json
import re
from datetime import date

import pytest

from dpviz.export.decision import decision_sheet
from dpviz.studies.data_spec import DataSpec
from dpviz.studies.decision import Question, decide
from tests import prose
from tests.prose import Text, reading_grade, sentences

HARDEST = 9
LESSONS = json.loads((prose.ROOT / "tests/teaching/texts.json").read_text(encoding="utf-8"))
CLEAR = "An attacker guesses whether Ana called. He is right at most 55 times in 100."
LONG = f"It says {' or '.join('abcdefghi')} or so."
GNOMIC = "Notwithstanding considerable methodological heterogeneity, interpretability deteriorates."


def broken(says: str, path: str = "dpviz/pages/decide/x.py") -> set[str]:
    return {line.split(": ")[1] for line in prose.findings(Text(path, 1, says))}


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("length", LONG),
        ("phrase", "A spy guesses."),
        ("phrase", "Leave it"),
        ("spoken", "So it is in both worlds."),
        ("term", "Take it from the catalog."),
        ("proselint", "The the list is short."),
    ],
)
def test_a_rule_finds_what_breaks_it(rule: str, says: str) -> None:
    assert broken(CLEAR) == set()
    assert broken(says) == {rule}


def test_a_sentence_may_be_longer_elsewhere_and_ends_with_its_block() -> None:
    assert broken(LONG, "assets/docs/x.md") == set()
    assert broken(f"{LONG[:-1]} and {LONG}", "assets/docs/x.md") == {"length"}
    assert sentences("At ε = 0.5. It is\n- so | high") == ["At ε = 0.5.", "It is", "so", "high"]
    assert prose.words("ε = 0.5 (at most) — here") == 5


def test_every_phrase_is_found_and_no_exception_is_idle() -> None:
    assert len(prose.RULEBOOK["banned"]) >= 30
    assert len(prose.RULEBOOK["exception"]) <= 10
    assert all(one["reason"] for one in prose.RULEBOOK["exception"])
    for one in prose.RULEBOOK["exception"]:
        read = prose.texts(one["path"])
        found = (says for text in read for find in prose.RULES.values() for says in find(text))
        assert any(one["says"] in says for says in found), one


@pytest.mark.parametrize(
    ("suffix", "source"),
    [
        (".py", 'def f(n):\n    """One spy."""\n    return f"A spy {n}" + " sees a spy."'),
        (".md", "# One spy\n\n`no spy`\n\n```\nno spy\n```\n\n| a spy | [a spy](x) |"),
        (
            ".html",
            "{# no spy #}<p>A <b>spy</b> {{ n }}</p>{% if spy %}<p>sees a spy</p>{% endif %}",
        ),
        (".js", "const spy = 1;  say('A spy sees'); say(`one spy ${spy} here`);"),
        (".json", '{\n"a": [\n"A spy",\n"sees a <spy> spy"\n]}'),
    ],
)
def test_all_that_is_said_is_read_and_code_is_not(suffix: str, source: str) -> None:
    found = [
        says
        for text in prose.READERS[suffix](f"x{suffix}", source)
        for says in prose.RULES["phrase"](text)
    ]
    assert len(found) == {".py": 3, ".md": 3}.get(suffix, 2)


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_is_easy_to_read(key: str) -> None:
    assert reading_grade("\n\n".join(LESSONS[key])) <= HARDEST


def test_the_first_page_of_a_sheet_is_easy_to_read() -> None:
    decision = decide(Question(k=2, goal="2 of 2 in 0.9", data=DataSpec(name="class_trip")))
    first, _ = decision_sheet(decision, date=date(2026, 5, 4)).split('class="second">')
    page = re.sub(r"(?s)^.*<body>|<(style|svg).*?</\1>", "", first)
    assert reading_grade(re.sub(r"<[^>]+>", "\n\n", page)) <= HARDEST
    assert reading_grade(GNOMIC) > HARDEST
