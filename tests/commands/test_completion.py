"""Completion, asked for by a real bash and a real zsh."""

import os
import re
import select
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from dpviz import NOISES, TOP_K
from dpviz.__main__ import main
from dpviz.commands import COMMANDS
from dpviz.gaps.sparse.mechanism import SPLITS

BASH, ZSH = shutil.which("bash"), shutil.which("zsh")


OFFERED = [
    ("", set(COMMANDS)),
    ("co", {"compare", "count", "completion"}),
    ("distribution --mechanism ", set(TOP_K)),
    ("distribution -m can", {"canonical"}),
    ("compare --noise ", set(NOISES)),
    ("count log.csv --pers", {"--person-column"}),
    ("price --rel", {"--releases"}),
    ("gaps --split ", set(SPLITS)),
    ("app --theme ", {"light", "dark"}),
]
TYPED_IN_BASH = """
source "$DPVIZ_SCRIPT"
dpviz() { printf '[%s]' "$@"; exit; }
PS1='<ready>'
"""
TYPED_IN_ZSH = """
PROMPT='<ready>'
source $DPVIZ_SCRIPT
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab false
compadd() {
    [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]] && { builtin compadd "$@"; return }
    local -a hits
    builtin compadd -A hits "$@"
    print -rl -- "[${(@)^hits}]"
    builtin compadd "$@"
}
ended() { exit }
comppostfuncs=(ended)
"""
"""Every word that is to be offered, printed in brackets; and the end, when all are."""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("completion") / "dpviz.bash"
    assert main(["completion", "bash", "-o", str(file)]) == 0
    return file


def typed(shell: Sequence[str], setup: str, script: Path, line: str, folder: Path) -> list[str]:
    """What stands in brackets on the terminal of an interactive shell where a line is typed."""
    begin = folder / "begin"
    begin.write_text(setup, encoding="utf-8")
    terminal, theirs = os.openpty()
    own = {"HOME": str(folder), "ZDOTDIR": str(folder), "DPVIZ_SCRIPT": str(script), "TERM": "dumb"}
    process = subprocess.Popen(
        shell,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env=os.environ | own,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        os.write(terminal, f"source {begin}\n".encode())
        shown_until(terminal, b"<ready>")
        os.write(terminal, line.encode())
        return re.findall(r"\[([\w-]+)\]", shown_until(terminal, None).decode(errors="replace"))
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


def shown_until(terminal: int, mark: bytes | None) -> bytes:
    """What a terminal shows until the mark, or until its program ends."""
    shown = b""
    while mark is None or mark not in shown:
        readable, _, _ = select.select([terminal], [], [], 60)
        assert readable, shown
        try:
            more = os.read(terminal, 4096)
        except OSError:  # the program has ended
            more = b""
        if not more:
            assert mark is None, shown
            return shown
        shown += more
    return shown


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("line", "offered"), [*OFFERED, ("sweep -o ", set())]
)  # where the shell offers its files
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


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
def test_a_tab_in_bash_completes_the_line(script: Path, tmp_path: Path) -> None:
    (tmp_path / "sweep-of-mine").touch()
    shell = [str(BASH), "--norc", "--noprofile", "-i"]
    told = typed(shell, TYPED_IN_BASH, script, "dpviz distrib\t-m can\t -o sweep-\t\n", tmp_path)
    assert told == ["distribution", "-m", "canonical", "-o", "sweep-of-mine"]


@pytest.mark.skipif(ZSH is None, reason="zsh is not installed")
@pytest.mark.parametrize(("line", "offered"), [*OFFERED, ("sweep -o ", {"begin"})])
def test_what_zsh_offers(line: str, offered: set[str], tmp_path: Path) -> None:
    script = tmp_path / ".dpviz.zsh"
    assert main(["completion", "zsh", "-o", str(script)]) == 0
    told = typed([str(ZSH), "-f", "-i"], TYPED_IN_ZSH, script, f"dpviz {line}\t", tmp_path)
    assert set(told) == offered


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
