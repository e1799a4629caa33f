"""`sample`: draw lists from a mechanism, as illustrations and not to publish."""

import numpy as np

from dpviz.base import ParameterError, Progress, check_integer, pd
from dpviz.commands.base import Args, Command, CommandResult
from dpviz.commands.options import Option
from dpviz.commands.request import RequestOptions, build_request
from dpviz.studies.mechanism_studies import ReleasesStudy, noisy_score_sampler

UNSAFE = (
    "These draws are illustrations. A release must not use a known seed or plain floating-point"
    " noise."
)
_MOST_DRAWN = 50_000_000  # items in all draws together


def _run(args: Args, progress: Progress) -> CommandResult:
    request = build_request(args, progress, single_design=True)
    scenario, scores = request.scenario, request.scores
    size = check_integer("--releases", args.releases, low=0)
    if size * scenario.k > _MOST_DRAWN:
        raise ParameterError(
            "--releases", size, f"at most {_MOST_DRAWN // scenario.k:,} for k = {scenario.k}"
        )
    mechanism = scenario.mechanisms[0]
    if args.scores:
        noisy_score_sampler(mechanism)
    items, noisy = ReleasesStudy(
        mechanism=mechanism, scores=scores, size=size, seed=scenario.seed, noisy=args.scores
    ).releases
    draw, place = np.nonzero(items >= 0)  # a release may hold fewer
    chosen = items[draw, place]
    table = pd.DataFrame(
        {
            "draw": draw + 1,
            "item": chosen,
            "label": [scores.label(i) for i in chosen.tolist()],
            **({} if noisy is None else {"noisy_score": noisy[draw, place]}),
        }
    )
    return CommandResult(table=table, notes=(*request.notes, UNSAFE), scenario=scenario)


COMMAND = Command(
    options=(
        Option("--scores", action="store_true", help="add the noisy scores, if ε covers them"),
        Option(
            "-n",
            "--releases",
            type=int,
            default=1,
            metavar="N",
            help="the number of releases (default 1)",
        ),
        RequestOptions(),
    ),
    run=_run,
    examples=("-m canonical -k 3 -n 5 --seed 7",),
)
