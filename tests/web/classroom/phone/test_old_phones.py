"""Phones of some years ago can read the script (ES2019 or older) and the colours of a student's
page.
"""

import re

from dpviz.web.classroom.phone import view
from dpviz.web.server.static_files import read_asset

TEXTS = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*`""",
    re.VERBOSE | re.DOTALL,
)
NEWER = {
    "a?.b": r"\?\.(?!\d)",
    "a ?? b": r"\?\?",
    "a ||= b": r"(?:\|\||&&)=",
    "a private field": r"(?<![\w$\"'])#[A-Za-z_$]",
    "a static block": r"\bstatic\s*\{",
    "await": r"\bawait\b",
    "a module": r"\b(?:import|export)\b",
    "1_000": r"\b\d+_\d",
    "1n": r"\b\d+n\b",
    "a built-in": r"\b(?:globalThis|structuredClone|WeakRef|AggregateError|BigInt|queueMicrotask)\b"
    r"|\bPromise\s*\.\s*(?:allSettled|any|withResolvers)\b"
    r"|\bObject\s*\.\s*(?:hasOwn|groupBy)\b"
    r"|\.\s*(?:matchAll|replaceAll|replaceChildren|at|findLast|findLastIndex|toSorted|toReversed|toSpliced)\s*\(",
}


def newer(script: str) -> list[str]:
    """What is in this script that came after 2019, but for what its texts and comments say."""
    code = TEXTS.sub('""', script)
    return [name for name, word in NEWER.items() if re.search(word, code)]


def test_the_script_of_the_phones_is_read_by_phones_of_2019() -> None:
    assert newer(read_asset("phone.js")) == []


def test_no_colour_is_missing_on_phones_before_2024() -> None:
    """A colour that is not understood leaves bars without one, and white text on a button as good
    as white.
    """
    page = str(view.phone_page_html(view.code_form_html(), has_seat=False))
    rules = re.sub(
        r"/\*.*?\*/", "", page[page.index("<style>") : page.index("</style>")], flags=re.DOTALL
    )
    assert "var(--dp-accent)" in rules
    assert (
        re.findall(r"light-dark\(|color-mix\(|oklch\(|@layer|@container|@scope|\{[^{}]*&", rules)
        == []
    )
