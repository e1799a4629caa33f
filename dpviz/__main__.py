"""The command line: `dpviz COMMAND`, or `python -m dpviz COMMAND` in a checkout.

Invariants: tables on standard output or in a file, one sentence on standard error where something
is wrong; exit code 0 done, 1 failed, out of memory, a worker or a cluster lost, 2 bad input, 3
refuted by `audit --exit-code`, 130 stopped by Ctrl-C, 143 by SIGTERM.
"""

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import NoReturn

from dpviz import __version__
from dpviz.base import WITH, ParameterError, TerminationSignal, WorkLost, printable_line
from dpviz.commands import COMMANDS, FORMER_COMMANDS, load_command
from dpviz.commands.base import ProgressMeter, name_options, print_to_stderr
from dpviz.commands.output import check_output_writable, output_format, write_answer

_PIPE_CLOSED = 141  # as a program has that SIGPIPE ends
_WITH = "--with"
_TERMINATED = 143  # the same, of SIGTERM
_LONGEST = 2_000  # characters of a sentence that quotes what was typed
_LOST = {
    MemoryError: "There is not enough memory for this.",
    BrokenExecutor: (
        "A worker process ended, perhaps because memory ran out. Fewer --workers may help."
    ),
}


class _UsageError(Exception):
    """A fault in the options, in argparse's words."""


class _Parser(argparse.ArgumentParser):
    """Tells what is wrong in one sentence, without the usage in front."""

    def error(self, message: str) -> NoReturn:
        told = printable_line(f"{message[:1].upper()}{message[1:]}", _LONGEST)
        raise _UsageError(f"{told}. See {self.prog} --help.")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; `argv` leaves out the program's name. Returns the exit code.

    >>> main(["distribution", "--example", "class_trip", "--epsilon", "-1"])
    2
    """
    _speak_utf8()
    try:
        return _run(argv)
    except (ParameterError, _UsageError) as err:
        print_to_stderr(str(err))
        return 2
    except BrokenPipeError:
        _leave_pipe()
        return _PIPE_CLOSED
    except OSError as err:
        told = f"{err.strerror or err}{f': {err.filename}' if err.filename else ''}"
        print_to_stderr(f"{printable_line(told, _LONGEST) or type(err).__name__}.")
        return 2
    except KeyboardInterrupt as err:
        print_to_stderr(str(err) or "Stopped.")
        return _TERMINATED if isinstance(err, TerminationSignal) else 130
    except (MemoryError, WorkLost, BrokenExecutor) as err:
        print_to_stderr(next((_LOST[kind] for kind in _LOST if isinstance(err, kind)), str(err)))
        return 1
    except Exception:  # noqa: BLE001 - whatever it is, nobody may take what came before for an answer
        traceback.print_exc()
        print_to_stderr("Something failed, and there is no answer. Please report the lines above.")
        return 1


def _run(argv: Sequence[str] | None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    if _WITH in argv[:-1]:  # before the menus are made, here and in whatever this starts
        named = argv[argv.index(_WITH) + 1]
        os.environ[WITH] = str(Path(named).resolve()) if Path(named).is_file() else named
    if argv and argv[0] in FORMER_COMMANDS:
        name = FORMER_COMMANDS[argv[0]]
        print_to_stderr(f"{argv[0]} is called {name} now. The old name goes with the next release.")
        argv = [name, *argv[1:]]
    args, unknown = _parser(argv).parse_known_args(argv)
    if unknown:  # said by the command, whose help has the options that there are
        args.parsers[args.command].error(f"unrecognized arguments: {' '.join(unknown)}")
    command = load_command(args.command)
    if args.format is None:
        args.format = output_format(
            args.output, command.formats, ", or given with --format" if command.tabular else ""
        )
    check_output_writable(args.output, args.format)
    try:
        answer = command.run(args, ProgressMeter(args.quiet))
    except ParameterError as err:
        raise name_options(err, args.parsers[args.command]) from err
    write_answer(args.command, answer, format=args.format, path=args.output)
    return answer.code


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    """Every command with its one line; options only for one that `argv` names, as they load what it
    computes with.
    """
    parser = _Parser(
        prog=_called(),
        description=(
            "Exact probabilities of private selection. The figures use the raw scores and are not"
            " private."
        ),
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"dpviz {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in COMMANDS:
        says = COMMANDS.says(name)
        one = commands.add_parser(
            name,
            help=says,
            description=f"{says[:1].upper()}{says[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if name in argv or "completion" in argv:  # which tells of them all
            _add_options(one, name)
    parser.set_defaults(parsers=commands.choices)
    return parser


def _called() -> str:
    """How this program is started where it is: by its own name where it is installed."""
    return "dpviz" if Path(sys.argv[0]).stem == "dpviz" else "python -m dpviz"


def _add_options(parser: argparse.ArgumentParser, name: str) -> None:
    command = load_command(name)
    parser.epilog = "Examples:\n" + "\n".join(
        f"  {parser.prog} {example}" for example in command.examples
    )
    parser.set_defaults(format=None, output=None, quiet=False)
    own = "a module, or a file that ends in .py, whose mechanisms are added to the menus"
    parser.add_argument(_WITH, dest="own", metavar="MODULE", help=own)
    if command.answers:
        out = parser.add_argument_group("output")
        what = "the file to write"
        if command.tabular:
            usual = f"the format (default: by the ending of --output, else {command.formats[0]})"
            out.add_argument("--format", choices=command.formats, help=usual)
            what = "the file for the table (default: standard output)"
        out.add_argument("-o", "--output", metavar="FILE", help=what)
        out.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    for add_options in command.options:
        add_options(parser)


def _speak_utf8() -> None:
    """Labels may hold any letter, for every encoding of the terminal."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


def _leave_pipe() -> None:
    """The reader has gone: nothing more to say, not at exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
