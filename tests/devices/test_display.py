"""Displays: all commands are understood; what is saved is empty; nonsense does no harm."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hal.modes.image_files import read_image_file
from tests.devices.rig import Rig, robot, world

DISPLAY = 'Display { name "d" width 8 height 4 }'


@pytest.fixture
def rig(drive: Callable[..., Rig]) -> Rig:
    return drive(world(robot(DISPLAY)))


def test_the_size_is_told(rig: Rig):
    assert (rig["d"].get_width(), rig["d"].get_height()) == (8, 4)


def test_drawing_is_taken_and_said_once_not_to_be_seen(rig: Rig, caplog: pytest.LogCaptureFixture):
    display = rig["d"]
    for _ in range(2):
        display.set_color(0xFF0000)
        display.draw_pixel(1, 1)
        display.draw_line(0, 0, 7, 3)
        display.draw_text("text", 0, 0)
        display.fill_oval(4, 2, 2, 1)
        display.draw_polygon([0, 1, 2], [0, 1, 0], 3)
        rig.step()
    assert [one.getMessage() for one in caplog.records] == [
        'warning: robot "robot": display "d": drawing is not implemented; it stays empty'
    ]


def test_pictures_have_sizes_and_can_be_saved(rig: Rig, tmp_path: Path):
    display = rig["d"]
    part = display.image_copy(0, 0, 3, 2)
    file = tmp_path / "part.png"
    display.image_save(part, str(file))
    assert read_image_file(str(file))[:2] == (3, 2)
    screen = tmp_path / "screen.png"
    display.image_save(None, str(screen))
    assert read_image_file(str(screen))[:2] == (8, 4)
    display.image_delete(part)
    rig.step()
    assert rig.model("d").images == {}


def test_nonsense_from_the_wire_is_refused(rig: Rig):
    model = rig.model("d")
    for values in ((0, 1, 1), (1, 0, 1), (1, 1, -5), (-3, 1, 1)):
        with pytest.raises(ValueError, match="image .* has an invalid size"):
            model.on_image_copy(values[0], 0, 0, *values[1:])
    model.images[7] = (30000, 30000)
    with pytest.raises(ValueError, match="too large"):
        model.on_image_save(7)


def test_the_number_of_pictures_is_limited(rig: Rig):
    model = rig.model("d")
    model.images = dict.fromkeys(range(1, 4097), (1, 1))
    with pytest.raises(ValueError, match="more than 4096 images"):
        model.on_image_new(5000, 1, 1, 3, b"abc")


def test_the_state_for_remote_mode_is_an_empty_display(rig: Rig):
    rig.model("d").on_get_state()
    out = bytearray()
    rig.model("d").write_outbox(out)
    assert len(out) == 3 + 4 + 4 + 8 * 4 * 4 + 4 + 2


def test_a_microphone_hears_nothing(drive: Callable[..., Rig], caplog: pytest.LogCaptureFixture):
    rig = drive(world(robot('Microphone { name "m" }')))
    rig.enable("m")
    rig.step(2)
    assert "records nothing: sound is not simulated" in caplog.records[0].getMessage()
