"""`app`: the app, in a browser on this machine.

Invariants: the app's files and settings are those that came with this very package; `serve` is for more people than
one process can answer at once.
"""

import os
import runpy
import sys
import tomllib
from pathlib import Path
from typing import NoReturn

from dpviz.base import APP_FOLDER, OPENS_ON, THEME, Progress
from dpviz.commands.base import Args, Command, Parser
from dpviz.commands.options import Option, add_options
from dpviz.commands.serve import TEACH, WHERE, app_command, check_free, keep_teach_key, site_of
from dpviz.studies import Scenario

_THEMES = ("light", "dark")


def _add(parser: Parser) -> None:
    add_options(
        parser,
        "where and how",
        *WHERE,
        TEACH,
        Option("--theme", choices=_THEMES, help="default: as the browser has it"),
        Option("--scenario", metavar="FILE", help="a scenario saved by the app, to open on"),
        Option("--no-browser", action="store_true", help="open no browser"),
    )


def _run(args: Args, progress: Progress) -> NoReturn:
    site = site_of(args)
    keep_teach_key(args.teach_key)
    if args.scenario is not None:
        _open_on(Path(args.scenario))
    check_free(site)
    options: dict[str, object] = {"server.address": site.address, "server.port": site.port}
    if args.theme is not None:
        options |= _in_theme(args.theme)
        os.environ[THEME] = args.theme
    options |= {"server.headless": "true"} if args.no_browser else {}
    sys.argv = ["streamlit", *app_command(options, site)]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)  # in this process, which hears Ctrl-C itself
    sys.exit(0)


def _in_theme(theme: str) -> dict[str, str]:
    """The settings of this theme for both: the browser chooses between them by itself."""
    themes = tomllib.loads((APP_FOLDER / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
    options = {name: value for name, value in themes[theme].items() if isinstance(value, str)}
    return {f"theme.{each}.{name}": value for each in _THEMES for name, value in options.items()}


def _open_on(file: Path) -> None:
    """Read it now, so that what is wrong with it is told here; every visitor's session reads it again."""
    Scenario.from_json(file.read_bytes())
    os.environ[OPENS_ON] = str(file.resolve())


COMMAND = Command(
    add=_add,
    run=_run,
    examples=("--port 8600 --theme dark", "--scenario votes.json", "--with my_module.py"),
    answers=False,
)
