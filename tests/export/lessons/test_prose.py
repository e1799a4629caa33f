"""A lesson's text as HTML: all of what lessons are written in."""

import re

import pytest

from dpviz.export.lessons.prose import blocks, paragraphs, render_inline
from dpviz.teaching.lessons import LESSONS


def test_paragraphs_lists_and_tables() -> None:
    text = (
        "One *and* **two**\ngoes on.\n\n1. a\n2. b\n   more\n\n| A | B |\n| :-- | --: |\n| x | 1"
        " |\n| y | 2 |"
    )
    told = [block.html for block in blocks(text)]
    assert told[0] == "<p>One <em>and</em> <b>two</b> goes on.</p>"
    assert told[1] == "<ol><li>a</li><li>b more</li></ol>"
    assert (
        told[2] == "<table><thead><tr><th>A</th><th"
        ' class="number">B</th></tr></thead><tbody><tr><td>x</td><td'
        ' class="number">1</td></tr><tr><td>y</td><td class="number">2</td></tr></tbody></table>'
    )
    assert "".join(told) == paragraphs(text)


def test_no_text_becomes_a_tag() -> None:
    assert render_inline("<b>a</b> & <0.1") == "&lt;b&gt;a&lt;/b&gt; &amp; &lt;0.1"
    assert paragraphs("| <i> |\n| :-- |\n| <script> |") == (
        "<table><thead><tr><th>&lt;i&gt;</th></tr></thead><tbody><tr><td>&lt;script&gt;</td></tr></tbody></table>"
    )


def test_a_times_sign_of_two_stars_apart_stays() -> None:
    assert render_inline("2 * 3 * 4") == "2 * 3 * 4"


@pytest.mark.parametrize("key", LESSONS)
def test_every_lesson_is_written_in_what_is_known(key: str) -> None:
    for step in LESSONS[key].steps:
        told = paragraphs(step.text)
        assert not re.search(r"\*\*|`|\||\]\(|<p>#|<p>&gt;|<p>[-*] ", told), told
