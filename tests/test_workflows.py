"""Workflows run what is there, and nobody may do more than the step needs."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.y*ml"))

WRITES = {"id-token": {"publish", "documentation"}, "pages": {"documentation"}}


def read(file: Path) -> dict[Any, Any]:
    content = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job.get("steps", ())]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_what_a_workflow_runs_is_there(file: Path) -> None:
    workflow = read(file)
    commands = "\n".join(step["run"] for step in steps(workflow) if "run" in step)
    named = re.findall(r"(?:\./|assets/|tests/)[\w./]+", commands)
    named += [job["uses"] for job in workflow["jobs"].values() if "uses" in job]
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
    needed = {need for job in workflow["jobs"].values() for need in [job.get("needs", [])] if need}
    assert needed <= workflow["jobs"].keys()
    assert "${{" not in commands  # what somebody named a branch is no command


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_each_job_may_do_what_it_needs_and_ends(file: Path) -> None:
    workflow = read(file)
    assert set(workflow["permissions"].items()) <= {("contents", "read")}
    for name, job in workflow["jobs"].items():
        assert "uses" in job or 0 < job["timeout-minutes"] <= 180
        for what, how in job.get("permissions", {}).items():
            assert how == "read" or name in WRITES[what]
    for step in steps(workflow):
        if "uses" in step:
            assert re.search(r"@[0-9a-f]{40}$", step["uses"])  # a tag may be moved, a commit not
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_a_tag_publishes_after_the_checks_and_nothing_else_does() -> None:
    workflow = read(ROOT / ".github" / "workflows" / "release.yml")
    assert workflow[True] == {"push": {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}}  # `on` is YAML's yes
    jobs = workflow["jobs"]
    assert (jobs["publish"]["needs"], jobs["build"]["needs"]) == ("build", "checks")
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    texts = {file.stem: file.read_text(encoding="utf-8") for file in WORKFLOWS}
    assert [name for name, text in texts.items() if "pypi-publish" in text] == ["release"]
