"""`app`: the app, in a browser on this machine."""

import ipaddress
import os
import runpy
import socket
import sys
import tomllib
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

from dpviz.base import APP_FOLDER, OPENS_ON, REACHED_AT, THEME, ParameterError, Progress
from dpviz.base.resource_budgets import supported_user_count
from dpviz.commands.base import Args, Command, print_to_stderr
from dpviz.commands.options import Option, OptionGroup
from dpviz.commands.site import (
    LOCAL,
    TEACH,
    WHERE,
    Site,
    app_command,
    check_address_free,
    parse_site,
    set_teach_key_variable,
)
from dpviz.studies import Scenario

_THEMES = ("light", "dark")


def _run(args: Args, progress: Progress) -> NoReturn:
    session = getattr(args, "class")
    if session is not None and args.address == LOCAL:
        args.address = "0.0.0.0"  # noqa: S104 - phones are to reach it
    site = parse_site(args)
    if session is not None:
        _for_a_class(site, session)
    set_teach_key_variable(args.teach_key)
    if args.scenario is not None:
        file = Path(args.scenario)
        Scenario.from_json(file.read_bytes())  # its errors show now; each session reads it again
        os.environ[OPENS_ON] = str(file.resolve())
    check_address_free(site)
    print_to_stderr(
        f"Memory and open files are enough for about {supported_user_count():,} people at once."
    )
    options: dict[str, object] = {"server.address": site.address, "server.port": site.port}
    if session is not None:  # what it prints and opens is that too
        options["browser.serverAddress"] = urlsplit(os.environ[REACHED_AT]).hostname
    if args.theme is not None:
        options |= _in_theme(args.theme)
        os.environ[THEME] = args.theme
    options |= {"server.headless": "true"} if args.no_browser else {}
    sys.argv = ["streamlit", *app_command(options, site)]
    # in this process, which hears Ctrl-C itself
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
    sys.exit(0)


def _for_a_class(site: Site, session: str) -> None:
    """Find the address that phones reach, and read the session now, so that its errors show."""
    os.environ[REACHED_AT] = f"http://{network_reachable_address(site.address)}:{site.port}"
    print_to_stderr(f"Phones reach the app at {os.environ[REACHED_AT]}/join")
    if session:
        from dpviz.teaching.session_file import ENVIRONMENT, read_session_file  # noqa: PLC0415 - with numpy

        read_session_file(Path(session))
        os.environ[ENVIRONMENT] = str(Path(session).resolve())


def network_reachable_address(address: str) -> str:
    """Address under which other machines of the network reach this one; never a local one."""
    if not ipaddress.ip_address(address).is_unspecified:
        found = address
    else:
        # which way it would go: nothing is sent
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            try:
                asked.connect(("192.0.2.1", 9))
                found = str(asked.getsockname()[0])
            except OSError:
                found = "127.0.0.1"
    if ipaddress.ip_address(found).is_loopback:
        raise ParameterError(
            "--address",
            address,
            "one that phones can reach; this machine seems to be in no network",
        )
    return f"[{found}]" if ":" in found else found


def _in_theme(theme: str) -> dict[str, str]:
    """Settings of one theme for both, as the browser chooses between them by itself."""
    themes = tomllib.loads((APP_FOLDER / ".streamlit" / "config.toml").read_text(encoding="utf-8"))[
        "theme"
    ]
    options = {name: value for name, value in themes[theme].items() if isinstance(value, str)}
    return {f"theme.{each}.{name}": value for each in _THEMES for name, value in options.items()}


COMMAND = Command(
    options=(
        OptionGroup(
            "address and start",
            *WHERE,
            TEACH,
            Option("--theme", choices=_THEMES, help="light or dark (default: as the browser)"),
            Option("--scenario", metavar="FILE", help="a scenario file to open"),
            Option(
                "--class",
                nargs="?",
                const="",
                metavar="SESSION",
                help=(
                    "for a class: phones in this network can reach the app, by the address in QR"
                    " code and handout. SESSION is a TOML file with your own session"
                ),
            ),
            Option("--no-browser", action="store_true", help="do not open a browser"),
        ),
    ),
    run=_run,
    examples=(
        "--port 8600 --theme dark",
        "--scenario votes.json",
        "--with my_module.py",
        "--class seminar.toml",
    ),
    answers=False,
)
