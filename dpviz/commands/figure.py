"""`figure`: a page as one HTML file with a slider, for use without the app or a network."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from dpviz.base import ParameterError, Progress, check_choice, portion
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.candidates import read_run_file
from dpviz.commands.data_options import DataOptions
from dpviz.commands.options import Option, OptionGroup, refuse_given_options
from dpviz.commands.request import RequestOptions, build_request, unknown_names_note
from dpviz.pages import NAMES, load_page_view
from dpviz.studies.link import Link
from dpviz.studies.scenario import Scenario, parse_scalar

if TYPE_CHECKING:
    from dpviz.pages.common import PageSubject

_POOL = "pc.pool"
_OF_SCORES = (
    "epsilon",
    "k",
    "mechanism",
    "sensitivity",
    "fall",
    "monotonic",
    "contributions",
    "label_column",
)


def _run(args: Args, progress: Progress) -> CommandResult:
    from dpviz.export.takeaway import page_takeaway_file  # noqa: PLC0415 - with plotly, which `--help` can do without
    from dpviz.pages.common import PageSubject  # noqa: PLC0415

    link = (
        Link.parse(args.scenario)
        if args.scenario is not None and Link.is_address(args.scenario)
        else None
    )
    name = args.page
    if name is None and link is not None:
        name = link.page or "explore"
    page = load_page_view(check_choice("--page", name, NAMES))
    args.first = page.first_scenario
    base = DataOptions(args, page.first_scenario).base_scenario
    changed = base.replace(page={**base.page, **_settings(args.set or (), page.settings)})
    if page.uses_candidates is not None and page.uses_candidates(changed):
        of, notes = _among(args, changed, portion(progress, 0.0, 0.1)), tuple[str, ...]()
    else:
        request = build_request(
            args, portion(progress, 0.0, 0.1), own_mechanism=page.describe_settings is not None
        )
        of = PageSubject(request.scenario.replace(page=changed.page), request.scores)
        notes = request.notes
        if page.describe_settings is not None:
            notes += unknown_names_note(of.scenario, request.scores, page.describe_settings(of))
    about = page.provenance(
        of,
        date=datetime.now(UTC).astimezone().date(),
        link="" if link is None else link.url_with_scenario(of.scenario),
    )
    file = page_takeaway_file(page, of, about.rows, portion(progress, 0.1, 1.0))
    return CommandResult(table=[], notes=notes, scenario=of.scenario, document=file.html)


def _settings(given: Sequence[str], known: Sequence[str]) -> dict[str, Any]:
    said = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise ParameterError(
                "--set", text, "a name, = and a value, such as gaps.half=sparse_vector"
            )
        said[check_choice("a setting of this page", name, known)] = parse_scalar(value)
    return said


def _among(args: Args, scenario: Scenario, progress: Progress) -> "PageSubject":
    """Subject of a page about candidates: the built-in ones, or a table of runs."""
    from dpviz.pages.common import PageSubject  # noqa: PLC0415 - as in _run

    refuse_given_options(args, _OF_SCORES, "on a page about candidates; see --set")
    scenario = scenario if args.seed is None else scenario.replace(seed=args.seed)
    files = [text for source, text in args.data if source == "file"]
    if len(files) != len(args.data) or len(files) > 1:
        raise ParameterError(
            "the candidates", "several or other sources", "one --file with a table of runs, or none"
        )
    pool = scenario.page.get(_POOL, "built_in")
    if not files:
        if pool != "built_in":
            raise ParameterError(
                "--file", None, "given, as a link never contains its table of runs"
            )
        return PageSubject(scenario)
    return PageSubject(
        scenario.replace(page={**scenario.page, _POOL: "uploaded"}),
        table=read_run_file(files[0], args, progress),
    )


COMMAND = Command(
    options=(
        OptionGroup(
            "the page",
            Option("--page", choices=NAMES, help="the page (default: that of the link)"),
            Option(
                "--set",
                action="append",
                metavar="NAME=VALUE",
                help=(
                    "a setting of the page, named as in its link after page.; can be given many"
                    " times"
                ),
            ),
            Option(
                "--candidate-column",
                metavar="COLUMN",
                help="for pages about candidates: the column of the candidate in --file",
            ),
        ),
        RequestOptions(several=True, without=("samples",)),
    ),
    run=_run,
    examples=(
        "--page explore -e 1 -k 3 --example class_trip -o figure.html",
        (
            "--page gaps --set gaps.half=sparse_vector -k 2 --file counts.csv --monotonic -o"
            " figure.html"
        ),
        "--page decide --scenario votes.json -o figure.html",
        '--scenario "http://localhost:8501/candidates?page.pc.view=price" -o figure.html',
    ),
    tabular=False,
    formats=("html",),
)
