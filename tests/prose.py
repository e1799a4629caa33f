"""Reads all that dpviz says and lists each sentence that breaks a rule of `RULES`.

    python -m tests.prose                        every finding; the exit code is 1 if there is one
    python -m tests.prose dpviz/pages/decide     only those of these folders and files
    python -m tests.prose --texts                the texts that are read, each with its place

Read are strings of `dpviz` with more than one word, docstrings, templates, scripts,
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
import tomllib
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
RULEBOOK: dict[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
REGISTRY = CheckRegistry()
REGISTRY.register_many(__register__)
OFF = dict.fromkeys(RULEBOOK["proselint"]["off"], False)
CHECKS = REGISTRY.get_all_enabled(OFF | DEFAULT["checks"] | OFF)
REGISTRY.get_all_enabled = lambda _config: CHECKS  # it would choose them anew for every text


@dataclass(frozen=True)
class Text:
    """A piece of prose and its place; `spoken` where somebody other than a reader of code sees it."""

    path: str
    line: int
    says: str
    spoken: bool = True


def sentences(text: str) -> list[str]:
    """The sentences of a text: a block of its own, a cell or an item of a list ends one too."""
    text = re.sub(r"\$\$.*?\$\$|\$[^$\n]+\$", VALUE, text, flags=re.DOTALL)
    blocks = re.split(r"\n\s*\n|\n\s*(?:[-*#>|]|\d+\.)|\s\|\s|\|\n|;\n", text)
    ends = r"(?<=[.!?…])[)”’\"*_]*\s+(?=[\"“(*_]*(?:dpviz|[^a-z\s]))"
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


def _markup(path: str, source: str) -> Iterator[Text]:
    """Blocks of Markdown or of a template, each with its line."""
    for what, by in MARKUP[Path(path).suffix]:
        source = re.sub(
            what,
            lambda found, by=by: found.expand(by) + "\n" * found[0].count("\n"),
            source,
            flags=re.S,
        )
    line = 1
    for block in re.split(r"(\f|\n\s*\n|\n(?=[-*#|] ?))", source):
        if words(block):
            yield Text(path, line, html.unescape(block))
        line += block.count("\n")


def _script(path: str, source: str) -> Iterator[Text]:
    for each in re.finditer(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`", source):
        said = re.sub(r"\$\{[^}]*\}", VALUE, each[1] or each[2] or each[3] or "")
        if re.fullmatch(r"[^<>{}=;]*\w+ \w+ \w+[^<>{}=;]*", said):
            yield Text(path, source.count("\n", 0, each.start()) + 1, said)


def _kept(path: str, source: str) -> Iterator[Text]:
    """Texts kept as JSON for a review, one on a line."""
    for number, line in enumerate(source.split("\n"), 1):
        if re.fullmatch(r'\s*".*",?', line) and not line.endswith("{"):
            said = json.loads(line.strip().rstrip(","))
            yield Text(path, number, re.sub(r"<[^>]*>|`[^`]*`", "", said))


CODE = (
    r"[{};]\s*(?:\n|$)|\b(?:SELECT|CASE|CREATE|INSERT|PRAGMA)\b|</|/>|sans-serif|\w>\w|\$\w|=\S+ -"
)
"""A string with one of these is no sentence: SQL, CSS, HTML, a shell's script."""
MARKUP = {
    ".md": [
        (r"(?m)^( *)(`{3,}|~{3,}).*?^\1\2|<!--.*?-->|``.*?``|`[^`]+`|\$\$.*?\$\$", VALUE),
        (r"!?\[([^\]]*)\]\([^)]*\)", r"\1"),
    ],
    ".html": [
        (r"\{#.*?#\}|<(?:style|script).*?</(?:style|script)>|\{%.*?%\}", ""),
        (r"\{\{.*?\}\}", VALUE),
        (r"</?(?:a|b|i|em|strong|span|code|sub|sup|abbr|small|mark)\b[^>]*>", ""),
        (r"<[^>]*>", "\f"),
    ],
}
"""Code and signs that are taken out of a text, and what stands for them."""
READERS: dict[str, Callable[[str, str], Iterator[Text]]] = {
    ".py": lambda path, source: _strings(path, ast.parse(source)),
    ".md": _markup, ".html": _markup, ".js": _script, ".json": _kept,
}  # fmt: skip


def texts(*places: str) -> Iterator[Text]:
    """All that is read in files whose paths begin so: strings, templates, scripts, Markdown and the
    kept words.
    """
    listed = subprocess.check_output(["git", "ls-files", *RULEBOOK["sources"]], cwd=ROOT, text=True)
    for path in (path for path in listed.splitlines() if path.startswith(places)):
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
    length = RULEBOOK["length"]
    most = length["short" if text.path.startswith(tuple(length["short_places"])) else "long"]
    for each in sentences(text.says) if text.spoken else ():
        if words(each) > most:
            yield f"{words(each)} words, at most {most}: {each}"


def _proselint(text: Text) -> Iterator[str]:
    for found in LintFile(text.path, text.says).lint() if text.spoken and text.says else ():
        result = found.check_result
        start, end = result.span
        if "lexical" in result.check_path and not re.search("[a-z]{3}", text.says[start - 1 : end]):
            continue  # a value beside a value, or a list called A beside another
        yield f"{result.check_path}: {result.message} …{text.says[max(0, start - 20) : end + 20]}…"


_spoken = _phrases(RULEBOOK["spoken"])
RULES: dict[str, Callable[[Text], Iterator[str]]] = {
    "length": _too_long,
    "phrase": _phrases(RULEBOOK["banned"]),
    "spoken": lambda text: _spoken(text) if text.spoken else iter(()),
    "term": _phrases(RULEBOOK["terms"]),
    "proselint": _proselint,
}


def findings(text: Text) -> Iterator[str]:
    """Each rule that a text breaks, with the place, but for the exceptions."""
    for rule, find in RULES.items():
        for says in find(text):
            if not any(
                text.path.startswith(one["path"]) and one["says"] in says
                for one in RULEBOOK["exception"]
            ):
                yield f"{text.path}:{text.line}: {rule}: {says}"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.prose", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("paths", nargs="*", help="folders and files; all, if none is named")
    parser.add_argument("--texts", action="store_true", help="print the texts that are read")
    options = parser.parse_args(arguments)
    chosen = tuple(path.removeprefix("./").rstrip("/") for path in options.paths) or ("",)
    shown = (lambda text: [f"{text.path}:{text.line}: {text.says}"]) if options.texts else findings
    lines = [f"{line}\n" for text in texts(*chosen) for line in shown(text)]
    sys.stdout.writelines(lines)
    return bool(lines) and not options.texts


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
