"""Paths of the app's files, and the environment variables that the app reads."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_INSTALLED = (_PACKAGE / "app").is_dir()
# It holds app.py, pages/, .streamlit/ and the assets, in a checkout and where dpviz is installed.
APP_FOLDER = _PACKAGE / "app" if _INSTALLED else _PACKAGE.parent

PROGRAM = "dpviz" if _INSTALLED else "python -m dpviz"

OPENS_ON = "DPVIZ_SCENARIO"
"""Environment variable: the scenario file on which the app opens."""

REACHED_AT = "DPVIZ_REACHED_AT"
"""Environment variable: the address at which other machines reach the app, where it is known."""

OPEN_METRICS = "DPVIZ_METRICS"
"""Environment variable: set where Streamlit's metrics are to be answered."""

WITH = "DPVIZ_WITH"
"""Environment variable: a module or file of the user's own mechanisms, put on the menus."""

THEME = "DPVIZ_THEME"
"""Environment variable: "light" or "dark", where the browser must not choose the theme."""
