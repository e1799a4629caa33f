"""How many small faults the suite notices: `python -m tests.mutants --seed 40 --count 30`.

Each fault is one operator or number changed in a file of `dpviz/`, drawn by the seed from all folders
in turn. It is put into a copy of the checkout, where the tests of the same folder run first and then
those that name something of the file, until one fails. A line tells each fault with the test that
noticed it. With `--all` every test but the browser's has a try.
"""

import argparse
import ast
import copy
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
REPLACED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}


@dataclass(frozen=True)
class Mutant:
    """A file, the place of its fault among those it could have, and the two lines."""

    file: str
    index: int
    before: str
    after: str


def faulty(tree: ast.Module) -> Iterator[ast.AST]:
    """Every node that can be changed."""
    for node in ast.walk(tree):
        if (
            (isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED)
            or (isinstance(node, ast.BinOp) and type(node.op) in REPLACED)
            or isinstance(node, ast.BoolOp)
            or (isinstance(node, ast.Constant) and type(node.value) in (int, float))
        ):
            yield node


def change(node: ast.AST) -> None:
    """Put the fault into the node."""
    if isinstance(node, ast.Compare):
        node.ops[0] = COMPARED[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp):
        node.op = REPLACED[type(node.op)]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.Constant):
        node.value = node.value + 1


def drawn(seed: int, count: int) -> list[Mutant]:
    """So many mutants, the folders in turn."""
    rng = random.Random(seed)
    folders = sorted(path for path in (ROOT / "dpviz").iterdir() if (path / "__init__.py").exists())
    mutants: list[Mutant] = []
    while len(mutants) < count:
        files = sorted(folders[len(mutants) % len(folders)].rglob("*.py"))
        file = rng.choice(files)
        tree = ast.parse(file.read_text(encoding="utf-8"))
        places = list(faulty(tree))
        if not places:
            continue
        index = rng.randrange(len(places))
        before = ast.unparse(places[index])
        changed = copy.deepcopy(places[index])
        change(changed)
        name = file.relative_to(ROOT).as_posix()
        mutants.append(Mutant(name, index, before, ast.unparse(changed)))
    return mutants


def tests_that_name(file: Path) -> list[str]:
    """Tests without a browser that name the module or a function or class of it."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    defined = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    names = [name for name in defined if not name.startswith("_")]
    module = rf"{file.parent.name}\.{file.stem}|{file.parent.name} import {file.stem}"
    named = re.compile(rf"\b({'|'.join([module, *names])})\b")
    found = sorted((ROOT / "tests").rglob("test_*.py"))
    return [
        path.relative_to(ROOT).as_posix()
        for path in found
        if not {"browser", "benchmarks", "docs"} & set(path.parts)
        and named.search(path.read_text(encoding="utf-8"))
    ]


def noticed(mutant: Mutant, copy_of_it: Path, *, by_all: bool) -> str | None:
    """The first test that fails with the fault; None where all pass."""
    file = copy_of_it / mutant.file
    tree = ast.parse((ROOT / mutant.file).read_text(encoding="utf-8"))
    change(list(faulty(tree))[mutant.index])
    file.write_text(ast.unparse(tree), encoding="utf-8")
    folder = Path("tests", *Path(mutant.file).parts[1:-1])
    while not (copy_of_it / folder).is_dir():
        folder = folder.parent
    rest = [mutant.file, *tests_that_name(ROOT / mutant.file)]
    if by_all:
        rest = ["tests", "dpviz", "--ignore=tests/browser", "--ignore=tests/benchmarks"]
    try:
        for targets in ([str(folder)], rest):
            done = subprocess.run(
                [
                    *(sys.executable, "-m", "pytest", "-x", "-q", "-n", "2", "--dist", "loadfile"),
                    *("-p", "no:cacheprovider", *targets),
                ],
                cwd=copy_of_it,
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode not in {0, 5}:  # 5: there was none to run
                told = [line for line in done.stdout.splitlines() if line[:5] in ("FAILE", "ERROR")]
                return told[0][:150] if told else f"exit {done.returncode}"
    finally:
        shutil.copy(ROOT / mutant.file, file)
    return None


def main() -> None:
    """Draw, run and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "checkout"
        ignored = shutil.ignore_patterns(".git", ".venv-tests", "__pycache__", ".mypy_cache")
        shutil.copytree(ROOT, place, ignore=ignored)
        for mutant in drawn(args.seed, args.count):
            test = noticed(mutant, place, by_all=args.all)
            found += test is not None
            told = (
                f"{mutant.file}: {mutant.before[:60]} -> {mutant.after[:60]}: {test or 'SURVIVED'}"
            )
            sys.stdout.write(f"{told}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{found} of {args.count} noticed\n")


if __name__ == "__main__":
    main()
