"""The fonts that go along: those of the app for text and code, and one for formulas, so that
nothing is fetched.

Source Sans and Source Code come with Streamlit, STIX Two Math with the package ziamath, cut down to
the signs that formulas use; all three are under the SIL Open Font Licence.
"""

import logging
import shutil
from importlib.resources import files
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx

__all__ = ["setup"]

_TEXT = {
    "SourceSans.woff2": "SourceSansVF-Upright.*.woff2",
    "SourceSans-Italic.woff2": "SourceSansVF-Italic.*.woff2",
    "SourceCode.woff2": "SourceCodeVF-Upright.*.woff2",
}
_SIGNS = (
    *((0x20, 0x7E), (0xA0, 0xFF), (0x391, 0x3F5), (0x2010, 0x2040)),
    *((0x2100, 0x2138), (0x2190, 0x21D5), (0x2200, 0x22FF), (0x27E8, 0x27EB)),
    *((0x1D434, 0x1D467), (0x1D6FC, 0x1D71B)),  # italic letters, latin and greek
)


def _write(app: Sphinx) -> None:
    folder = Path(app.outdir, "_static")
    folder.mkdir(parents=True, exist_ok=True)
    there = Path(str(files("streamlit"))) / "static" / "static" / "media"
    for name, pattern in _TEXT.items():
        (found,) = there.glob(pattern)
        shutil.copyfile(found, folder / name)
    font = TTFont(Path(str(files("ziamath"))) / "fonts" / "STIXTwoMath-Regular.ttf")
    logging.getLogger("fontTools.subset").setLevel(logging.WARNING)
    cut = subset.Subsetter(
        subset.Options(layout_features=["ssty", "dtls"])
    )  # smaller signs above and below a line
    cut.populate(unicodes=[code for first, last in _SIGNS for code in range(first, last + 1)])
    cut.subset(font)
    font.flavor = "woff"
    font.save(folder / "STIXTwoMath.woff")


def setup(app: Sphinx) -> None:
    """Put them beside the pages."""
    app.connect("builder-inited", _write)
