"""Lessons: predict, try, understand; one idea each, with every figure computed when it is shown.

Read `lesson` first, which says what a lesson is made of, then `lessons/permute_and_flip.py`, a
short one. `LESSONS` is the menu, in teaching order; importing `dpviz.teaching.lessons` fills it.
"""
