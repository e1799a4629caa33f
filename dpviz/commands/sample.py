"""`sample`: draw from a mechanism, to see what it does (not to publish)."""

import numpy as np

from dpviz.base import ParameterError, Progress, check_integer, pd
from dpviz.commands.base import Answer, Args, Command, Parser
from dpviz.commands.request import add_request, requested
from dpviz.studies.law_study import ReleasesStudy
from dpviz.topk import OneShot

UNSAFE = (
    "These draws are illustrations: a release must not use a seed that others know, nor plain floating-point noise."
)
_MOST_DRAWN = 50_000_000  # items in all draws together


def _add(parser: Parser) -> None:
    parser.add_argument("--scores", action="store_true", help="with the noisy scores too, where ε covers them")
    parser.add_argument("-n", "--releases", type=int, default=1, metavar="N", help="how many releases (default 1)")
    add_request(parser)


def _run(args: Args, progress: Progress) -> Answer:
    request = requested(args, progress, one=True)
    scenario, scores = request.scenario, request.scores
    size = check_integer("--releases", args.releases, low=0)
    if size * scenario.k > _MOST_DRAWN:
        raise ParameterError("--releases", size, f"at most {_MOST_DRAWN // scenario.k:,} for k = {scenario.k}")
    mechanism = scenario.mechanisms[0]
    if args.scores and not isinstance(mechanism, OneShot):
        raise ParameterError("--scores", mechanism.name, "left out: one_shot alone releases scores")
    study = ReleasesStudy(mechanism=mechanism, scores=scores, size=size, seed=scenario.seed, noisy=args.scores)
    items, noisy = study.releases
    table = pd.DataFrame(
        {
            "draw": np.repeat(np.arange(1, size + 1), scenario.k),
            "item": items.ravel(),
            "label": [scores.label(i) for i in items.ravel().tolist()],
            **({} if noisy is None else {"noisy_score": noisy.ravel()}),
        }
    )
    return Answer(table=table, notes=(*request.notes, UNSAFE), scenario=scenario)


COMMAND = Command(
    add=_add,
    run=_run,
    examples=("-m canonical -k 3 -n 5 --seed 7",),
)
