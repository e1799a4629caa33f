"""The container's files agree with the project and with each other."""

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import Requirement

from dpviz.__main__ import _parser

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TEXT = (ROOT / "assets" / "deploy" / "Containerfile").read_text(encoding="utf-8")
BASE = re.findall(r"^ARG PYTHON=(\S+)$", TEXT, re.MULTILINE)[0]

COMPOSE = yaml.safe_load((ROOT / "assets" / "deploy" / "compose.yaml").read_text(encoding="utf-8"))


def steps() -> list[tuple[str, str]]:
    """Each instruction with what it is given, lines joined."""
    joined = re.sub(r"\\\n\s*", " ", TEXT).replace("${PYTHON}", BASE)
    lines = (line for line in joined.splitlines() if line.strip() and not line.startswith("#"))
    return [(word, rest) for word, _, rest in (line.strip().partition(" ") for line in lines)]


def last_stage() -> list[tuple[str, str]]:
    found = steps()
    return found[max(at for at, (word, _) in enumerate(found) if word == "FROM") :]


def only(word: str) -> str:
    (given,) = (rest for name, rest in last_stage() if name == word)
    return given


def test_every_source_of_the_wheel_is_copied_and_is_there() -> None:
    copied = {
        source
        for word, rest in steps()
        if word == "COPY" and not rest.startswith("--from")
        for source in shlex.split(rest)[:-1]
    }
    assert [source for source in copied if not (ROOT / source).exists()] == []
    needed = {"pyproject.toml", "requirements.txt", "app.py", "pages", "dpviz", "assets"}
    texts = {Path(name).name for name in (PROJECT["readme"], *PROJECT["license-files"])}
    assert needed | texts | {".streamlit"} <= copied


def test_it_starts_what_the_command_line_knows_and_asks_for_its_health() -> None:
    argv = json.loads(only("ENTRYPOINT")) + json.loads(only("CMD"))
    assert argv[0] in PROJECT["scripts"]
    asked = _parser(argv[1:]).parse_args(argv[1:])
    assert (asked.command, asked.address, asked.port) == ("serve", "0.0.0.0", int(only("EXPOSE")))
    again = json.loads(only("ENTRYPOINT"))[1:] + COMPOSE["services"]["dpviz"]["command"]
    assert _parser(again).parse_args(again).workers == asked.workers
    health = json.loads(only("HEALTHCHECK").partition("CMD ")[2])
    assert health[:3] == ["python", "-P", "-c"]  # and not what lies in /tmp
    assert f"http://127.0.0.1:{only('EXPOSE')}/_stcore/health" in health[3]


def test_nobody_is_root_and_only_tmp_is_written() -> None:
    words = [word for word, _ in last_stage()]
    assert int(only("USER").split(":")[0]) > 0
    after = {"USER", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
    assert set(words[words.index("USER") :]) <= after
    assert only("WORKDIR") == "/tmp"
    assert "HOME=/tmp" in only("ENV").split()


def test_compose_builds_this_file_and_is_as_strict() -> None:
    service: dict[str, Any] = COMPOSE["services"]["dpviz"]
    context = (ROOT / "assets" / "deploy" / service["build"]["context"]).resolve()
    assert context == ROOT
    assert context / service["build"]["dockerfile"] == ROOT / "assets" / "deploy" / "Containerfile"
    assert service["ports"] == [f"127.0.0.1:{only('EXPOSE')}:{only('EXPOSE')}"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert [mount.split(":")[0] for mount in service["tmpfs"]] == ["/tmp", "/classes"]
    assert service["ulimits"]["nofile"] == 65_536
    assert service["memswap_limit"] == service["mem_limit"]
    disks = sum(int(re.findall(r"size=(\d+)", mount)[0]) for mount in service["tmpfs"][1:])
    own = int(service["environment"]["DPVIZ_MEMORY"]) + 1074 + disks  # and /tmp, in MB
    assert own < int(service["mem_limit"].removesuffix("m")) * 1.05
    command = service["command"]
    assert command[command.index("--classes") + 1].startswith("/classes/"), (
        "uploads fill another disk"
    )


def locked() -> dict[str, str]:
    """What the lock file installs: name and version; each has a hash."""
    text = (ROOT / "assets" / "deploy" / "requirements.lock").read_text(encoding="utf-8")
    hashes = r"((?:\n    --hash=sha256:[0-9a-f]{64}[ \\]*)+)$"
    entries = re.findall(rf"^([a-z0-9-]+)==(\S+)[^\n]*{hashes}", text, re.MULTILINE)
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", " "))]
    assert len(entries) == len(lines) > 30
    return {name: version for name, version, _ in entries}


def test_the_lock_file_has_all_that_is_required_at_versions_that_do() -> None:
    pinned = locked()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    lines = [*text.splitlines(), *project["build-system"]["requires"]]
    asked = [Requirement(line) for line in lines if line and not line.startswith("#")]
    assert {each.name for each in asked if pinned.get(each.name) not in each.specifier} == set()


def test_python_packages_are_installed_by_hash() -> None:
    installs = [rest for word, rest in steps() if word == "RUN" and "pip install" in rest]
    assert installs
    safe = ("--require-hashes", "--no-deps /wheel/")
    assert [rest for rest in installs if not any(flag in rest for flag in safe)] == []
    assert all("--no-build-isolation" in rest for _, rest in steps() if "pip wheel" in rest)
