"""What stands on a page, without the marks of what follows the hand."""

import re

_PLACE = re.compile(r'<span data-place="[^"]*" data-at="[^"]*">(.*?)</span>', re.DOTALL)


def unplaced(body: str) -> str:
    """The HTML as if nothing in it followed the hand."""
    return _PLACE.sub(r"\1", body)
