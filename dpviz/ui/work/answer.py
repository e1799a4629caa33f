"""What a page shows first, computed beside it: at once where that is quick, else handed over as it comes.

Results are kept per session, under a key that says all they are about, so one person's data never reach another's page.
"""

from dpviz.ui.work.desk import FIRST_PATIENCE, LAWS_PATIENCE, Wanted, desk
from dpviz.ui.work.job import Job


def work_on(*wanted: Wanted) -> list[Job]:
    """What a page shows first, after a moment's wait; what another page or another value asked for is stopped."""
    return desk().ask("laws", wanted, patience=LAWS_PATIENCE if desk().jobs("laws") else FIRST_PATIENCE)
