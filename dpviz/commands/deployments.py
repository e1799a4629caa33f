"""`deployments`: public deployments of differential privacy, and what their parameters mean."""

from dpviz.base import ParameterError, Progress
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.options import Option
from dpviz.data.deployments import UNIT_GROUPS, public_deployments, read_deployment_folder


def _run(args: Args, progress: Progress) -> CommandResult:
    # with plotly, which `--help` can do without
    from dpviz.pages.deployments import sentences, view  # noqa: PLC0415

    own = () if args.registry is None else read_deployment_folder(args.registry)
    entries = {one.slug: one for one in (*public_deployments(), *own)}
    shown = view.filtered_figures(entries.values(), args.unit)
    if args.name is not None:
        wanted = args.name.casefold()
        shown = [
            one
            for one in shown
            for of in [one.deployment]
            if any(wanted in text.casefold() for text in (of.slug, of.name, *of.curators))
        ]
        if not shown:
            allowed = "part of the name or publisher of a deployment; without it all are listed"
            raise ParameterError("NAME", args.name, allowed)
    progress(1.0)
    told = (
        [" ".join([f"{one.deployment.name}:", *sentences.promise_sentences(one)]) for one in shown]
        if args.name is not None
        else []
    )
    return CommandResult(table=view.deployments_table(shown), notes=(*told, sentences.CAUTION))


COMMAND = Command(
    options=(
        Option(
            "name",
            nargs="?",
            metavar="NAME",
            help="part of a name or publisher, to see those alone and what they promise",
        ),
        Option(
            "--unit",
            choices=(*UNIT_GROUPS, "other"),
            help="only those that protect such a unit",
        ),
        Option(
            "--registry",
            metavar="FOLDER",
            help="a folder with entries of your own: YAML of the registry, or decision sheets as JSON",
        ),
    ),
    run=_run,
    examples=("'current pageviews'", "--unit person --format json"),
)
