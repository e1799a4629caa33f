"""Running a sweep, here or on an executor; it can be stopped and resumed.

Rows are in the file before the end of their task is reported. No executor changes the table.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import closing, contextmanager
from os import PathLike
from pathlib import Path

from dpviz.base import Frame, Progress, check_kind, ignore_progress, portion
from dpviz.studies.executors import Gives, RenewableExecutor, worker_failure
from dpviz.studies.sweep import Identity, Row, Sweep, SweepTask
from dpviz.studies.sweep_journal import Journal, rows_to_frame
from dpviz.studies.worker_processes import defer_signals

_AHEAD_LOCALLY = 32  # to processes of this machine, whose tasks are not taken back
_AHEAD = 256  # tasks handed out at a time: enough for a large cluster, few enough to stop soon
_POLL = 0.2  # seconds between looks at whether to stop
# times in a row that tasks may be lost, with none ended in between, before nobody is thought to be
# there
_LOSSES = 3

Ended = Generator[tuple[SweepTask, list[Row]], None, None]


def run_sweep(
    sweep: Sweep,
    *,
    executor: Executor | Gives | None = None,
    output: str | PathLike[str] | None = None,
    format: str | None = None,
    progress: Progress = ignore_progress,
) -> Frame:
    """Table of a sweep: one row a figure, in canonical order.

    Parameters
    ----------
    sweep
        The sweep.
    executor
        Any `concurrent.futures.Executor`, also that of a `distributed.Client`, or a function that
        gives one (such as joblib's `get_reusable_executor`) and is called again where a process has
        ended; None to compute here, one task after the other.
    output
        File that each task's rows are appended to; tasks whose rows it has are not run again.
    format
        "csv" or "json" (one object a line); None to go by the file's ending.
    progress
        Called with the fraction done; may raise `Cancelled`, which stops handing out tasks and
        keeps finished ones in the file.

    Returns
    -------
    Frame
        The columns `COLUMNS`.

    Raises
    ------
    ParameterError
        For an output that is no file of this sweep.
    BrokenExecutor
        Where the executor loses its tasks again and again.
    Exception
        The error of a task, with a note that names the task.

    Examples
    --------
    >>> from dpviz import Scores
    >>> sweep = Sweep(scores={"two": Scores([2.0, 0.0])}, epsilons=[1.0], ks=[1], figures=["top"])
    >>> run_sweep(sweep)[["figure", "value", "method", "mechanism", "epsilon", "k"]].round(4)
      figure   value method  mechanism  epsilon  k
    0    top  0.6225  exact  canonical      1.0  1
    """
    check_kind("sweep", sweep, Sweep, "a Sweep, such as Sweep(scores={'votes': votes})")
    journal = None if output is None else Journal(Path(output), format)
    rows = {} if journal is None else journal.read_finished_rows(sweep)
    begun = bool(rows)
    pending = [task for task in sweep.tasks if any(key not in rows for key in _keys(task))]
    done = len(sweep.tasks) - len(pending)
    total = max(1, len(sweep.tasks))

    def part(ended: int) -> Progress:
        return portion(progress, (done + ended) / total, (done + ended + 1) / total)

    progress(done / total)
    with closing(
        _serially(pending, part) if executor is None else _handed_out(pending, executor, part)
    ) as endings:
        for task, figures in endings:
            new = [
                (key, row) for key, row in zip(_keys(task), figures, strict=True) if key not in rows
            ]
            if journal is not None:
                journal.append(row for _, row in new)
            rows |= dict(new)
    order = [key for task in sweep.tasks for key in _keys(task)]
    ordered = [rows[key] for key in order]
    if journal is not None and (begun or list(rows) != order):  # else the file is the table already
        journal.replace_with_table(ordered)
    progress(1.0)
    return rows_to_frame(ordered)


def _keys(task: SweepTask) -> list[Identity]:
    return [(*task.identity, figure) for figure in task.figure_names]


def _serially(tasks: Sequence[SweepTask], part: Callable[[int], Progress]) -> Ended:
    for ended, task in enumerate(tasks):
        with _noted(task):
            figures = task.rows(part(ended))
        yield task, figures


@contextmanager
def _noted(task: SweepTask) -> Iterator[None]:
    try:
        yield
    except Exception as err:
        err.add_note(str(task))
        raise


def failed_task_text(err: BaseException) -> str:
    """Task that an error of `run_sweep` is about; "this" where there is none."""
    return " ".join(getattr(err, "__notes__", ["this"]))


def _handed_out(
    tasks: Sequence[SweepTask], executor: Executor | Gives, part: Callable[[int], Progress]
) -> Ended:
    """Tasks with their rows as they end; on an error, the finished ones come first."""
    waiting, workers = deque(tasks), RenewableExecutor(executor)
    running: dict[Future[list[Row]], SweepTask] = {}
    ended = losses = 0
    with defer_signals() as let_signals_in:
        try:
            while True:
                let_signals_in()
                while waiting and len(running) < (_AHEAD_LOCALLY if workers.is_local else _AHEAD):
                    task = waiting.popleft()
                    running[workers.submit(task)] = task
                if not running:
                    return
                over, _ = wait(running, timeout=_POLL, return_when=FIRST_COMPLETED)
                gone = {
                    future: why for future in over if (why := worker_failure(future)) is not None
                }
                failed = [future for future in over - gone.keys() if future.exception() is not None]
                for future in over - gone.keys() - set(failed):
                    yield running.pop(future), future.result()
                    ended, losses = ended + 1, 0
                for future in failed:
                    with _noted(running[future]):
                        future.result()  # raises what the worker raised
                if gone:
                    losses += workers.replace_executor(gone)
                    if losses > _LOSSES:
                        raise next(iter(gone.values()))
                    # at the end: one of them may be the task that ends the workers
                    waiting.extend(running.pop(future) for future in gone)
                if ended < len(tasks):
                    part(ended)(0.0)
        finally:
            # A process pool whose workers are then ended trips over futures that somebody else
            # cancelled; it is for its owner to shut it down, and only the few tasks handed out
            # ahead are left in it.
            if not workers.is_local:
                for future in running:
                    future.cancel()
