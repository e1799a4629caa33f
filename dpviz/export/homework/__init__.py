"""Homework as files: sheets for students; the key, questions and notebooks for the teacher.

Invariant: a student's sheet never holds an answer of the key.
"""
