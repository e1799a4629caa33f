import re

from dpviz.base.glossary import GLOSSARY
from dpviz.web.widgets.text import glossary_term


def test_a_word_has_one_definition_and_a_definition_one_word() -> None:
    for said in (
        [entry.word for entry in GLOSSARY.values()],
        [entry.says for entry in GLOSSARY.values()],
    ):
        assert len(set(said)) == len(said)
    symbols = [entry.symbol for entry in GLOSSARY.values() if entry.symbol]
    assert len(set(symbols)) == len(symbols)


def test_definitions_are_sentences_without_code() -> None:
    for name, entry in GLOSSARY.items():
        assert entry.says[0].isupper(), name
        assert entry.says.endswith("."), name
        assert not re.search(r"[_<>]", entry.says), name


def test_a_word_in_a_sentence_carries_its_definition() -> None:
    assert glossary_term("h", "h") == f'<dfn class="dp-term" title="{GLOSSARY["h"].says}">h</dfn>'
