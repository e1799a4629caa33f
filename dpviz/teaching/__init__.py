"""Lessons and classes: predict, try, understand; `lesson` says what a lesson is made of."""
