"""`homework`: a sheet for each student with numbers of its own, and the exact key."""

from pathlib import Path

from dpviz.base import ParameterError, Progress, check_integer, write_atomically
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.input_files import read_name_list
from dpviz.commands.options import Option, OptionGroup


def _run(args: Args, progress: Progress) -> CommandResult:
    from dpviz.export.homework.homework_files import (  # noqa: PLC0415 - slow, and --help needs none of it
        answer_key_rows,
        homework_files,
    )
    from dpviz.teaching.homework import draw_homework, lessons_with_questions  # noqa: PLC0415
    from dpviz.teaching.lessons import LESSONS  # noqa: PLC0415
    from dpviz.teaching.session_file import read_session_file  # noqa: PLC0415

    if (args.students is None) == (args.names is None):
        given = None if args.names is None else "both"
        raise ParameterError("--students or --names", given, "given, one of the two")
    folder = Path(args.folder)
    if folder.exists():
        raise ParameterError("--folder", args.folder, "a folder that does not exist yet")
    if args.names is None:
        count = check_integer("--students", args.students, low=1, high=1000)
        names = [f"student {number}" for number in range(1, count + 1)]
    else:
        names = [name.strip() for name in read_name_list(args.names)]
    session = read_session_file(Path(args.session))
    sheets = draw_homework(session, names, args.seed)
    progress(0.5)
    for place, text in homework_files(session.title, sheets).items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text.encode())
    progress(1.0)
    asked = {one.key for one in lessons_with_questions(session)}
    titles = {one.key: one.title for one in session.own}
    silent = [titles.get(key) or LESSONS[key].title for key in session.lessons if key not in asked]
    notes = [f"Give out {folder / 'sheets'}. Keep {folder / 'teacher'}, which holds the key."]
    if silent:
        notes.append(f"These lessons have no question of this kind: {', '.join(silent)}.")
    return CommandResult(table=answer_key_rows(sheets), notes=tuple(notes))


COMMAND = Command(
    options=(
        OptionGroup(
            "the homework",
            Option("session", metavar="SESSION", help="the session's file (.toml)"),
            Option(
                "--students", type=int, metavar="N", help="the number of students, named by number"
            ),
            Option("--names", metavar="FILE", help="a file with one name a line, in their place"),
            Option(
                "--folder",
                default="homework",
                metavar="FOLDER",
                help="the folder to make (default: homework)",
            ),
            Option(
                "--seed",
                type=int,
                default=0,
                metavar="N",
                help="the same seed gives the same numbers (default 0)",
            ),
        ),
    ),
    run=_run,
    examples=("seminar.toml --students 30 --seed 7 -o key.csv",),
)
