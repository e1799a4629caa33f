"""Reads all that dpviz says and lists each sentence that breaks a rule of `RULES`.

    python -m tests.prose                        every finding; the exit code is 1 if there is one
    python -m tests.prose dpviz/pages/decide     only those of these folders and files
    python -m tests.prose --count                how many there are, by folder and rule
    python -m tests.prose --texts                the texts that are read, each with its place

Read are the strings of `dpviz` that have three words or more, docstrings, templates, scripts,
Markdown, the words of every chart and the texts of every lesson as kept for a review. A value that
is filled in counts as one word, and so does each sign with a letter or a digit; code and formulas
are left out.
"""

import argparse
import ast
import html
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proselint.checks import __register__
from proselint.config import DEFAULT
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

ROOT = Path(__file__).resolve().parents[1]
VALUE = "7"  # stands for what is filled in
SHORT, LONG = 20, 25
SHORT_PLACES = (
    "dpviz/pages/start", "dpviz/pages/decide", "dpviz/web/screens/start", "dpviz/web/screens/decide",
    "dpviz/export/decision", "dpviz/export/templates/start", "dpviz/export/templates/sheet",
    "dpviz/teaching", "tests/teaching/texts.json",
)  # fmt: skip
"""Where a sentence has at most `SHORT` words; elsewhere it has at most `LONG`."""

BANNED = {
    r"spy|spies|guessers?|eavesdroppers?|snoopers?|adversar\w+|intruders?": "attacker",
    r"somebody who (?:suspects|guesses)|who(?:ever)? suspects": "attacker",
    r"luck|lucky": "noise",
    r"blind (?:ones?|guess\w*)": "pure guessing",
    r"in instead|comes? in for": "… appears instead of …",
    r"what (?:it|this|that|all this) comes? to": "in plain words",
    r"tak(?:e|es|ing) (?:it|them|this|these) along|taken along": "download, keep",
    r"(?:go|goes|went) along": "all pages use it, is kept",
    r"use it so": "use this file",
    r"leave it as it is": "cancel",
    r"(?:let|lets|letting|was let|been let|is let) out": "publish",
    r"whatever": "say the thing",
    r"who(?:so)?ever|whomever": "a person, an attacker, anyone who",
    r"(?:at most|in|of|by) so many|so many of": "the number",
    r"take the pins? away": "remove",
    r"half the noise is enough": "needs less noise",
    r"perhaps (?:nearly )?all": "could be right every time",
    r"(?:by|for) being there": "printing it exposes that person",
    r"names? (?:that )?(?:were|was|are|is) (?:not )?known|known names|names? (?:not )?known"
    r"|unknown names": "a list of all possible items (a catalogue)",
    r"how much may it cost": "how much privacy risk is acceptable",
    r"what may be lost|may be lost": "accepted risk",
    r"left over|leaves? over": "remains",
    r"under the hand|follows the hand": "while you drag",
    r"for those who know": "advanced",
    r"no different|not otherwise": "the same",
    r"in one world|both worlds|in the other world": "with and without her data",
    r"holds? the counts": "the library still sees the true counts",
    r"gives? (?:her|him|them|somebody|people|anybody) away|gave (?:her|him) away": "exposes",
    r"nothing need be|need be known": "no knowledge is needed",
    r"keep to it|keeps to it": "apply this limit",
    r"read it off|reads? them off": "take it from",
    r"tells? of": "reveals",
    r"be told apart|told apart": "be distinguished",
    r"stands? for nobody": "say who",
    r"not one surely|surely right": "practically random",
    r"the worst that is in|likeliest cell": "the lowest item",
    r"moves? both ways": "one person is swapped for another",
    r"many a|as one likes|as you like it": "many",
    r"not to publish is": "you may also decide not to publish",
    r"hers": "of her, hers alone",
}
"""Phrases that stand nowhere, and the plain words for them."""

TERMS = {
    r"catalogs?": "catalogue",
    r"privacy parameters?|privacy levels?|privacy costs?": "privacy budget ε",
    r"individuals?": "person",
    r"loss of privacy": "privacy loss",
    r"class(?:es)? of utility": "utility class",
    r"neighbor\w*|color\w*|behavior\w*|analyz\w+|labeled|favor\w*|randomiz\w+": "British spelling",
    r"output lists?|answer lists?": "list",
}
"""One term for one idea: what is not said, and what is."""

EXCEPTIONS = {
    ("assets/docs/commands/count.md", "catalog"): "Iceberg calls it so",
    ("dpviz/web/widgets/data_panel.py", "one in a million"): "a chance, not a phrase",
    ("tests/charts/words.json", "over over"): "a list that a test calls “over”",
}
"""At most ten: the beginning of a path and the words found there, with the reason they may stay."""

OFF = ("typography", "spelling", "dates_times", "weasel_words.very", "uncomparables")
"""Checks of proselint that are off: signs, spelling, “1 am”, “very much” and “more false alarms”."""
CONFIG: Any = {**DEFAULT, "checks": {**dict.fromkeys(OFF, False), **DEFAULT["checks"]}}
CONFIG["checks"].update(dict.fromkeys(OFF, False))
CheckRegistry().register_many(__register__)


@dataclass(frozen=True)
class Text:
    """A piece of prose and its place; `spoken` where somebody other than a reader of code sees it."""

    path: str
    line: int
    says: str
    spoken: bool = True

    @property
    def longest(self) -> int:
        """How many words a sentence may have here."""
        return SHORT if self.path.startswith(SHORT_PLACES) else LONG


def sentences(text: str) -> list[str]:
    """The sentences of a text: a block of its own, a cell or an item of a list ends one too."""
    text = re.sub(r"\$\$.*?\$\$|\$[^$\n]+\$", VALUE, text, flags=re.DOTALL)
    blocks = re.split(r"\n\s*\n|\n\s*(?:[-*#>|]|\d+\.)|\s\|\s|\|\n|;\n", text)
    ends = r"(?<=[.!?…])[)”’\"*_]*\s+(?=[\"“(*_]*[^a-z\s])"
    return [" ".join(each.split()) for block in blocks for each in re.split(ends, block)]


def words(sentence: str) -> int:
    """How many of the signs between blanks have a letter or a digit."""
    return sum(bool(re.search(r"[^\W_]", each)) for each in sentence.split())


def reading_grade(text: str) -> float:
    """Automated Readability Index of the sentences; labels, headings and cells are no sentences.

    A character is a letter or a digit, a word has one; a number counts as one word of two digits.
    """
    whole = [each for each in sentences(text) if re.search(r"[.!?][)”’\"*]*$", each)]
    read = [re.sub(r"\d[\d.,\u202f]*", "10", each) for each in whole if words(each) > 2]
    number = sum(map(words, read))
    signs = sum(len(re.findall(r"[^\W_]", each)) for each in read)
    return 4.71 * signs / number + 0.5 * number / len(read) - 21.43


def _joined(node: ast.expr) -> str | None:
    """The text of a string, of one with values in it, or of a sum that has one."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_joined(each) or VALUE for each in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _joined(node.left), _joined(node.right)
        return None if left is right is None else (left or VALUE) + (right or VALUE)
    return None


def _strings(path: str, node: ast.AST) -> Iterator[Text]:
    """Strings below a node, each whole; what is filled in is looked through as well."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        if isinstance(node.value.value, str):
            prose = re.split(r"\n *(?:Parameters|Returns|Raises)\n", node.value.value)[0]
            plain = re.sub(r"(?m)^ *>>>.*(?:\n *\S.*)*|``.*?``|`[^`\n]*`", VALUE, prose)
            command = path.startswith("dpviz/commands/") and node.col_offset == 0
            yield Text(path, node.lineno, plain, spoken=command)
        return
    said = _joined(node) if isinstance(node, ast.expr) else None
    if said is None:
        below: Iterator[ast.AST] = ast.iter_child_nodes(node)
    else:
        if " " in said.strip() and not re.search(CODE, said):
            yield Text(path, getattr(node, "lineno", 1), re.sub(r"`[^`\n]*`", VALUE, said))
        below = (each.value for each in ast.walk(node) if isinstance(each, ast.FormattedValue))
    for each in below:
        yield from _strings(path, each)


def _python(path: str, source: str) -> Iterator[Text]:
    yield from _strings(path, ast.parse(source))


def _blocks(path: str, text: str) -> Iterator[Text]:
    """Blocks of a text, each with its line."""
    line = 1
    for block in re.split(r"(\n\s*\n)", text):
        if words(block):
            yield Text(path, line, html.unescape(block))
        line += block.count("\n")


def _blank(text: str, what: str, by: str = "") -> str:
    """The text without what is found, and with as many lines as before."""
    return re.sub(what, lambda found: by + "\n" * found[0].count("\n"), text, flags=re.DOTALL)


def _markdown(path: str, source: str) -> Iterator[Text]:
    text = _blank(source, r"(?m)^( *)(`{3,}|~{3,}).*?^\1\2|<!--.*?-->|`[^`]+`|\$\$.*?\$\$", VALUE)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    yield from _blocks(path, re.sub(r"(?m)^(?=\||[-*] |#)|^\|?[-:| ]+\|?$", "\n", text))


def _template(path: str, source: str) -> Iterator[Text]:
    text = _blank(source, r"\{#.*?#\}|<(?:style|script).*?</(?:style|script)>|\{%.*?%\}")
    text = _blank(text, r"\{\{.*?\}\}", VALUE)
    text = _blank(text, r"</?(?:a|b|i|em|strong|span|code|sub|sup|abbr|small|mark)\b[^>]*>")
    yield from _blocks(path, re.sub(r"<[^>]*>", "\n\n", text).replace("\n\n\n", "\n\n"))


def _script(path: str, source: str) -> Iterator[Text]:
    found = re.finditer(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`", source)
    for each in found:
        said = re.sub(r"\$\{[^}]*\}", VALUE, each[1] or each[2] or each[3] or "")
        if re.fullmatch(r"[^<>{}=;]*\w+ \w+ \w+[^<>{}=;]*", said):
            yield Text(path, source.count("\n", 0, each.start()) + 1, said)


def _kept(path: str, source: str) -> Iterator[Text]:
    """Texts kept as JSON for a review, the numbers of a table aside."""

    def walk(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield re.sub(r"<[^>]*>|`[^`]*`", "", value)
        elif isinstance(value, (list, dict)):
            for each in value.values() if isinstance(value, Mapping) else value:
                yield from walk(each)

    lines = source.split("\n")
    for said in walk(json.loads(source)):
        start = json.dumps(said[:40], ensure_ascii=False)[:-1]
        line = next((n for n, each in enumerate(lines, 1) if start in each), 1)
        yield Text(path, line, said)


CODE = r"[{};]\s*(?:\n|$)|\b(?:SELECT|CREATE|INSERT|PRAGMA)\b|</|/>|sans-serif|\$\w|=\S+ -"
"""A string with one of these is no sentence: SQL, CSS, HTML, a shell's script."""
READERS: dict[str, Callable[[str, str], Iterator[Text]]] = {
    ".py": _python, ".md": _markdown, ".html": _template, ".js": _script, ".json": _kept,
}  # fmt: skip
DATA = ("dpviz/data/reading/headings.py",)
"""Words that are looked for in files, in many languages: no sentences."""
SOURCES = ("*.md", "app.py", "pages/*.py", "dpviz/*.py", "dpviz/*.html", "dpviz/*.js")
KEPT = ("tests/charts/words.json", "tests/teaching/texts.json")


def texts() -> Iterator[Text]:
    """All that is read: strings, templates, scripts, Markdown and the kept words."""
    listed = subprocess.check_output(["git", "ls-files", *SOURCES, *KEPT], cwd=ROOT, text=True)
    for path in sorted(set(listed.splitlines()).difference(DATA)):
        yield from READERS[Path(path).suffix](path, (ROOT / path).read_text(encoding="utf-8"))


def _phrases(phrases: Mapping[str, str]) -> Callable[[Text], Iterator[str]]:
    patterns = [
        (re.compile(rf"(?<![\w-])(?:{one})(?![\w-])", re.IGNORECASE), plain)
        for one, plain in phrases.items()
    ]

    def find(text: Text) -> Iterator[str]:
        flat = " ".join(text.says.split())
        for pattern, plain in patterns:
            for found in pattern.finditer(flat):
                around = flat[max(0, found.start() - 30) : found.end() + 30]
                yield f"“{found[0]}” ({plain}): …{around}…"

    return find


def _too_long(text: Text) -> Iterator[str]:
    if text.spoken:
        for each in sentences(text.says):
            if words(each) > text.longest:
                yield f"{words(each)} words, at most {text.longest}: {each}"


def _proselint(text: Text) -> Iterator[str]:
    for found in LintFile(text.path, text.says).lint(CONFIG) if text.spoken and text.says else ():
        result = found.check_result
        start, end = result.span
        if "lexical" in result.check_path and not re.search("[a-z]{3}", text.says[start - 1 : end]):
            continue  # a value beside a value, or a list called A beside another
        yield f"{result.check_path}: {result.message} …{text.says[max(0, start - 20) : end + 20]}…"


RULES: dict[str, Callable[[Text], Iterator[str]]] = {
    "length": _too_long,
    "phrase": _phrases(BANNED),
    "term": _phrases(TERMS),
    "proselint": _proselint,
}


@dataclass(frozen=True)
class Finding:
    """A rule that a text breaks."""

    text: Text
    rule: str
    says: str

    def __str__(self) -> str:
        return f"{self.text.path}:{self.text.line}: {self.rule}: {self.says}"


def findings(read: Iterator[Text]) -> Iterator[Finding]:
    """What breaks a rule, but for the exceptions."""
    for text in read:
        for rule, find in RULES.items():
            for says in find(text):
                if not any(text.path.startswith(p) and w in says for p, w in EXCEPTIONS):
                    yield Finding(text, rule, says)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.prose", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("paths", nargs="*", help="folders and files; all, if none is named")
    parser.add_argument("--count", action="store_true", help="count by folder and rule")
    parser.add_argument("--texts", action="store_true", help="print the texts that are read")
    options = parser.parse_args(arguments)
    chosen = tuple(path.removeprefix("./").rstrip("/") for path in options.paths) or ("",)
    read = (text for text in texts() if text.path.startswith(chosen))
    if options.texts:
        sys.stdout.writelines(f"{each.path}:{each.line}: {each.says}\n" for each in read)
        return 0
    found = list(findings(read))
    if options.count:
        places = Counter((str(Path(each.text.path).parent), each.rule) for each in found)
        lines = [f"{number:5} {place} {rule}" for (place, rule), number in sorted(places.items())]
    else:
        lines = [str(each) for each in found]
    sys.stdout.writelines(f"{line}\n" for line in (*lines, f"{len(found)} findings"))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
