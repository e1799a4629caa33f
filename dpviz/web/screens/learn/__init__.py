"""Learn: lessons to choose from, and a lesson step by step.

`position` is a place in the lessons, `step` draws a step, here and in a class. `lesson_page` shows
a lesson to one reader, `overviews` the lists of lessons, sessions and items of papers.
"""
