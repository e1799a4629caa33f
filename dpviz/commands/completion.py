"""`completion`: a script that completes this command line in bash or zsh."""

import argparse
import shlex
from collections.abc import Mapping
from typing import Any

from dpviz.base import NOISES, Progress
from dpviz.candidates import CANDIDATES
from dpviz.commands.base import Command, CommandResult
from dpviz.commands.options import Option
from dpviz.data import EXAMPLES, GENERATORS
from dpviz.gaps import SPLITS
from dpviz.topk import TOP_K

_MENUS: Mapping[str, Mapping[str, Any]] = {
    "--mechanism": TOP_K,
    "--noise": NOISES,
    "--example": EXAMPLES,
    "--generate": GENERATORS,
    "--rule": CANDIDATES,
    "--split": SPLITS,
}
_ZSH = """\
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
autoload -Uz bashcompinit && bashcompinit
"""
_SCRIPT = """\
_dpviz() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=
    if [ "$COMP_CWORD" -eq 1 ]; then
        words={commands}
    else
        case "${{COMP_WORDS[1]}} $before" in
{values}
        *) case "${{COMP_WORDS[1]}}" in
{options}
           esac ;;
        esac
    fi
    COMPREPLY=()
    [ -n "$words" ] && COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _dpviz dpviz
"""


def _run(args: argparse.Namespace, progress: Progress) -> CommandResult:
    return CommandResult(
        table=[], document=_ZSH * (args.shell == "zsh") + completion_script(args.parsers)
    )


def completion_script(parsers: Mapping[str, argparse.ArgumentParser]) -> str:
    """Script for these commands; the shell offers files as values that have no list."""
    values, options = [], []
    for name, parser in parsers.items():
        actions = [action for action in parser._actions if action.option_strings]
        flags = [flag for action in actions for flag in action.option_strings]
        options.append(f"           {name}) words={shlex.quote(' '.join(flags))} ;;")
        for action in actions:
            if action.nargs == 0:
                continue
            case = "|".join(shlex.quote(f"{name} {flag}") for flag in action.option_strings)
            values.append(f"        {case}) words={shlex.quote(' '.join(_values(action)))} ;;")
    return _SCRIPT.format(
        commands=shlex.quote(" ".join(parsers)),
        values="\n".join(values),
        options="\n".join(options),
    )


def _values(action: argparse.Action) -> list[str]:
    menus = [_MENUS[flag] for flag in action.option_strings if flag in _MENUS]
    return [str(choice) for choice in action.choices or (menus[0] if menus else ())]


COMMAND = Command(
    options=(
        Option(
            "shell",
            choices=("bash", "zsh"),
            help="the shell that sources it, as in ~/.bashrc or ~/.zshrc",
        ),
    ),
    run=_run,
    examples=("bash", "zsh -o dpviz.zsh"),
    tabular=False,
    formats=(),
)
