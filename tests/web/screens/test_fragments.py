"""A fragment has a block of its own, since Streamlit may move up what follows it in the same one."""

from collections.abc import Callable, Sequence

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import AppTest, element_tree, local_script_runner

from tests.web.screens.waiting import run_when_computed

PAGES = ("explore", "compare", "neighbours", "gaps", "margin", "candidates")


def drawn(path: Sequence[int], fragment: str = "") -> ForwardMsg:
    """A block at this place, of the page or of a fragment."""
    message = ForwardMsg()
    message.delta.add_block.vertical.border = False
    message.delta.fragment_id = fragment
    message.metadata.delta_path.extend(path)
    return message


def test_a_fragment_takes_its_part_out_of_a_page_that_is_not_sent_yet() -> None:
    """Streamlit does so; once it does not, a fragment needs no block of its own."""
    queue = ForwardMsgQueue()
    for message in (drawn([0, 1]), drawn([0, 2], "clock"), drawn([0, 3])):
        queue.enqueue(message)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["clock"])
    assert [list(message.metadata.delta_path) for message in queue.flush()] == [[0, 1], [0, 3]]


def strays(messages: Sequence[ForwardMsg]) -> list[list[int]]:
    """Places of fragments that share their block with something else."""
    owners: dict[tuple[int, ...], str] = {}
    for message in messages:
        if message.HasField("delta"):
            owners[tuple(message.metadata.delta_path)] = message.delta.fragment_id
    return [
        list(place)
        for place, fragment in owners.items()
        if fragment and owners.get(place[:-1]) != fragment
        if any(other != place and other[:-1] == place[:-1] for other in owners)
    ]


@pytest.mark.parametrize("page", PAGES)
def test_no_fragment_shares_its_block(
    page: str, open_page: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[ForwardMsg] = []
    read = element_tree.parse_tree_from_messages

    def hear(messages: list[ForwardMsg]) -> element_tree.ElementTree:
        seen[:] = messages
        return read(messages)

    monkeypatch.setattr(local_script_runner, "parse_tree_from_messages", hear)
    run_when_computed(open_page(page))
    assert any(message.delta.fragment_id for message in seen)
    assert strays(seen) == []
    assert strays([drawn([0, 1]), drawn([0, 2], "clock"), drawn([0, 3])]) == [[0, 2]]
