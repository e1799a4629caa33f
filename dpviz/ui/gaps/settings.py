"""What the halves of the page share: its parameters with their controls, and the seed of the release that is shown."""

from dpviz.studies.pages.gaps import GAPS_PAGE
from dpviz.studies.scenario import LARGEST_SEED
from dpviz.ui.shell import PageParameters, state

PAGE = PageParameters.of(GAPS_PAGE)
SAME_RUN = "The same seed gives the same release again."


def next_seed() -> None:
    """Go on to the next seed."""
    state.change("page", seed=(state.scenario().seed + 1) % LARGEST_SEED)
