"""Homework as files: sheets for students; and for the teacher the key, Moodle's questions, and a
notebook for otter-grader and nbgrader each.

Read `homework_files` first. Invariant: a student's sheet never holds an answer of the key.
"""
