"""What is computed beside a page, and handed over as it comes; read `job` first.

A `Job` runs named steps in a thread; the session's `desk` starts jobs, keeps them and cancels what nobody wants any
more. `pending` are the parts of a page that fill as it comes, and the line that says what is under way and stops it.
`answer` is the law of a mechanism with all that a page reads from it. `kept` holds what was made, for a while.
Nothing of it ever leaves the session.
"""
