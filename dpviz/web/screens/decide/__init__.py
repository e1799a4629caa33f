"""The page Decide, an ε that a team can defend: one question a screen, then the answer.

`question` reads and changes the question in the scenario, `screens` has the controls of each
question, `data_screen` those of the data. `answer` is the last screen, `downloads` its pinned
decisions, sheet, code and scenario.
"""
