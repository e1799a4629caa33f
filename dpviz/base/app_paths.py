"""Where the app's files are: beside `dpviz/` in a checkout, in `dpviz/app/` where dpviz is
installed.

Invariant: `APP_FOLDER` holds app.py, pages/, .streamlit/ and the assets that are used, in the same
places in both.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_INSTALLED = (_PACKAGE / "app").is_dir()
APP_FOLDER = _PACKAGE / "app" if _INSTALLED else _PACKAGE.parent

PROGRAM = "dpviz" if _INSTALLED else "python -m dpviz"
"""How a command line begins here."""

OPENS_ON = "DPVIZ_SCENARIO"
"""The variable of the environment that names the scenario file on which the app opens."""

REACHED_AT = "DPVIZ_REACHED_AT"
"""The variable that holds the address at which other machines reach the app, where that was found
out.
"""

WITH = "DPVIZ_WITH"
"""The variable that names a module or file of one's own mechanisms, to be on the menus."""

THEME = "DPVIZ_THEME"
"""The variable that holds the one theme there is, "light" or "dark", where the browser is not to
choose it.
"""
