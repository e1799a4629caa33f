"""The container's files agree with the project and with each other; no container engine is needed
to know that.
"""

import ast
import json
import re
import shlex
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from dpviz.__main__ import _parser

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TEXT = (ROOT / "assets" / "deploy" / "Containerfile").read_text(encoding="utf-8")
BASE = re.findall(r"^ARG PYTHON=(\S+)$", TEXT, re.MULTILINE)[0]
WORKFLOW = ROOT / ".github" / "workflows" / "container.yaml"
COMPOSE = yaml.safe_load((ROOT / "assets" / "deploy" / "compose.yaml").read_text(encoding="utf-8"))


NAMES = "The digest of the base image", "The container"
CONTAINER = {"sys_platform": "linux", "platform_system": "Linux", "python_version": "3.13"}


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


def test_its_python_is_one_that_the_project_takes() -> None:
    versions = {
        re.search(r"python:(\d+\.\d+)-slim", rest)[1] for word, rest in steps() if word == "FROM"
    }  # type: ignore[index]
    assert len(versions) == 1
    version = versions.pop()
    least = PROJECT["requires-python"].removeprefix(">=")
    assert tuple(map(int, version.split("."))) >= tuple(map(int, least.split(".")))
    assert f"Programming Language :: Python :: {version}" in PROJECT["classifiers"]


def test_every_source_of_the_wheel_is_copied_and_is_there() -> None:
    copied = {
        source
        for word, rest in steps()
        if word == "COPY" and not rest.startswith("--from")
        for source in shlex.split(rest)[:-1]
    }
    assert [source for source in copied if not (ROOT / source).exists()] == []
    built = {
        path.name
        for path in map(Path, ("pyproject.toml", PROJECT["readme"], *PROJECT["license-files"]))
    }
    assert (
        built | {"requirements.txt", "app.py", "pages", "dpviz", "assets", ".streamlit"} <= copied
    )


def test_it_starts_what_the_command_line_knows() -> None:
    argv = json.loads(only("ENTRYPOINT")) + json.loads(only("CMD"))
    assert argv[0] in PROJECT["scripts"]
    asked = _parser(argv[1:]).parse_args(argv[1:])
    assert (asked.command, asked.address, asked.port) == ("serve", "0.0.0.0", int(only("EXPOSE")))
    again = json.loads(only("ENTRYPOINT"))[1:] + COMPOSE["services"]["dpviz"]["command"]
    assert _parser(again).parse_args(again).workers == asked.workers


def test_the_health_check_asks_the_port_that_is_served() -> None:
    command = json.loads(only("HEALTHCHECK").partition("CMD ")[2])
    assert command[:3] == ["python", "-P", "-c"]  # and not what lies in /tmp
    ast.parse(command[3])
    assert f"http://127.0.0.1:{only('EXPOSE')}/_stcore/health" in command[3]


def test_nobody_is_root_and_only_tmp_is_written() -> None:
    words = [word for word, _ in last_stage()]
    assert int(only("USER").split(":")[0]) > 0
    assert set(words[words.index("USER") :]) <= {
        "USER",
        "EXPOSE",
        "STOPSIGNAL",
        "HEALTHCHECK",
        "ENTRYPOINT",
        "CMD",
    }
    assert only("WORKDIR") == "/tmp"
    assert "HOME=/tmp" in only("ENV").split()


def test_compose_builds_this_file_and_is_as_strict() -> None:
    service: dict[str, Any] = COMPOSE["services"]["dpviz"]
    here = ROOT / "assets" / "deploy"
    context = (here / service["build"]["context"]).resolve()
    assert context == ROOT
    assert context / service["build"]["dockerfile"] == here / "Containerfile"
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
    entries = re.findall(
        r"^([a-z0-9-]+)==(\S+)[^\n]*((?:\n    --hash=sha256:[0-9a-f]{64}[ \\]*)+)$",
        text,
        re.MULTILINE,
    )
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", " "))]
    assert len(entries) == len(lines) > 30
    return {name: version for name, version, _ in entries}


def test_the_lock_file_has_all_that_is_required_at_versions_that_do() -> None:
    pinned = locked()
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"][
        "requires"
    ]
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    asked = [
        Requirement(line)
        for line in (*text.splitlines(), *build)
        if line and not line.startswith("#")
    ]
    assert {each.name for each in asked if pinned.get(each.name) not in each.specifier} == set()


def test_what_is_installed_here_needs_nothing_that_the_lock_file_lacks() -> None:
    """Packages need others in turn: of those that are installed for these tests it is known which."""
    pinned = locked()
    needed = {
        (name, wanted.name.lower().replace("_", "-").replace(".", "-"))
        for name in pinned
        for line in metadata.requires(name) or []
        if (wanted := Requirement(line)).marker is None
        or wanted.marker.evaluate({"extra": "", **CONTAINER})
    }
    assert len(needed) > 30
    assert {(name, wanted) for name, wanted in needed if wanted not in pinned} == set()


def test_python_packages_are_installed_by_hash_and_listed() -> None:
    installs = [rest for word, rest in steps() if word == "RUN" and "pip install" in rest]
    assert [
        rest
        for rest in installs
        if "--require-hashes" not in rest and "--no-deps /wheel/" not in rest
    ] == []
    assert all("--no-build-isolation" in rest for _, rest in steps() if "pip wheel" in rest)
    listed = set(
        re.findall(r"(/usr/share/dpviz/)(\w+\.\w+)", " ".join(rest for _, rest in last_stage()))
    )
    kept = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["build"]["steps"]
    said = next(step["run"] for step in kept if step.get("name") == "What is in it")
    assert {name for _, name in listed} == set(re.findall(r"(\w+\.(?:json|tsv|lock))", said))


def test_the_workflow_builds_on_the_digest_of_the_image_that_the_file_names() -> None:
    kept = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["build"]["steps"]
    taken, built = (
        next(step["run"] for step in kept if step.get("name") == name) for name in NAMES
    )
    pattern = re.findall(r"sed -n '(.*)' assets/deploy/Containerfile", taken)[0]
    told = subprocess.run(
        ["sed", "-n", pattern, ROOT / "assets/deploy/Containerfile"],
        capture_output=True,
        check=True,
    )
    assert told.stdout.decode().strip() == BASE
    assert '--build-arg "PYTHON=$BASE"' in built
    assert {rest.split()[0] for word, rest in steps() if word == "FROM"} == {BASE}


@pytest.mark.parametrize(
    "flag", ["--read-only", "--tmpfs /tmp", "--cap-drop ALL", "--security-opt no-new-privileges"]
)
def test_the_command_in_its_head_is_as_strict_as_compose(flag: str) -> None:
    assert flag in TEXT.partition("FROM")[0]
