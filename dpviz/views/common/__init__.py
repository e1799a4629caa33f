"""What views share: `page` says what a page's view is (read it first), `headline` and `slider` what it shows.

`wording` is how they put things, `rules` the words for the ways to choose among candidates, `lessons` the picture of a
lesson's experiment, which has no page of its own here.
"""
