"""Public names say what they are: none is a bare participle, adverb, pronoun or preposition, and
one name has one meaning.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1] / "dpviz"
SMALL_WORDS = frozenset(
    """
    about above across after afterwards again against all alone along already also always among
    another anyone apart around as aside at away back because before behind below beneath beside
    besides between beyond both by down during each either else elsewhere enough even ever every
    everyone everything except far few first for from hence her here hers him his how if in
    inside into it its just last later least less many me mine more most much near neither never
    next nobody none nor not nothing now of off often on once one only onto or other others our
    out outside over own past per perhaps quite rather same she since so some somebody soon
    still such than that the their them then there these they this those through throughout thus
    to together too toward under until up upon us very what when where whether which while who
    whole whom whose why with within without yet you
    """.split()  # noqa: SIM905
)
IRREGULAR = frozenset(
    """
    begun bent bound bought broken brought built caught chosen cut done drawn driven fallen felt
    forgotten fought found frozen given gone grown heard held hidden hurt kept known laid led
    left lent lit lost made meant met paid put read said seen sent set shown shut sold sought
    spent split spoken spread stolen stood struck taken taught thought thrown told torn
    understood woken won worn written
    """.split()  # noqa: SIM905
)
NO_PARTICIPLE = frozenset({"need", "seed", "feed", "speed", "read", "set", "cut", "split", "put"})
"""Nouns and verbs that look like one."""

_PUBLIC = "shown in the documentation, and used by people"
_DECISION = "a step of DecideStudy, which a Decision holds as a field of its JSON"
_FUTURE = "as concurrent.futures calls it"
EXCEPTIONS = {
    "Cancelled": _PUBLIC,
    "Expected": _PUBLIC,
    "expected": _PUBLIC,
    "ranked": _PUBLIC,
    "within": _PUBLIC,
    "at": _PUBLIC,
    "called": _PUBLIC,
    "reversed": _PUBLIC,
    "allowed": _PUBLIC,
    "taken": _DECISION,
    "one": _DECISION,
    "everyone": _DECISION,
    "cancelled": _FUTURE,
    "failed": _FUTURE,
}
"""Names that may stand, with the reason."""

ROLES = {
    "a lesson's experiment and texts": """
        draw play law result_sentence lesson_mechanism
        draw_function law_function all_correct_probability build_steps
    """,
    "a page's view": """
        build_slider_preview build_slider_figure file_disclosure page_heading headlines describe_settings
        preview_range lead_sentence figures_table items_table release_table page_study
        omitted_rule_sentences
    """,
    "a page's screen": "show_page show_sidebar_controls",
    "a part of the papers' report": "write_part jobs",
    "an engine that counts": "prepare",
}
PROTOCOLS = {name for names in ROLES.values() for name in names.split()}
"""Names that several modules define for one role."""


def is_bare(name: str) -> bool:
    """A single word that is a participle, adverb, pronoun or preposition."""
    if "_" in name or re.search("[a-z][A-Z]", name) or name in NO_PARTICIPLE:
        return False
    word = name.lower()
    return word in SMALL_WORDS or word in IRREGULAR or re.search(r"[a-z]{2}ed$", word) is not None


def public_names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Functions and classes as ("", name), methods as (class, name)."""
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    for node in tree.body:
        if isinstance(node, functions | ast.ClassDef):
            yield "", node.name
        if isinstance(node, ast.ClassDef):
            yield from ((node.name, each.name) for each in node.body if isinstance(each, functions))


@cache
def modules() -> dict[str, list[tuple[str, str]]]:
    """The public names of every module."""
    found = {}
    for path in ROOT.rglob("*.py"):
        names = public_names(ast.parse(path.read_text(encoding="utf-8")))
        module = path.relative_to(ROOT).with_suffix("").as_posix()
        found[module] = [(owner, name) for owner, name in names if not name.startswith("_")]
    return found


def bare_names() -> dict[str, str]:
    """Every public name that says nothing, those of modules included, and its module."""
    named = ((module, module.split("/")[-1]) for module in modules())
    inside = ((module, name) for module, names in modules().items() for _, name in names)
    return {name: module for module, name in (*named, *inside) if is_bare(name)}


def test_no_public_name_is_a_bare_participle_adverb_pronoun_or_preposition() -> None:
    assert {name: module for name, module in bare_names().items() if name not in EXCEPTIONS} == {}


def test_every_exception_is_needed_and_they_are_few() -> None:
    assert bare_names().keys() >= EXCEPTIONS.keys()
    assert len(EXCEPTIONS) <= 15


def test_a_public_name_is_defined_for_one_idea() -> None:
    homes = defaultdict(set)
    for module, names in modules().items():
        for owner, name in names:
            if not owner:
                homes[name].add(module)
    twice = {name: found for name, found in homes.items() if len(found) > 1}
    assert {name: found for name, found in twice.items() if name not in PROTOCOLS} == {}
    assert twice.keys() >= PROTOCOLS


def test_no_docstring_begins_with_a_question_word() -> None:
    begins = re.compile(r'^ *"""\s*(?:What|Whose|Who|Whoever|Whether)\b.*', re.MULTILINE)
    texts = {path: path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")}
    assert {path: begins.findall(text) for path, text in texts.items() if begins.search(text)} == {}
