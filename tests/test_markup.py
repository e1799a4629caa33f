"""HTML is made in one place: only `base/html` escapes, takes tags apart or shows HTML."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MARKUP = "dpviz/base/html.py"
ONTO_THE_SCREEN = "dpviz/web/widgets/elements.py"  # `html`, the one way there
_TAG = re.compile(r"<(?:/?[a-z]|\[\^|\.|\\w)", re.IGNORECASE)
_MAY_HAVE = re.compile(rf"html|<[\"'{{]|{_TAG.pattern}", re.IGNORECASE)
_MODULES = {"html", "xml.sax.saxutils", "html.parser"}
_CUT = {"split", "rsplit", "partition", "replace"}
_OF_RE = {"compile", "findall", "finditer", "fullmatch", "match", "search", "split", "sub"}


def _text(node: ast.AST) -> str:
    """What is literal in a string or f-string, also one added up."""
    return "".join(
        str(n.value)
        for n in ast.walk(node)
        if isinstance(n, ast.Constant) and isinstance(n.value, str)
    )


def faults(source: str) -> Iterator[str]:
    """What makes or unmakes HTML by hand in a module's source."""
    if not _MAY_HAVE.search(source):  # most modules: nothing to take apart
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and any(
            name.name.split(".")[0] == "html" for name in node.names
        ):
            yield f"line {node.lineno}: imports html"
        if isinstance(node, ast.ImportFrom) and node.module in _MODULES:
            yield f"line {node.lineno}: imports from {node.module}"
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        of, name = ast.unparse(node.func.value), node.func.attr
        if (of, name) == ("st", "html"):
            yield f"line {node.lineno}: shows HTML by itself"
        if any(word.arg == "unsafe_allow_html" for word in node.keywords):
            yield f"line {node.lineno}: lets HTML through"
        if name in _CUT and any(_TAG.search(_text(one)) for one in node.args):
            yield f"line {node.lineno}: takes tags apart"
        if of == "re" and name in _OF_RE and _TAG.search(_no_groups(node.args[0])):
            yield f"line {node.lineno}: looks for tags"


def _no_groups(pattern: ast.AST) -> str:
    return re.sub(r"\(\?P?<[\w=!]+>?", "", _text(pattern))


def test_nothing_else_makes_html_by_hand() -> None:
    files = [*(ROOT / "dpviz").rglob("*.py"), *(ROOT / "pages").rglob("*.py"), ROOT / "app.py"]
    told = {
        name: list(faults(file.read_text(encoding="utf-8")))
        for file in files
        if (name := file.relative_to(ROOT).as_posix()) != MARKUP
    }
    wrong = {name: lines for name, lines in told.items() if lines}
    assert list(wrong) == [ONTO_THE_SCREEN], wrong
    assert len(wrong[ONTO_THE_SCREEN]) == 1, wrong


@pytest.mark.parametrize(
    "planted",
    [
        "import html",
        "from html.parser import HTMLParser",
        "st.html(f'<p>{name}</p>')",
        "st.markdown(f'<b>{name}</b>', unsafe_allow_html=True)",
        "name = told.replace('<bdi>', '').replace('</bdi>', '')",
        "name = re.sub(r'<[^>]+>', '', head)",
        "name = re.compile(r'<small>.*?</small>').sub('', head)",
        "body.rpartition('a') or text.partition(f'</body>{x}')",
    ],
)
def test_html_by_hand_is_caught(planted: str) -> None:
    assert list(faults(planted))
