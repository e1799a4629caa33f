"""What views share: `page` says what a page's view is, with its headline figures (read it first), `slider` its figure.

`wording` is how they put things, `top_k` how they put the figures of a law of k items, `lessons` the picture of a
lesson's experiment, which has no page of its own here.
"""
