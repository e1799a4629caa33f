"""Completion, asked for by a real bash."""

import shutil
import subprocess
from pathlib import Path

import pytest

from dpviz import NOISES, TOP_K
from dpviz.__main__ import main
from dpviz.commands import COMMANDS
from dpviz.gaps.sparse.mechanism import SPLITS

BASH = shutil.which("bash")
OFFERED = [
    ("", set(COMMANDS)),
    ("co", {"compare", "compose", "count", "completion"}),
    ("distribution --mechanism ", set(TOP_K)),
    ("distribution -m can", {"canonical"}),
    ("compare --noise ", set(NOISES)),
    ("count log.csv --pers", {"--person-column"}),
    ("compose --rel", {"--releases"}),
    ("gaps --split ", set(SPLITS)),
    ("app --theme ", {"light", "dark"}),
    ("sweep -o ", set()),  # where the shell offers its files
]


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("completion") / "dpviz.bash"
    assert main(["completion", "bash", "-o", str(file)]) == 0
    return file


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize(("line", "offered"), OFFERED)
def test_what_bash_offers(line: str, offered: set[str], script: Path) -> None:
    words = ["dpviz", *line.split(" ")]
    code = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dpviz; printf "%s\\n"'
        ' "${COMPREPLY[@]}"'
    )
    told = subprocess.run(
        [str(BASH), "-c", code, "_", script, *words], capture_output=True, text=True, check=True
    )
    assert (set(told.stdout.split()), told.stderr) == (offered, "")


def test_every_option_of_every_help_is_in_it(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = script.read_text(encoding="utf-8")
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            main([command, "--help"])
        usage = capsys.readouterr().out.partition("\n\n")[0]
        line = next(
            line for line in text.splitlines() if line.startswith(f"           {command}) words=")
        )
        flags = {word.strip("[]|") for word in usage.split() if word.startswith("[--")}
        assert flags <= set(line.partition("words=")[2].strip("' ;").split())


def test_zsh_has_the_words_of_bash(capsys: pytest.CaptureFixture[str], script: Path) -> None:
    assert main(["completion", "zsh"]) == 0
    assert capsys.readouterr().out.endswith(f"bashcompinit\n{script.read_text(encoding='utf-8')}")
