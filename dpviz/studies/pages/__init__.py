"""What each page of the app adds to a scenario, read off it without a browser: what pages show,
files and commands say.

`declared` is how parameters of a page are declared and read (read it first). Each other module is
one page: its settings, what it opens on, what is computed with them, and what it says that it
shows. What only a page needs, its controls and what is open on it, stays in the app.
"""
