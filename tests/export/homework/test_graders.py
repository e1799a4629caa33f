"""otter-grader and nbgrader themselves, in an environment of their own: a right answer passes."""

import csv
import json
import re
import subprocess
import venv
from pathlib import Path

import pytest

from tests.export.homework.test_homework_files import FILES, SHEETS

pytestmark = [pytest.mark.long, pytest.mark.timeout(1_800)]
QUESTIONS = SHEETS[1].questions


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of their programs."""
    programs = tmp_path_factory.mktemp("graders") / "bin"
    venv.create(programs.parent, with_pip=True)
    wanted = ["otter-grader>=7,<8", "nbgrader==0.9.6"]
    subprocess.run([programs / "python", "-m", "pip", "install", "-q", *wanted], check=True)
    return programs


def run(folder: Path, program: Path, *arguments: str | Path) -> None:
    surroundings = {"PATH": f"{program.parent}:/usr/bin:/bin", "HOME": str(folder)}
    subprocess.run([program, *arguments], cwd=folder, env=surroundings, check=True)


def fill_in(released: Path, factor: float, filled: Path) -> None:
    """A student's notebook for sheet 2, each answer this factor of the right one."""
    notebook = json.loads(released.read_text(encoding="utf-8"))
    for cell in (cell for cell in notebook["cells"] if cell["cell_type"] == "code"):
        source = "".join(cell["source"])
        assert not [asked for asked in QUESTIONS if repr(asked.answer) in source]
        if re.match('(# )?sheet = "', source):
            cell["source"] = 'sheet = "2"'
        elif found := re.match(r"(?:# )?answer_(\d+) = ", source):
            answer = QUESTIONS[int(found[1]) - 1].answer
            cell["source"] = f"answer_{found[1]} = {factor * answer:.4g}"
    filled.parent.mkdir(parents=True, exist_ok=True)
    filled.write_text(json.dumps(notebook), encoding="utf-8")


def test_otter_passes_right_answers_and_fails_wrong_ones(tools: Path, tmp_path: Path) -> None:
    (tmp_path / "homework.ipynb").write_text(FILES["teacher/otter.ipynb"], encoding="utf-8")
    run(tmp_path, tools / "otter", "assign", "homework.ipynb", "dist")
    (grader,) = tmp_path.glob("dist/autograder/*.zip")
    for factor, passed in ((1.0, 1.0), (1.2, 0.0)):
        fill_in(tmp_path / "dist/student/homework.ipynb", factor, tmp_path / "done.ipynb")
        run(tmp_path, tools / "otter", "run", "-a", grader, "done.ipynb", "-o", ".")
        results = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["tests"]
        points = [test["score"] for test in results if re.fullmatch(r"q\d+", test["name"])]
        assert points == [passed] * len(QUESTIONS)


def test_nbgrader_passes_right_answers_and_fails_wrong_ones(tools: Path, tmp_path: Path) -> None:
    (tmp_path / "source" / "ps1").mkdir(parents=True)
    source = tmp_path / "source" / "ps1" / "ps1.ipynb"
    source.write_text(FILES["teacher/nbgrader.ipynb"], encoding="utf-8")
    run(tmp_path, tools / "nbgrader", "generate_assignment", "ps1")
    for name, factor in (("right", 1.0), ("wrong", 1.2)):
        released = tmp_path / "release" / "ps1" / "ps1.ipynb"
        fill_in(released, factor, tmp_path / "submitted" / name / "ps1" / "ps1.ipynb")
    run(tmp_path, tools / "nbgrader", "autograde", "ps1")
    run(tmp_path, tools / "nbgrader", "export")
    with (tmp_path / "grades.csv").open(encoding="utf-8") as file:
        points = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert points == {"right": len(QUESTIONS), "wrong": 0.0}
