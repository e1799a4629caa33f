"""`serve` without serving: what it refuses, and what it tells nginx. The browser tests run it."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from dpviz.__main__ import main
from dpviz.base import APP_FOLDER
from dpviz.commands.serve import inline_script_hashes, nginx_configuration
from dpviz.commands.site import Site, allowed_hosts
from tests.until import until

HOST = "--host must be a name without a port, such as dpviz.example.org, or an IP address"


@pytest.mark.parametrize("command", ["app", "serve"])
def test_where_nobody_can_listen_is_told(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: "nginx")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main([command, "--port", str(port)]) == 2
    told = f"--port must be one that is free at 127.0.0.1 (Address already in use), not {port}."
    assert capsys.readouterr().err == f"dpviz: {told}\n"
    assert main([command, "--address", "192.0.2.1"]) == 2  # of documentation: no machine has it
    told = "--address must be one that this machine has, or 0.0.0.0 for all, not '192.0.2.1'."
    assert capsys.readouterr().err.splitlines()[-1] == f"dpviz: {told}"


def test_without_nginx_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    assert main(["serve"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("dpviz: nginx is not installed")
    assert "dpviz app runs one process without it" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(("base", "redirected"), [("", False), ("/class/dp", True)])
def test_nginx_is_told_of_every_process_and_of_the_path(
    base: str, redirected: bool, tmp_path: Path
) -> None:
    site = Site(address="::1", port=8501, base=base, hosts=("localhost", "::1", "*.org"))
    told = nginx_configuration(site, tmp_path, [4001, 4002], tmp_path / "run")
    assert "{{" not in told
    ports = re.findall(r"server 127\.0\.0\.1:(\d+) max_fails=0;", told)
    assert ports == ["4001", "4002"]
    assert "listen [::1]:8501;" in told
    assert "server_name localhost [::1] *.org;" in told
    assert f"location {base}/ {{" in told
    assert f"Path={base}/; HttpOnly" in told
    assert f"alias {tmp_path}/static/;" in told
    assert f"pid {tmp_path}/run/nginx.pid;" in told
    assert (f"return 302 {base}/;" in told) == redirected


def test_nginx_keeps_the_edge(tmp_path: Path) -> None:
    """As text: where there is nginx, the browser tests run it."""
    site = Site(address="127.0.0.1", port=8501, base="/dp", hosts=("localhost",))
    told = nginx_configuration(site, tmp_path, [4001], tmp_path)
    (said,) = set(re.findall(r'"" "(default-src .*?)";', told))
    policy = dict(part.strip().partition(" ")[::2] for part in said.split(";"))
    scripts = ["'self'", "blob:", "'unsafe-eval'", *inline_script_hashes()]
    assert policy["script-src"].split() == scripts
    assert len(inline_script_hashes()) == 2  # Streamlit's, and that of the first second
    assert policy["object-src"] == "'none'"
    assert re.findall(r"client_max_body_size (\w+);", told) == ["16k", "51m"]
    upload = told[told.index("location ^~ /dp/_stcore/upload_file/") :].partition("}\n        }")[0]
    assert "51m" in upload
    assert "limit_conn all_uploads" in upload
    for inside in ("metrics", "script-health-check"):
        assert f"location ^~ /dp/_stcore/{inside} {{ return 404; }}" in told
    conf = (APP_FOLDER / "assets" / "deploy" / "login.conf").read_text(encoding="utf-8")
    for text in (told, conf):  # below that it names addresses, and what links hold
        assert re.findall(r"error_log (.*?);", text) == ["stderr alert"]
    own, of_all = map(int, re.findall(r"limit_conn (?:all_)?uploads (\d+);", upload))
    assert of_all >= 20 * own  # a few that send slowly take nothing from others
    zones = re.findall(r"zone=(\w+):", told)
    assert set(re.findall(r"limit_(?:conn|req) (?:zone=)?(\w+)", told)) == set(zones)
    assert told.count("{") == told.count("}")


LOCAL = ("localhost", "127.0.0.1", "::1")


@pytest.mark.parametrize(
    ("address", "named", "hosts"),
    [
        ("127.0.0.1", [], LOCAL),
        ("127.0.0.2", [], (*LOCAL, "127.0.0.2")),
        ("127.0.0.1", ["Dpviz.example.org"], (*LOCAL, "dpviz.example.org")),
        ("0.0.0.0", [], ("*",)),
        ("0.0.0.0", ["*.example.org", "192.0.2.7"], (*LOCAL, "*.example.org", "192.0.2.7")),
        ("::", ["localhost"], LOCAL),
        ("192.0.2.7", ["a"], (*LOCAL, "192.0.2.7", "a")),
        ("127.0.0.1", ["*"], ("*",)),
    ],
)
def test_the_names_that_it_answers_to(
    address: str, named: list[str], hosts: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert allowed_hosts(address, named) == hosts
    assert ("answers to any name" in capsys.readouterr().err) == (hosts == ("*",) and not named)


def test_what_systemd_and_nginx_run_is_written_with_limits_for_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DPVIZ_MEMORY", "4000")
    asked = ["--workers", "2", "--host", "*.example.org", "--base-path", "/dp"]
    with pytest.raises(SystemExit, match="0"):
        main(["serve", *asked, "--write", str(tmp_path)])
    app, nginx = (
        (tmp_path / name).read_text(encoding="utf-8")
        for name in ("dpviz@.service", "dpviz-nginx.service")
    )
    conf = (tmp_path / "nginx.conf").read_text(encoding="utf-8")
    assert "{{" not in app + nginx + conf
    assert re.findall(r"^MemoryMax=(\w+)$|^LimitNOFILE=(\d+)$|^Restart=(\w+)$", app, re.M) == [
        ("2000M", "", ""),
        ("", "65536", ""),
        ("", "", "always"),
    ]
    assert "DPVIZ_MEMORY=2000 " in app
    assert "--server.port=%i" in app
    assert "'--server.allowedHosts=*.example.org'" in app
    assert "Wants=dpviz@8601.service dpviz@8602.service" in nginx
    assert re.findall(r"server 127\.0\.0\.1:(\d+)", conf) == ["8601", "8602"]
    assert f"alias {tmp_path}/static/;" in conf
    assert list((tmp_path / "static").rglob("*.js.gz"))
    assert "systemctl enable --now dpviz@8601.service" in capsys.readouterr().err


ANALYZE = shutil.which("systemd-analyze")


@pytest.mark.skipif(ANALYZE is None, reason="systemd is not installed")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["serve", "--workers", "1", "--write", str(tmp_path)])
    (tmp_path / "dpviz@.service").rename(tmp_path / "dpviz@8601.service")
    units = [str(tmp_path / name) for name in ("dpviz@8601.service", "dpviz-nginx.service")]
    told = subprocess.run(
        [str(ANALYZE), "verify", "--man=no", *units], capture_output=True, text=True, check=False
    )
    ours = [line for line in told.stderr.splitlines() if "dpviz" in line]
    assert [line for line in ours if "is not executable" not in line] == []  # nginx may be absent


SBIN = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/usr/local/sbin"


@pytest.mark.skipif(shutil.which("nginx", path=SBIN) is None, reason="nginx is not installed")
def test_nothing_stays_on_the_port_where_it_is_killed(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "dpviz", "serve", "--workers", "1", "--port", str(port)]
    serve = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(tmp_path)})

    def listens() -> bool:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            return False
        return True

    try:
        until(listens, of=serve)
        children = psutil.Process(serve.pid).children(recursive=True)
    finally:
        serve.kill()
        serve.wait()
    gone, alive = psutil.wait_procs(children, 30)
    for process in alive:
        process.kill()
    assert (bool(gone), alive, listens()) == (True, [], False)
