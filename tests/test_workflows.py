"""Workflows and issue forms: what they run is there, nobody may do more than the step needs, and a
tag publishes.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.y*ml"))
FORMS = sorted(
    set((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    - {ROOT / ".github/ISSUE_TEMPLATE/config.yml"}
)
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
    assert any("ready.py" in step.get("run", "") for step in jobs["build"]["steps"])
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    publish = [
        file.stem for file in WORKFLOWS if "pypi-publish" in file.read_text(encoding="utf-8")
    ]
    assert publish == ["release"]


def test_every_python_that_the_package_names_is_checked() -> None:
    classifiers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "classifiers"
    ]
    named = {
        found[1]
        for each in classifiers
        if (found := re.fullmatch(r".*:: Python :: (3\.\d+)", each))
    }
    told = (ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8")
    assert set(re.findall(r'"(3\.\d+)"', told)) == named


@pytest.mark.parametrize("file", FORMS, ids=lambda file: file.stem)
def test_a_form_asks_by_name_and_says_what_must_be_answered(file: Path) -> None:
    form = read(file)
    assert {"name", "description", "body"} <= form.keys()
    asked = [part for part in form["body"] if part["type"] != "markdown"]
    assert {part["type"] for part in asked} <= {"input", "textarea", "dropdown", "checkboxes"}
    assert len({part["id"] for part in asked}) == len(asked)
    assert all(part["attributes"]["label"] for part in asked)
    assert any(part.get("validations", {}).get("required") for part in asked)
