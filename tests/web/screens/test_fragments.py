"""A fragment has a block of its own, since Streamlit may move up what follows it in the same one.

Every page that a test opens is looked at (`fragments_stand_alone`).
"""

from collections.abc import Sequence

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from tests.web.screens.shown import stray_fragments


def drawn(path: Sequence[int], fragment: str = "") -> ForwardMsg:
    """A block at this place, of the page or of a fragment."""
    message = ForwardMsg()
    message.delta.add_block.vertical.border = False
    message.delta.fragment_id = fragment
    message.metadata.delta_path.extend(path)
    return message


AMONG_OTHERS = drawn([0, 1]), drawn([0, 2], "clock"), drawn([0, 3])


def test_a_fragment_takes_its_part_out_of_a_page_that_is_not_sent_yet() -> None:
    """Streamlit does so; once it does not, a fragment needs no block of its own."""
    queue = ForwardMsgQueue()
    for message in AMONG_OTHERS:
        queue.enqueue(message)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["clock"])
    assert [list(message.metadata.delta_path) for message in queue.flush()] == [[0, 1], [0, 3]]
    assert stray_fragments(AMONG_OTHERS) == [[0, 2]]
