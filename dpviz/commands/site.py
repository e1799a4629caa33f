"""The app's place on the network, as `app` and `serve` take it from their options."""

import errno
import ipaddress
import os
import re
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz.base import APP_FOLDER, ParameterError, check_integer
from dpviz.commands.base import Args, print_to_stderr
from dpviz.commands.options import Option

_LOCAL = ("localhost", "127.0.0.1", "::1")  # no other site can have these names
_NAME = re.compile(r"(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.ASCII | re.IGNORECASE)

LOCAL = "127.0.0.1"
WHERE = (
    Option("--port", type=int, default=8501, help="the port (default: 8501)"),
    Option(
        "--address",
        default=LOCAL,
        help="127.0.0.1 for this machine alone (default), 0.0.0.0 for everyone",
    ),
    Option(
        "--host",
        nargs="+",
        default=[],
        metavar="NAME",
        help=(
            "names besides localhost that the app answers to, such as dpviz.example.org or"
            " *.example.org (default: none at 127.0.0.1, else any)"
        ),
    ),
)

TEACH = Option(
    "--teach-key",
    metavar="KEY",
    help=(
        "the key to start a class (default: the environment variable DPVIZ_TEACH_KEY, which no"
        " list of processes shows; else none)"
    ),
)


def set_teach_key_variable(key: str | None) -> None:
    # here, as --help does without the numpy that comes with it
    from dpviz.teaching.classes.class_store import TEACH_KEY  # noqa: PLC0415

    if key is not None:
        if not key.strip():
            raise ParameterError("--teach-key", key, "a word or more")
        os.environ[TEACH_KEY] = key


@dataclass(frozen=True, kw_only=True)
class Site:
    """The app's place, `address`:`port`/`base`, and the names it answers to ("*" for any)."""

    address: str
    port: int
    base: str
    hosts: tuple[str, ...]

    @property
    def listen_address(self) -> str:
        return f"{bracket_ipv6_address(self.address)}:{self.port}"


def bracket_ipv6_address(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def parse_site(args: Args, base: str = "") -> Site:
    address = _checked_ip("--address", args.address, "an IP address, such as 127.0.0.1 or 0.0.0.0")
    port = check_integer("port", args.port, low=1, high=65535)
    return Site(address=address, port=port, base=base, hosts=allowed_hosts(address, args.host))


def _checked_ip(option: str, text: str, allowed: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise ParameterError(option, text, allowed) from None


def check_address_free(site: Site) -> None:
    address, port = site.address, site.port
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as tried:
        if os.name == "posix":  # elsewhere it would take a port from who has it
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((address, port))
        except OSError as err:
            if err.errno == errno.EADDRNOTAVAIL:
                raise ParameterError(
                    "--address", address, "one that this machine has, or 0.0.0.0 for all"
                ) from err
            raise ParameterError(
                "--port", port, f"one that is free at {address} ({err.strerror})"
            ) from err


def allowed_hosts(address: str, host_names: Sequence[str]) -> tuple[str, ...]:
    """Names that an app at this address answers to; a message says if that is any."""
    for name in host_names:
        if name != "*" and not _NAME.fullmatch(name):
            _checked_ip(
                "--host", name, "a name without a port, such as dpviz.example.org, or an IP address"
            )
    at = ipaddress.ip_address(address)
    if "*" in host_names or (not host_names and not at.is_loopback):
        if not host_names:
            print_to_stderr(
                "The app answers to any name. --host NAME limits it to the names that you give."
            )
        return ("*",)
    bound_to = () if at.is_unspecified else (address,)
    return tuple(dict.fromkeys((*_LOCAL, *bound_to, *(name.lower() for name in host_names))))


def check_base_path(path: str) -> str:
    base = path.strip("/")
    if base and not re.fullmatch(r"[\w.~-]+(/[\w.~-]+)*", base, re.ASCII):
        raise ParameterError(
            "--base-path", path, "a path of letters, digits and any of . _ ~ -, such as /dpviz"
        )
    return f"/{base}" if base else ""


def app_command(options: Mapping[str, object], site: Site) -> list[str]:
    """Streamlit's command for the app with these settings, at the names of its site."""
    flags = [f"--{name}={value}" for name, value in options.items()]
    hosts = [f"--server.allowedHosts={host}" for host in site.hosts]
    return ["run", str(APP_FOLDER / "app.py"), "--server.fileWatcherType=none", *flags, *hosts]
