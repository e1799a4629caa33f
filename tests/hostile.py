"""Texts that would do harm if a page took them for markup, and what a page holds if it did not."""

from html.parser import HTMLParser

HOSTILE = """<img src=x onerror="a('1')">&amp;</title></script><script>alert(2)</script>"""


class _Read(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(page: str) -> tuple[list[tuple[str, dict[str, str | None]]], str]:
    """The tags of a page with their attributes, and its text."""
    reader = _Read()
    reader.feed(page)
    reader.close()
    return reader.tags, "".join(reader.texts)


def times_told(page: str) -> int:
    """How often a page shows the hostile text; fails where any of it became markup."""
    tags, text = read(page)
    assert not [attributes for tag, attributes in tags if tag == "img" or "onerror" in attributes]
    assert "alert(2)" not in [text.strip() for text in text.split(HOSTILE)]
    assert page.count("<script>alert(2)") == 0
    attributes = [value for _, held in tags for value in held.values() if value]
    return text.count(HOSTILE) + sum(value.count(HOSTILE) for value in attributes)
