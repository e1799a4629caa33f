"""The page Decide, an ε that a team can defend: screens, one question each, then the answer.

`question` has the question as the scenario holds it and changes it, `screens` the controls of each
question, `data_screen` those of the data; `answer` is the last screen, `downloads` what can be
taken along from it: two decisions side by side, the sheet, the code, the scenario.
"""

from dpviz.web.screens.decide.question import set_up_decide_page
from dpviz.web.screens.decide.screens import show_page

__all__ = ["set_up_decide_page", "show_page"]
