"""The page Decide, an ε that a team can defend: screens, one question each, then the answer.

`asked` has the question as the scenario holds it and changes it, `screens` the controls of each question; `answer` is
the last screen, with two decisions side by side and what can be taken along: the sheet, the code, the scenario.
"""

from dpviz.ui.decide.asked import start
from dpviz.ui.decide.screens import show_page

__all__ = ["show_page", "start"]
