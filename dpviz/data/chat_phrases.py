"""A universe that nobody can list: made-up first words of chats."""

PEOPLE = 8_000
CHARACTERS, LENGTH = 100, 200
UNIVERSE = CHARACTERS**LENGTH
_GREETINGS = {"hello": 1262, "hi": 1257, "good morning": 1249}
_REST = (
    "where is my order",
    "i want to speak to someone",
    "i forgot my password",
    "my parcel is damaged",
    "how do i send it back",
    "is anybody there",
    "change my address please",
    "when do you open",
    "i was charged twice",
    "cancel my order",
    "the code does not work",
    "do you ship abroad",
    "it does not switch on",
    "what does it cost",
    "thank you for yesterday",
    "is this still available",
)
_HIGHEST, _RATIO = 96, 0.83


def chat_opening_counts() -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Labels and scores: three greetings, then each a fixed share of the one before."""
    counts = _GREETINGS | {text: round(_HIGHEST * _RATIO**i) for i, text in enumerate(_REST)}
    return tuple(counts), tuple(float(score) for score in counts.values())
