"""Letters of a text: certain in UTF-8 or with a byte order mark, else guessed by chardet."""

import codecs
import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice, pairwise
from typing import Final

from dpviz.base import ParameterError
from dpviz.data.reading.input_rules import IngestError, Remark, quote_value

_SAMPLE: Final = 200_000  # bytes
_FEW: Final = 10_000
_WORDS: Final = 200
_MARKS: Final = {  # the longer first: the mark of UTF-32 starts with that of UTF-16
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SWITCHES: Final = (
    b"\x1b$",
    b"\x1b(",
    b"~{",
)  # by which encodings of seven bits change the alphabet
_CONTROLS: Final = re.compile(rb"[\0-\x08\x0b\x0e-\x19\x1c-\x1f]")
_RARE_CONTROLS: Final = re.compile("[\x80-\x84\x86-\x9f]")  # in no text, but in wrong guesses
_ODD: Final = re.compile(  # signs inside a word, and words of two scripts
    r"(?<=[^\W\d_])[^\w\s\x00-\x7f\u2018\u2019ʼ´·](?=[^\W\d_])"
    r"|(?<=[A-Za-z])[\u0370-\u06ff]|[\u0370-\u06ff](?=[A-Za-z])"
)
_ICELANDIC: Final = re.compile("[ðþ]", re.IGNORECASE)
_NEVER_BESIDE: Final = re.compile("[õü]", re.IGNORECASE)  # as no language has both
_USUAL: Final = re.compile(
    "cp(?:932|949|850|866|874|125[0-8])|iso8859-(?:[125-9]|15)|koi8-[ru]|mac-roman|tis-620"
    "|shift_jis|euc_jp|iso2022_jp|gb18030|big5|euc_kr"
)
_SINGLE_BYTE: Final = re.compile("cp125|iso8859|latin|mac|koi8")
_RARE: Final = 0.65  # of the confidence in an encoding that few files have
_WESTERN: Final = 0.35  # more confidence in the commonest, over the number of letters that tell


def decode_text(name: str, content: bytes, encoding: str | None = None) -> str:
    """Text of a file: by its byte order mark, else in `encoding`, else in the likeliest one."""
    if encoding is not None:
        check_encoding(encoding)
    codec = _marked_encoding(content) or encoding or find_encoding(content)
    try:
        text = content.decode(codec)
    except UnicodeError as err:
        line = content.count(b"\n", 0, getattr(err, "start", 0)) + 1
        called = codec.upper().removesuffix("-SIG")
        raise IngestError(
            f"{quote_value(name)} is not {called} text (line {line}): save it as UTF-8, or say"
            " which encoding it has."
        ) from err
    if "\0" in text:
        raise IngestError(
            f"{quote_value(name)} holds binary data, not text: it may be another kind of file."
        )
    return text


def check_encoding(encoding: str) -> None:
    """Raise unless Python knows a text encoding of this name."""
    try:
        b"a".decode(encoding)
    except UnicodeError:  # it is known
        return
    except (LookupError, TypeError, ValueError):
        allowed = "a text encoding that Python knows, such as utf-8, cp1252 or shift_jis"
        raise ParameterError("encoding", encoding, allowed, "choice") from None


def find_encoding(content: bytes) -> str:
    """Encoding of a text by its byte order mark, else the likeliest one."""
    return _marked_encoding(content) or guess_legacy_encoding(content) or "utf-8"


def guess_legacy_encoding(content: bytes) -> str | None:
    """Likeliest encoding of a text that has no mark and is not UTF-8, else None."""
    if _marked_encoding(content):
        return None
    if (wide := _wide(content[:_SAMPLE])) is not None:
        return wide
    if not is_text(content):
        return None
    if not any(switch in content[:_SAMPLE] for switch in _SWITCHES):
        with suppress(UnicodeDecodeError):
            content.decode("utf-8")
            return None
    guessed = next((name for name in likely_encodings(content) if _fits(content, name)), "latin-1")
    if guessed != "cp1252" and _gives(content, "cp1252") == _gives(content, guessed):
        return "cp1252"  # of encodings that give the same letters the commonest is told
    return guessed


def _gives(content: bytes, name: str) -> str | None:
    """Text in an encoding, or None where it is not one."""
    with suppress(UnicodeError, LookupError):
        return content.decode(name)
    return None


def is_text(content: bytes) -> bool:
    """True for text of one byte or more a letter, which has no control characters."""
    return _CONTROLS.search(content[:_SAMPLE]) is None


def likely_encodings(content: bytes) -> Iterable[str]:
    """Encodings in which a text without a mark can be read, the likeliest first."""
    import chardet  # noqa: PLC0415 - only texts of old encodings need it

    sample = content[: max(content.rfind(b"\n", 0, _SAMPLE), 0) or _SAMPLE]
    if _holds_signs_only(sample):
        yield "cp1252"
    era = chardet.EncodingEra
    found = chardet.detect_all(
        sample,
        ignore_threshold=True,
        encoding_era=era.ALL & ~era.MAINFRAME,
        compat_names=False,
    )
    likely = {name: each["confidence"] for each in found if (name := each["encoding"]) is not None}
    for name in likely:
        text = sample[:_FEW].decode(name, "replace")
        likely[name] *= (1.0 if _USUAL.fullmatch(name) else _RARE) * (1.0 - 2.0 * _oddness(text))
    if "cp1252" in likely:
        likely["cp1252"] *= 1.0 + _WESTERN / max(sum(byte > 127 for byte in sample), 1)
    for name in sorted(likely, key=likely.__getitem__, reverse=True):
        if _fits(sample, name):
            yield name


def _oddness(text: str) -> float:
    """Share of the letters outside ASCII that do not belong where they stand; at most a half."""
    letters = sum(not sign.isascii() for sign in text)
    capitals = sum(
        after.isupper() and not after.isascii() and before.islower()
        for before, after in pairwise(text)
    )
    foreign = len(_ICELANDIC.findall(text)) if _NEVER_BESIDE.search(text) else 0
    return min((capitals + foreign + len(_ODD.findall(text))) / max(letters, 1), 0.5)


def _marked_encoding(content: bytes) -> str | None:
    return next((name for mark, name in _MARKS.items() if content.startswith(mark)), None)


def _wide(sample: bytes) -> str | None:
    """UTF-16 by its zero bytes, if every other byte is zero in most places."""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if len(sample) >= 2 and max(even, odd) > 0.6 * (len(sample) / 2) > 4 * min(even, odd):
        return "utf-16-le" if odd > even else "utf-16-be"
    return None


def _holds_signs_only(sample: bytes) -> bool:
    """True if all that is not ASCII are signs of Western texts, such as € or –."""
    signs = {sign for sign in sample.decode("cp1252", "replace") if not sign.isascii()}
    return bool(signs) and not any(sign.isalnum() or sign == "\ufffd" for sign in signs)


def _fits(content: bytes, name: str) -> bool:
    text = _gives(content, name)
    return text is not None and _RARE_CONTROLS.search(text) is None


def encoding_remark(content: bytes, encoding: str, choice_limit: int = 2) -> Remark | None:
    """Remark on a guessed encoding, with other likely ones; None if all letters are ASCII."""
    now = first_non_ascii_cells(content, encoding)
    if not now:
        return None
    mends: dict[str, dict[str, str]] = {}
    for name in islice(likely_encodings(content), 10) if encoding[:3] != "utf" else ():
        word = next(
            (
                new
                for new, old in zip(first_non_ascii_cells(content, name), now, strict=False)
                if new != old
            ),
            None,
        )
        if word is not None and word.isprintable():
            mends.setdefault(f"Read it as “{word}”", {"encoding": name})
    listed = ", ".join(f"“{word}”" for word in now[:3])
    mixed = _SINGLE_BYTE.match(encoding) is not None and _has_utf8_line(content[:_SAMPLE])
    label = re.sub("^CP(?=125)", "Windows-", encoding.upper())
    return Remark(
        says=f"Its letters are read as {label}: {listed}."
        + (" Other lines are UTF-8." if mixed else ""),
        mends=dict(islice(mends.items(), choice_limit)),
        asks=mixed,
        kept={"encoding": encoding} if mixed else {},
    )


def _has_utf8_line(content: bytes) -> bool:
    """True for a line of UTF-8 letters, in a text that is none as a whole."""
    return any(
        not line.isascii() and _gives(line, "utf-8") is not None for line in content.splitlines()
    )


def first_non_ascii_cells(content: bytes, encoding: str) -> tuple[str, ...]:
    """First non-ASCII cells of a text in this encoding."""
    cells = (
        cell.strip(" \"'")[:40]
        for line in content[:_SAMPLE].decode(encoding, "replace").splitlines()
        for cell in re.split("[\t;,|]", line)
    )
    return tuple(islice(dict.fromkeys(cell for cell in cells if not cell.isascii()), _WORDS))
