"""One study and many at once: the scenario that all parameters come from, what is asked of it, and sweeps.

Read `scenario` first, whose links and files everything speaks; `pages` has what each page adds to it, `decision` the
question of which ε to take. A sweep is designs × ε × k × score vectors in one table: `grid` says which tasks there
are and what one gives, `run` computes them on any executor, and `journal` is the file that a stopped one goes on from.
"""

from dpviz.studies.grid import COLUMNS, FIGURES, LeftOut, Sweep, Task
from dpviz.studies.journal import FORMATS
from dpviz.studies.run import run_sweep

__all__ = ["COLUMNS", "FIGURES", "FORMATS", "LeftOut", "Sweep", "Task", "run_sweep"]
