"""Learn: lessons to choose from, and a lesson step by step.

`step` is a place in the lessons and draws its pieces, here and in a class. `lesson_page` shows a
lesson to one reader, `overviews` the lists of lessons, sessions and items of papers.
"""
