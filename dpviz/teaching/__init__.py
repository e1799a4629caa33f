"""Lessons and classes: predict, try, understand.

`lesson` says what a lesson is made of; `lessons/permute_and_flip.py` is a short one. `LESSONS` is
the menu, in teaching order; importing `dpviz.teaching.lessons` fills it.
"""
