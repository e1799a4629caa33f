"""What is kept is made once, and the one not asked for longest gives way."""

from dpviz.web.jobs.job_queue import RecentCache


def test_a_thing_is_made_once_and_the_last_few_are_kept() -> None:
    kept: RecentCache[str] = RecentCache(2)
    made: list[str] = []

    def make(key: str) -> str:
        made.append(key)
        return key.upper()

    for key in ("a", "b", "a", "c", "a", "b"):
        assert kept.get_or_make(key, lambda key=key: make(key)) == key.upper()
    assert made == ["a", "b", "c", "b"]
    assert list(kept) == ["a", "b"]
