"""Displays: what controllers draw is what is saved, shown on shapes and seen by sensors.

Judge: the reference manual's chapter Display, and WbDisplay.cpp for what it leaves open.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.devices.rig import Rig, robot, world
from wbridge.wbcore.devices.display import Display
from wbridge.wbcore.drawing.canvas import BLACK

DISPLAY = 'Display { name "d" width 8 height 4 }'
CAMERA = 'Camera { name "c" width 8 height 4 }'
GREEN = 0xFF00FF00


@pytest.fixture
def rig(drive: Callable[..., Rig]) -> Rig:
    return drive(world(robot(f"{DISPLAY} {CAMERA}")))


def saved(rig: Rig, folder: Path, image: Any = None) -> np.ndarray:
    """Red, green, blue, alpha of a saved image, read by another library."""
    file = folder / "saved.png"
    rig["d"].image_save(image, str(file))
    return np.asarray(Image.open(file).convert("RGBA"))


def test_the_controller_knows_the_size(rig: Rig):
    assert (rig["d"].get_width(), rig["d"].get_height()) == (8, 4)


def test_a_display_is_black_until_something_is_drawn(rig: Rig, tmp_path: Path):
    assert saved(rig, tmp_path).tolist() == [[[0, 0, 0, 255]] * 8] * 4


def test_drawings_are_saved_with_their_colors(rig: Rig, tmp_path: Path):
    display = rig["d"]
    display.set_color(0x0A6E14)
    display.fill_rectangle(0, 0, 2, 2)
    display.set_opacity(0.5)
    display.set_color(0xFFFFFF)
    display.draw_pixel(0, 0)
    pixels = saved(rig, tmp_path)
    assert pixels[1, 1].tolist() == [0x0A, 0x6E, 0x14, 255]
    # int(0.5 * 255) = 127: (128 old + 127 * 255) / 255, rounded down.
    assert pixels[0, 0].tolist() == [132, 182, 137, 255]
    assert pixels[3, 3].tolist() == [0, 0, 0, 255]


def test_images_are_copied_pasted_and_deleted(rig: Rig, tmp_path: Path):
    display = rig["d"]
    display.draw_pixel(1, 1)
    part = display.image_copy(0, 0, 3, 2)
    display.image_paste(part, 4, 2, False)
    pixels = saved(rig, tmp_path)
    assert np.argwhere(pixels[:, :, 0]).tolist() == [[1, 1], [3, 5]]
    assert saved(rig, tmp_path, part).shape == (2, 3, 4)
    display.image_delete(part)
    rig.step()
    assert rig.model("d").images.all == {}


@pytest.mark.parametrize(
    ("format_", "data"),
    [(3, [1, 2, 3]), (4, [1, 2, 3, 9]), (5, [9, 1, 2, 3]), (6, [3, 2, 1, 9]), (7, [9, 3, 2, 1])],
)
def test_all_formats_of_new_images(rig: Rig, tmp_path: Path, format_: int, data: list[int]):
    image = rig["d"].image_new(2, 1, bytes(data * 2), format_)
    rig["d"].image_paste(image, 0, 0, False)
    assert saved(rig, tmp_path)[0, 1].tolist() == [1, 2, 3, 255 if format_ == 3 else 9]


def test_a_file_is_loaded_and_pasted(rig: Rig, tmp_path: Path):
    file = tmp_path / "in.png"
    Image.new("RGBA", (2, 2), (10, 20, 30, 255)).save(file)
    image = rig["d"].image_load(str(file))
    rig["d"].image_paste(image, 6, 0, True)
    assert saved(rig, tmp_path)[1, 7].tolist() == [10, 20, 30, 255]


def test_texts_stand_where_they_are_drawn(rig: Rig):
    display = rig["d"]
    display.draw_text("l", 0, -3)
    rig.step()
    assert (rig.model("d").picture != BLACK).any()


def test_an_unknown_font_is_reported_with_the_nearest_one(rig: Rig, caplog: pytest.LogCaptureFixture):
    rig["d"].set_font("Ariel", 8, True)
    rig.step()
    assert "unknown font \"Ariel\"; did you mean 'Arial'?" in caplog.text


def test_a_camera_shows_where_the_display_was_black(rig: Rig, tmp_path: Path):
    """WbDisplay.cpp: attaching turns exactly 0xFF000000 transparent; copies are mixed with the camera."""
    display, model = rig["d"], rig.model("d")
    picture = np.full((4, 8, 4), (50, 60, 70, 255), dtype=np.uint8)
    display.draw_pixel(1, 0)
    rig.step()
    display.attach_camera(rig["c"].tag)
    rig.step()
    model.camera = SimpleNamespace(picture=picture)
    pixels = saved(rig, tmp_path)
    assert pixels[0, 0].tolist() == [70, 60, 50, 255]
    assert pixels[0, 1].tolist() == [255, 255, 255, 255]
    picture[:] = 9
    assert saved(rig, tmp_path)[3, 3, :3].tolist() == [9, 9, 9]
    before = model.version
    rig.step()
    assert model.version > before
    display.detach_camera()
    assert saved(rig, tmp_path)[3, 3].tolist() == [0, 0, 0, 0]


def test_only_cameras_of_the_same_size_are_attached(drive: Callable[..., Rig]):
    rig = drive(world(robot(f'{DISPLAY} Camera {{ name "c" width 9 height 4 }}')))
    model = rig.model("d")
    with pytest.raises(ValueError, match="9 x 4 pixels; only one of the display's size, 8 x 4"):
        model.on_attach_camera(rig.model("c").tag)
    for tag in (0, model.tag, 99):
        with pytest.raises(ValueError, match="is not a camera"):
            model.on_attach_camera(tag)


def test_the_state_for_remote_mode_has_the_pixels_and_the_ink(rig: Rig):
    model = rig.model("d")
    rig["d"].set_color(0x010203)
    rig["d"].draw_pixel(7, 3)
    rig.step()
    model.on_get_state()
    out = bytearray()
    model.write_outbox(out)
    assert len(out) == 3 + 4 + 4 + 8 * 4 * 4 + 4 + 2
    assert bytes(out[-10:]) == bytes((3, 2, 1, 255, 3, 2, 1, 0, 255, 255))


def test_a_state_restores_pixels_ink_font_and_images(rig: Rig):
    display, model = rig["d"], rig.model("d")
    display.set_color(0x00FF00)
    display.set_font("Arial", 12, False)
    display.fill_rectangle(0, 0, 8, 4)
    display.image_copy(0, 0, 3, 2)
    rig.step()
    state = rig.simulation.state()
    display.set_color(0)
    display.fill_rectangle(0, 0, 8, 4)
    rig.step()
    assert not (model.picture == GREEN).any()
    rig.simulation.restore(state)
    assert (model.picture == GREEN).all()
    assert (model.canvas.rgb, model.font) == (0x00FF00, ("Arial", 12, False))
    assert [one.shape for one in model.images.all.values()] == [(2, 3)]


def test_a_reset_clears_the_display(rig: Rig):
    rig["d"].fill_rectangle(0, 0, 8, 4)
    rig.step()
    rig.simulation.reset()
    assert (rig.model("d").picture == BLACK).all()


SCREEN = """
Display { name "d" width 2 height 1 children [ Group { children [ Shape {
  appearance PBRAppearance { baseColor 1 1 1 roughness 0 metalness 0
    baseColorMap ImageTexture { url "none.png" } emissiveColorMap ImageTexture { } }
  geometry Plane { size 2 2 } } ] } ] }
DistanceSensor { name "ir" type "infra-red" translation 0.5 0 1 rotation 0 1 0 1.5707963
  lookupTable [ 0 0 0 2 2000 0 ] }
"""


def test_infra_red_sensors_see_what_a_display_shows_on_its_shape(drive: Callable[..., Rig]):
    """Manual, DistanceSensor: red surfaces reflect more. The right half turns blue and back."""
    rig = drive(world(robot(SCREEN)))
    rig.enable("ir")
    found = []
    for color in (0xFF0000, 0x0000FF, 0xFF0000):
        rig["d"].set_color(color)
        rig["d"].draw_pixel(1, 0)
        rig.step(2)
        found.append(rig["ir"].get_value())
    assert found[0] == found[2]
    assert found[0] != found[1]


def test_windows_show_the_picture_once_it_is_drawn(rig: Rig):
    model = rig.model("d")
    assert model.shown_picture(100) is None
    rig["d"].set_color(0x010203)
    rig["d"].draw_pixel(0, 0)
    rig.step()
    columns, rows, pixels = model.shown_picture(4)
    assert (columns, rows, pixels[:4]) == (4, 2, bytes((3, 2, 1, 255)))


def test_nonsense_from_the_wire_is_refused(rig: Rig):
    model = rig.model("d")
    for values in ((0, 1, 1), (1, 0, 1), (1, 1, -5), (-3, 1, 1)):
        with pytest.raises(ValueError, match="image .* has an invalid size"):
            model.on_image_copy(values[0], 0, 0, *values[1:])
    with pytest.raises(ValueError, match="1 points; expected 2"):
        model.on_draw_line([1], [2])
    with pytest.raises(ValueError, match="2 bytes for 1 x 1 pixels of format 3"):
        model.on_image_new(1, 1, 1, 3, b"12")
    with pytest.raises(ValueError, match="allowed: 1 to 500"):
        model.on_set_font(10_000, True, "Arial\0")


def test_the_number_and_the_size_of_images_are_limited(rig: Rig, monkeypatch: pytest.MonkeyPatch):
    model = rig.model("d")
    for number in range(1, 4097):
        model.on_image_new(number, 1, 1, 3, b"abc")
    with pytest.raises(ValueError, match="more than 4096 images"):
        model.on_image_new(5000, 1, 1, 3, b"abc")
    monkeypatch.setattr("wbridge.wbcore.devices.display_images.MOST_PIXELS", 4000)
    with pytest.raises(ValueError, match="more than 4000 pixels; delete some"):
        model.on_image_new(1, 1, 1, 3, b"abc")


def test_a_display_that_is_too_large_stays_off(drive: Callable[..., Rig], caplog: pytest.LogCaptureFixture):
    rig = drive(world(robot('Display { name "d" width 65535 height 65535 }')))
    rig["d"].draw_pixel(0, 0)
    rig.step(2)
    assert "displays of 1 to 16777216 pixels can be drawn" in caplog.text
    model: Display = rig.model("d")
    assert model.picture is None


def test_a_microphone_hears_nothing(drive: Callable[..., Rig], caplog: pytest.LogCaptureFixture):
    rig = drive(world(robot('Microphone { name "m" }')))
    rig.enable("m")
    rig.step(2)
    assert "records nothing: sound is not simulated" in caplog.records[0].getMessage()
