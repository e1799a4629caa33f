"""The documentation site: it builds, holds every public name, its links lead somewhere."""

import doctest
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest
from sphinx.util.inventory import InventoryFile

import dpviz
import dpviz.charts
from assets.docs.parts.names import modules, public
from dpviz.__main__ import _parser
from dpviz.base.arrays import cached_property
from dpviz.base.former_names import FormerClassMethod
from dpviz.base.glossary import GLOSSARY
from dpviz.commands import COMMANDS
from dpviz.teaching.session_file import read_session
from tests.charts.test_every_chart import chart_functions
from tests.charts.test_every_chart import modules as modules_of
from tests.docs.test_hosting import COMMANDS as HOSTING
from tests.site import ROOT, SOURCES, Site, built

pytestmark = pytest.mark.timeout(
    1_800
)  # a build of one minute, on a machine that is busy with others
MARKDOWN = sorted(SOURCES.rglob("*.md"))
LOADS = dict.fromkeys(("script", "img", "iframe", "source", "embed"), "src") | {"object": "data"}
FENCES = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return built(tmp_path_factory)


class Tags(HTMLParser):
    """What a page links to, what it loads by itself, and its anchors."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.styles: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.anchors |= {told[name] for name in ("id", "name") if name in told}
        self.styles.append(told.get("style", ""))
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        elif tag == "link" and told.get("rel") not in {"index", "search", "next", "prev"}:
            self.loads.append(told["href"])
        elif tag in LOADS and LOADS[tag] in told:
            self.loads.append(told[LOADS[tag]])


@pytest.fixture(scope="module")
def tags(site: Site) -> dict[Path, Tags]:
    return {page: Tags(page) for page in site.pages}


def test_it_builds_without_a_warning(site: Site) -> None:
    assert (site.code, site.said) == (0, "")


@pytest.fixture(scope="module")
def told(site: Site) -> set[str]:
    """Every name that has its place in the reference."""
    with (site.folder / "objects.inv").open("rb") as packed:
        held = InventoryFile.load(packed, "", lambda *parts: "/".join(parts))
    return {name for kind, names in held.items() if kind.startswith("py:") for name in names}


def test_every_public_name_is_in_the_reference(told: set[str]) -> None:
    assert {f"dpviz.{name}" for name in dpviz.__all__} <= told
    missing = set()
    for module in modules():
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if isinstance(value, ModuleType):
                continue  # its own names stand in its own list
            if not getattr(value, "__module__", "dpviz").startswith("dpviz"):
                continue  # Jinja2's, handed on
            homes = {
                full for full, one in public().items() if one.name == name and one.value is value
            }
            missing |= set() if homes & told else {f"{module.__name__}.{name}"}
    assert missing == set()


def test_every_public_member_is_in_the_reference(told: set[str]) -> None:
    classes = {full: one.value for full, one in public().items() if isinstance(one.value, type)}
    members = {
        f"{full}.{name}"
        for full, cls in classes.items()
        for name, value in (
            (name, getattr(cls, name))
            for name, held in vars(cls).items()
            if not name.startswith("_") and not isinstance(held, FormerClassMethod)
        )
        if isinstance(value, property | cached_property) or getattr(value, "__name__", "") == name
    }
    assert len(members) > 400
    assert members - told == set()


def test_docstrings_are_read_as_they_are_meant(site: Site) -> None:
    """No backtick is left over, no type is made of a sentence, and names are links."""
    pages = {
        page.stem: re.sub(r"<pre>.*?</pre>", "", _whole(page))
        for page in (site.folder / "reference").glob("*.html")
    }
    assert [name for name, text in pages.items() if "`" in text or "Type:" in text] == []
    link = r'href="(?:dpviz\.html)?#dpviz\.Cancelled"'
    assert [name for name in ("dpviz", "margin") if not re.search(link, pages[name])] == []


def _whole(page: Path) -> str:
    """The page on one line, without its scripts."""
    return re.sub(r"<script.*?</script>", "", " ".join(page.read_text(encoding="utf-8").split()))


def test_every_link_within_the_site_leads_somewhere(site: Site, tags: dict[Path, Tags]) -> None:
    dead = []
    for page, found in tags.items():
        for link in found.links:
            url = urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = (page.parent / unquote(url.path)).resolve() if url.path else page
            anchors = tags[target].anchors if target in tags else set()
            if not target.is_file() or (url.fragment and unquote(url.fragment) not in anchors):
                dead.append(f"{page.relative_to(site.folder)}: {link}")
    assert dead == []
    assert sum(len(found.links) for found in tags.values()) > 1000


def test_nothing_is_loaded_from_another_host(site: Site, tags: dict[Path, Tags]) -> None:
    loaded = [link for found in tags.values() for link in found.loads]
    assert [
        link
        for link in loaded
        if urlsplit(link).scheme not in {"", "data"} or urlsplit(link).netloc
    ] == []
    sheets = [sheet.read_text(encoding="utf-8") for sheet in site.folder.rglob("*.css")]
    sheets += [style for found in tags.values() for style in found.styles]
    urls = [
        url
        for text in sheets
        for url in re.findall(r"url\(\s*['\"]?([^'\")]*)|@import\s+['\"]([^'\"]*)", text)
    ]
    assert [url for pair in urls for url in pair if re.match(r"(https?:)?//", url)] == []
    assert urls
    assert len(loaded) > 100


def test_what_pages_load_is_there(site: Site, tags: dict[Path, Tags]) -> None:
    asked = {
        (page.parent / urlsplit(link).path) for page, found in tags.items() for link in found.loads
    }
    asked |= {site.folder / "_static" / name for name in re.findall(r"url\(\"([^\"]*)", _sheet())}
    assert [path for path in asked if path.name and not path.is_file()] == []


def _sheet() -> str:
    return (SOURCES / "parts" / "site.css").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", MARKDOWN, ids=lambda page: page.relative_to(SOURCES).as_posix())
def test_every_block_of_code_is_one_that_is_run(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.count("```") == 2 * len(FENCES.findall(text))
    for kind, code in FENCES.findall(text):
        if kind in {"python", "pycon"}:  # by doctest, as testpaths has all of assets/docs
            assert doctest.DocTestParser().get_examples(code)
            assert all(line.startswith((">>> ", "... ")) for line in code.splitlines()[:1])
        elif kind == "sh":
            for line in code.splitlines():
                _check_command(line)
        elif kind == "text":  # what takes data that are not here: commands, and what they gave
            for line in re.findall(r"^\$ (.*)$", code, re.MULTILINE):
                _check_command(line)
        elif kind == "toml":
            assert read_session(code).lessons
        else:  # the build runs `run`, tests/commands runs `console`; the others hold no code
            directives = {"{run}", "{live}", "{toctree}", "{include}", "{literalinclude}"}
            assert kind in {"console", *directives}


def _check_command(line: str) -> None:
    """Commands of ours are read by the command line itself; tests/installed.py installs,
    test_hosting.py hosts.
    """
    program, *argv = shlex.split(line.removeprefix("python -m "))
    if program == "dpviz":
        _parser(argv).parse_args(argv)
    else:
        assert line == "pip install ." or line in HOSTING or program == "systemctl"


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / ".github").glob("*.md"))], ids=lambda p: p.name
)
def test_links_of_pages_beside_the_site_lead_somewhere(page: Path) -> None:
    links = [
        urlsplit(link) for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    ]
    within = [(page.parent / link.path, link.fragment) for link in links if not link.scheme]
    assert [path for path, _ in within if not path.exists()] == []
    assert [(path, name) for path, name in within if name and name not in _headings(path)] == []
    named = re.findall(
        r"`((?:dpviz|pages|tests|assets)/[^`\s]*)`", page.read_text(encoding="utf-8")
    )
    assert [
        name for name in named if not re.search("NAME|WING", name) and not (ROOT / name).exists()
    ] == []
    assert within


def _headings(page: Path) -> set[str]:
    """The headings as links name them."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return {line.lstrip("# ").lower().replace(" ", "-") for line in lines if line.startswith("#")}


def test_every_chart_function_is_in_the_gallery() -> None:
    shown = "".join(page.read_text(encoding="utf-8") for page in (SOURCES / "gallery").glob("*.md"))
    functions = {function.__name__ for function in chart_functions(list(modules_of(dpviz.charts)))}
    uncalled = {name for name in functions if not re.search(rf"\b{name}\(", shown)}
    assert uncalled == {"line_chart"}  # which others are made of; the page on noise calls it
    assert "line_chart(" in (SOURCES / "computed" / "scores-and-noise.md").read_text(
        encoding="utf-8"
    )


def test_every_command_and_word_is_told(site: Site) -> None:
    pages = {
        page.stem: page.read_text(encoding="utf-8")
        for page in (site.folder / "commands").glob("*.html")
    }
    assert pages.keys() == {*COMMANDS}
    assert [name for name, told in pages.items() if f"usage: dpviz {name} " not in told] == []
    words = (site.folder / "glossary.html").read_text(encoding="utf-8")
    assert [
        term.word for term in GLOSSARY.values() if f">{term.word_with_symbol}<" not in words
    ] == []


def test_tests_that_hold_a_statement_are_there() -> None:
    named = re.findall(r"`(tests/\S+?)`", (SOURCES / "papers.md").read_text(encoding="utf-8"))
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).is_file()] == []
