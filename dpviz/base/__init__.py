"""What everything stands on: array types, errors, progress, parameters, menus, scores and noise.

Read `scores` first (what is selected from), then `noise` (five families behind every mechanism), then
`parameters` and `registry` (how a thing is declared once and appears in every menu).
"""
