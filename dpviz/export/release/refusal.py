"""A release that is not made, and why."""

from dpviz.base import ParameterError


class Refusal(ParameterError):
    """A release that is not made, told in one sentence or two; nothing was drawn."""

    def __init__(self, sentence: str) -> None:
        super().__init__("the release", None, sentence)
        self.args = (sentence,)  # so that it survives pickling

    def __str__(self) -> str:
        return self.allowed
