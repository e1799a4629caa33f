"""`serve`: the app for many people: several processes behind nginx.

A browser stays on the process with its session (a cookie of nginx). A process that ends is started
again, and all end with this one. Requests for a foreign name get no page (DNS rebinding).
"""

import ctypes
import gzip
import hashlib
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from dpviz.base import APP_FOLDER, OPEN_METRICS, Progress
from dpviz.base.html import embedded_scripts
from dpviz.base.resource_budgets import ENVIRONMENT as MEMORY
from dpviz.base.resource_budgets import raise_open_file_limit, server_memory_bytes
from dpviz.commands.base import Args, Command, print_to_stderr
from dpviz.commands.options import (
    Option,
    OptionGroup,
    refuse_given_options,
    worker_count,
    workers_option,
)
from dpviz.commands.site import (
    TEACH,
    WHERE,
    Site,
    app_command,
    bracket_ipv6_address,
    check_address_free,
    check_base_path,
    parse_site,
    set_teach_key_variable,
)

_PAUSE = 0.25  # seconds between two looks at what runs
_PATIENCE = 10.0  # seconds that a process has to end by itself
_FIRST_PORT = 8601  # of the processes that systemd runs
_ENDS_WITH_PARENT = 1  # Linux's PR_SET_PDEATHSIG
_MB = 1_000_000


def nginx_configuration(site: Site, folder: Path, ports: Sequence[int], run: Path) -> str:
    """nginx's configuration for processes on those ports; what it writes goes to `run`."""
    return _filled(
        "nginx.conf",
        {
            "user": "user root;"
            if os.geteuid() == 0 and run == folder
            else "",  # else its workers could not read the folder
            "folder": str(folder),
            "run": str(run),
            "base": site.base,
            "listen": site.listen_address,
            "names": '"" ~.'
            if "*" in site.hosts
            else " ".join(map(bracket_ipv6_address, site.hosts)),
            "processes": "\n".join(
                f"        server 127.0.0.1:{port} max_fails=0;" for port in ports
            ),
            "inline": " ".join(inline_script_hashes()),
            "redirect": f"        location = / {{ return 302 {site.base}/; }}\n"
            if site.base
            else "",
        },
    )


def _filled(template: str, values: Mapping[str, str]) -> str:
    text = (APP_FOLDER / "assets" / "deploy" / template).read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], text)


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

    count, site = worker_count(args), parse_site(args, check_base_path(args.base_path))
    nginx = shutil.which(
        "nginx", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/local/sbin"
    )
    memory = int(server_memory_bytes() / count / _MB)
    if args.write is not None:
        kept = "with --write; use the unit's Environment= for it"
        refuse_given_options(args, ("classes", "teach_key"), kept)
        _write_files(site, count, memory, args.write.absolute(), nginx or "/usr/sbin/nginx")
        sys.exit(0)
    set_teach_key_variable(args.teach_key)
    if nginx is None:
        raise FileNotFoundError(
            "nginx is not installed (Debian: apt install nginx); dpviz app runs one process without"
            " it"
        )
    check_address_free(site)
    for signal_name in ("SIGTERM", "SIGHUP"):  # would otherwise leave processes behind
        signal.signal(getattr(signal, signal_name), lambda *_: sys.exit(0))
    raise_open_file_limit()
    with TemporaryDirectory(prefix="dpviz-") as folder:
        classes = args.classes or os.environ.get(ENVIRONMENT) or Path(folder) / "classes.sqlite"
        os.environ[ENVIRONMENT] = str(Path(classes).absolute())
        os.environ[MEMORY] = str(memory)
        _serve(site, count, nginx, Path(folder))


def _write_files(site: Site, workers: int, memory: int, folder: Path, nginx: str) -> None:
    ports = [_FIRST_PORT + number for number in range(workers)]
    units = " ".join(f"dpviz@{port}.service" for port in ports)
    values = {
        "command": shlex.join(_worker_command(site, "%i")),
        "app": str(APP_FOLDER),
        "memory": str(memory),
        "processes": units,
        "nginx": shlex.join([nginx, "-e", "stderr", "-p", "/run/dpviz"]),
        "folder": str(folder),
    }
    _compress_static_files(folder / "static")
    written = {
        "nginx.conf": nginx_configuration(site, folder, ports, Path("/run/dpviz")),
        "dpviz@.service": _filled("dpviz@.service", values),
        "dpviz-nginx.service": _filled("dpviz-nginx.service", values),
    }
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    print_to_stderr(
        f"Written to {folder}. To start it now and with the machine:\n"
        f"systemctl link {folder}/dpviz@.service {folder}/dpviz-nginx.service\n"
        f"systemctl enable --now {units} dpviz-nginx.service"
    )


def _serve(site: Site, workers: int, nginx: str, folder: Path) -> NoReturn:
    ports = _free_ports(workers)
    configuration = nginx_configuration(site, folder, ports, folder)
    (folder / "nginx.conf").write_text(configuration, encoding="utf-8")
    proxying = [nginx, "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    if tried := subprocess.run([*proxying, "-t", "-q"], check=False).returncode:  # noqa: S603 - ours
        raise ChildProcessError(f"nginx ended with code {tried}; the reason is above")
    running: dict[int, subprocess.Popen[bytes]] = {}
    try:
        for port in ports:
            running[port] = _start(_worker_command(site, str(port)))
        _compress_static_files(folder / "static")
        for port, worker in running.items():
            _wait_until_up(port, worker)
        proxy = running[0] = _start(proxying)
        many = f"{workers} processes" if workers > 1 else "one process"
        print_to_stderr(
            f"The app is at http://{site.listen_address}{site.base}/ in {many}. Ctrl-C ends it."
        )
        while proxy.poll() is None:
            time.sleep(_PAUSE)
            for port in [
                port for port, process in running.items() if port and process.poll() is not None
            ]:
                print_to_stderr(
                    f"A process ended with code {running[port].returncode}. It is started again."
                )
                running[port] = _start(_worker_command(site, str(port)))
                time.sleep(_PAUSE)  # one that ends at once must not take the machine
        raise ChildProcessError(f"nginx ended with code {proxy.returncode}; the reason is above")
    finally:
        _end(running.values())


def _free_ports(count: int) -> list[int]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    # it does not hear Ctrl-C itself, as this process ends them all in order
    return subprocess.Popen(  # noqa: S603 - ours
        command,
        cwd=APP_FOLDER,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, OPEN_METRICS: "1"},
        # this process has one thread, so it is safe
        preexec_fn=_end_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509
    )


def _end_with_parent() -> None:
    """Have the system end this process when its parent is gone, even by force."""
    ctypes.CDLL(None).prctl(_ENDS_WITH_PARENT, signal.SIGTERM)


def _worker_command(site: Site, port: str) -> list[str]:
    options = {
        "server.address": "127.0.0.1",
        "server.port": port,
        "server.baseUrlPath": site.base,
        "server.headless": "true",
    }
    return [sys.executable, "-P", "-m", "streamlit", *app_command(options, site)]


def _wait_until_up(port: int, worker: subprocess.Popen[bytes]) -> None:
    while worker.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE).close()
        except OSError:
            time.sleep(_PAUSE)
        else:
            return
    raise ChildProcessError(
        f"The app ended with code {worker.returncode} as it started; the reason is above"
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
            "address and processes",
            workers_option(),
            *WHERE,
            Option(
                "--base-path",
                default="",
                metavar="/PATH",
                help="the path below which the app is served",
            ),
            TEACH,
            Option(
                "--classes",
                type=Path,
                metavar="FILE",
                help="the file for running classes (default: deleted with this command)",
            ),
            Option(
                "--write",
                type=Path,
                metavar="FOLDER",
                help="start nothing, but write the files for systemd and nginx into this folder",
            ),
        ),
    ),
    run=_run,
    examples=("--workers 2", "--address 0.0.0.0 --port 80 --base-path /dpviz"),
    answers=False,
)
