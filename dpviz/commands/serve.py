"""`serve`: the app for many people: several processes behind nginx.

A browser stays on the process with its session (a cookie of nginx). A process that ends is started
again on its own port; all end with this one. Requests for a foreign name get no page (DNS
rebinding). nginx's settings are in `assets/deploy/nginx.conf`.
"""

import errno
import gzip
import hashlib
import ipaddress
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from dpviz.base import APP_FOLDER, ParameterError, Progress, check_integer
from dpviz.base.html import embedded_scripts
from dpviz.commands.base import Args, Command, print_to_stderr
from dpviz.commands.options import Option, OptionGroup, worker_count, workers_option

_PAUSE = 0.25  # seconds between two looks at what runs
_FILES = 65_536
_LOCAL = ("localhost", "127.0.0.1", "::1")  # no other site can have these names
_NAME = re.compile(r"(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.ASCII | re.IGNORECASE)
_PATIENCE = 10.0  # seconds that a process has to end by itself


LOCAL = "127.0.0.1"
WHERE = (
    Option("--port", type=int, default=8501, help="default: 8501"),
    Option(
        "--address", default=LOCAL, help="default: 127.0.0.1, this machine alone; 0.0.0.0: everyone"
    ),
    Option(
        "--host",
        nargs="+",
        default=[],
        metavar="NAME",
        help=(
            "names besides localhost that it answers to, as dpviz.example.org or *.example.org"
            " (default: none at 127.0.0.1, else any)"
        ),
    ),
)

TEACH = Option(
    "--teach-key",
    metavar="KEY",
    help=(
        "what one types to begin a class (default: DPVIZ_TEACH_KEY, which no list of processes"
        " shows; else nothing)"
    ),
)


def export_teach_key(key: str | None) -> None:
    """Hand the key to the app's processes."""
    from dpviz.teaching.classes.class_store import TEACH_KEY  # noqa: PLC0415 - with numpy, which --help does without

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
        return f"{_bracketed(self.address)}:{self.port}"


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def nginx_configuration(site: Site, folder: Path, ports: Sequence[int]) -> str:
    """nginx's configuration: the template, filled in for processes on those ports."""
    filled = {
        "user": "user root;"
        if os.geteuid() == 0
        else "",  # else its workers could not read the folder
        "folder": str(folder),
        "base": site.base,
        "listen": site.listen_address,
        "names": '"" ~.' if "*" in site.hosts else " ".join(map(_bracketed, site.hosts)),
        "processes": "\n".join(f"        server 127.0.0.1:{port} max_fails=0;" for port in ports),
        "inline": " ".join(inline_script_hashes()),
        "redirect": f"        location = / {{ return 302 {site.base}/; }}\n" if site.base else "",
    }
    template = (APP_FOLDER / "assets" / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: filled[match[1]], template)


def inline_script_hashes() -> list[str]:
    """Hashes, for a content policy, of the scripts within the app's page."""
    page = (_streamlit() / "index.html").read_text(encoding="utf-8")
    first = files("dpviz").joinpath("web", "static", "first_paint.js").read_text(encoding="utf-8")
    return [
        f"'sha256-{b64encode(hashlib.sha256(each.encode()).digest()).decode()}'"
        for each in [*embedded_scripts(page), first]
    ]


def _streamlit() -> Path:
    package = find_spec("streamlit")  # found, not loaded: this process serves nothing itself
    if package is None or package.origin is None:
        raise FileNotFoundError("streamlit is not installed")
    return Path(package.origin).parent / "static"


def _run(args: Args, progress: Progress) -> NoReturn:
    from dpviz.teaching.classes.class_store import ENVIRONMENT  # noqa: PLC0415 - with numpy, which --help does without

    count, site = worker_count(args), parse_site(args, _base(args.base_path))
    export_teach_key(args.teach_key)
    nginx = shutil.which(
        "nginx", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/local/sbin"
    )
    if nginx is None:
        raise FileNotFoundError(
            "nginx is not installed (Debian: apt install nginx); one process: dpviz app"
        )
    check_address_free(site)
    for signal_name in ("SIGTERM", "SIGHUP"):  # would otherwise leave processes behind
        signal.signal(getattr(signal, signal_name), lambda *_: sys.exit(0))
    raise_file_limit()
    with TemporaryDirectory(prefix="dpviz-") as folder:
        classes = args.classes or os.environ.get(ENVIRONMENT) or Path(folder) / "classes.sqlite"
        os.environ[ENVIRONMENT] = str(Path(classes).absolute())
        _serve(site, count, nginx, Path(folder))


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
    """Raise if nobody can listen there."""
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


def allowed_hosts(address: str, named: Sequence[str]) -> tuple[str, ...]:
    """Names that an app at this address answers to; a message says if that is any."""
    for name in named:
        if name != "*" and not _NAME.fullmatch(name):
            _checked_ip(
                "--host", name, "a name without a port, such as dpviz.example.org, or an IP address"
            )
    at = ipaddress.ip_address(address)
    if "*" in named or (not named and not at.is_loopback):
        if not named:
            print_to_stderr(
                "It answers to any name; --host NAME keeps to the names that people know it by."
            )
        return ("*",)
    bound_to = () if at.is_unspecified else (address,)
    return tuple(dict.fromkeys((*_LOCAL, *bound_to, *(name.lower() for name in named))))


def _base(path: str) -> str:
    base = path.strip("/")
    if base and not re.fullmatch(r"[\w.~-]+(/[\w.~-]+)*", base, re.ASCII):
        raise ParameterError(
            "--base-path", path, "a path of letters, digits and any of . _ ~ -, such as /dpviz"
        )
    return f"/{base}" if base else ""


def raise_file_limit() -> None:
    """Raise the limit of open files: 200 people in a process need more than the usual 1,024."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:  # Windows, which has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


def _serve(site: Site, workers: int, nginx: str, folder: Path) -> NoReturn:
    ports = _free_ports(workers)
    (folder / "nginx.conf").write_text(nginx_configuration(site, folder, ports), encoding="utf-8")
    proxying = [nginx, "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    if tried := subprocess.run([*proxying, "-t", "-q"], check=False).returncode:  # noqa: S603 - ours
        raise ChildProcessError(f"nginx ended with code {tried}; it says above why")
    running: dict[int, subprocess.Popen[bytes]] = {}
    try:
        for port in ports:
            running[port] = _start_worker(site, port)
        _compress_static_files(folder / "static")
        for port, worker in running.items():
            _wait_until_up(port, worker)
        proxy = running[0] = _start(proxying)
        many = f"{workers} processes" if workers > 1 else "one process"
        print_to_stderr(
            f"The app is at http://{site.listen_address}{site.base}/ in {many}; Ctrl-C ends it."
        )
        while proxy.poll() is None:
            time.sleep(_PAUSE)
            for port in [
                port for port, process in running.items() if port and process.poll() is not None
            ]:
                print_to_stderr(
                    f"A process ended with code {running[port].returncode}; it is started again."
                )
                running[port] = _start_worker(site, port)
                time.sleep(_PAUSE)  # one that ends at once must not take the machine
        raise ChildProcessError(f"nginx ended with code {proxy.returncode}; it says above why")
    finally:
        _end(running.values())


def _free_ports(count: int) -> list[int]:
    """Ports of this machine that nobody listens on, all different."""
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    """Process that does not hear Ctrl-C itself, as this one ends them all in order."""
    return subprocess.Popen(  # noqa: S603 - ours
        command, cwd=APP_FOLDER, stdout=subprocess.DEVNULL, start_new_session=True
    )


def _start_worker(site: Site, port: int) -> subprocess.Popen[bytes]:
    options = {
        "server.address": "127.0.0.1",
        "server.port": str(port),
        "server.baseUrlPath": site.base,
        "server.headless": "true",
    }
    return _start([sys.executable, "-P", "-m", "streamlit", *app_command(options, site)])


def app_command(options: Mapping[str, object], site: Site) -> list[str]:
    """Streamlit's command for the app with these settings, at the names of its site."""
    flags = [f"--{name}={value}" for name, value in options.items()]
    hosts = [f"--server.allowedHosts={host}" for host in site.hosts]
    return ["run", str(APP_FOLDER / "app.py"), "--server.fileWatcherType=none", *flags, *hosts]


def _wait_until_up(port: int, worker: subprocess.Popen[bytes]) -> None:
    while worker.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE).close()
        except OSError:
            time.sleep(_PAUSE)
        else:
            return
    raise ChildProcessError(
        f"The app ended with code {worker.returncode} as it started; it says above why"
    )


def _compress_static_files(folder: Path) -> None:
    """Compress Streamlit's own files once; plotly's 4.7 MB become 1.4."""
    source = _streamlit() / "static"
    for file in (file for file in source.rglob("*") if file.is_file()):
        beside = folder / file.relative_to(source).with_name(f"{file.name}.gz")
        beside.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(gzip.compress(file.read_bytes(), 6))


def _end(processes: Iterable[subprocess.Popen[bytes]]) -> None:
    """End them together, by force if needed."""
    processes = list(processes)
    for process in processes:
        process.terminate()
    until = time.monotonic() + _PATIENCE
    for process in processes:
        try:
            process.wait(max(until - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


COMMAND = Command(
    options=(
        OptionGroup(
            "where and how",
            workers_option(),
            *WHERE,
            Option("--base-path", default="", metavar="/PATH", help="serve below this path"),
            TEACH,
            Option(
                "--classes",
                type=Path,
                metavar="FILE",
                help="where classes under way are kept (default: gone with this command)",
            ),
        ),
    ),
    run=_run,
    examples=("--workers 2", "--address 0.0.0.0 --port 80 --base-path /dpviz"),
    answers=False,
)
