"""Pictures in messages to the robot window: whole ones arrive, damaged and other messages are no pictures."""

from __future__ import annotations

import pytest

from wbridge.hal.protocol.shown_pictures import LARGEST, ShownPicture, pack, unpack

PICTURE = ShownPicture("Bild ä", 3, 2, bytes(range(24)))


def test_a_picture_arrives_as_it_was():
    assert unpack(pack(PICTURE)) == PICTURE
    large = ShownPicture("", LARGEST, LARGEST, bytes(4 * LARGEST**2))
    assert unpack(pack(large)) == large


def test_other_messages_are_no_pictures():
    for message in (b"", b"a text\0", b"\xff", b"\xffwbridge picture\0", bytes(100)):
        assert unpack(message) is None


@pytest.mark.parametrize("end", range(1, len(pack(PICTURE))))
def test_a_part_of_a_message_is_no_picture(end: int):
    assert unpack(pack(PICTURE)[:end]) is None


@pytest.mark.parametrize(("width", "height"), [(LARGEST + 1, 1), (1, LARGEST + 1), (0, 0), (0, 5)])
def test_sizes_have_limits(width: int, height: int):
    assert unpack(pack(ShownPicture("a", width, height, bytes(4 * width * height)))) is None
