"""Displays and the ink of pens in pictures."""

from __future__ import annotations

import numpy as np
import pytest

from tests.render.formulas import linear, shown
from wbridge.wbcore.view.scene_view import SceneView
from wbridge.wbcore.visual.live_textures import LiveTexture

SCREEN = (
    "Solid { translation 4 0 0 children [ DEF WALL Shape { appearance Appearance { material Material { "
    "diffuseColor %s emissiveColor %s } %s } geometry Box { size 2 2 2 } } ] }"
)
IMAGE = 'texture DEF IMAGE ImageTexture { url [ "screen.png" ] }'
LIGHT = "DirectionalLight { direction 1 0 0 intensity 0.7 }"


def test_a_display_replaces_the_picture_of_its_texture(studio):
    """Colors are sRGB, as those of files."""
    studio.load(SCREEN % ("1 1 1", "1 1 1", IMAGE))
    pixels = np.full((4, 4, 4), 255, dtype=np.uint8)
    pixels[:, :, :3] = (200, 100, 0)
    live = LiveTexture(pixels)
    node = studio.simulation.world.find("IMAGE")
    studio.simulation.live_textures.put(node, live)
    wanted = [shown(linear(c / 255)) for c in (200, 100, 0)]
    assert studio.take()[16, 16].tolist() == pytest.approx(wanted, abs=1)
    pixels[:, :, :3] = (0, 255, 0)
    live.version += 1
    assert studio.take()[16, 16].tolist() == pytest.approx([0, shown(1), 0], abs=1)
    studio.simulation.live_textures.remove(node)
    assert studio.take()[16, 16].tolist() == pytest.approx([shown(1)] * 3, abs=1)


@pytest.mark.parametrize("alpha", [0, 128, 255])
def test_ink_covers_the_color_of_a_shape(studio, alpha):
    """Webots mixes ink with the color by its alpha, without conversion."""
    studio.load(SCREEN % ("0.5 0.5 0.5", "0 0 0", "") + LIGHT)
    ink = LiveTexture(np.full((4, 4, 4), (255, 0, 0, alpha), dtype=np.uint8))
    studio.simulation.live_textures.put(studio.simulation.world.find("WALL"), ink)
    share = alpha / 255
    base = linear(0.5)
    wanted = [shown(0.7 * (base + share * (c - base))) for c in (1, 0, 0)]
    assert studio.take()[16, 16].tolist() == pytest.approx(wanted, abs=1)


# A red wall, and before it a screen of a display; both emit light.
BEHIND = (
    "Pose { translation 6 0 0 children [ Shape { appearance Appearance { material Material { "
    "diffuseColor 0 0 0 emissiveColor 1 0 0 } } geometry Box { size 2 9 9 } } ] }"
)
SHOWING = (
    'Robot { name "r" controller "<none>" children [ Display { name "d" width 4 height 4 children [ Pose { '
    "translation 3 0 0 children [ Shape { appearance %s geometry Box { size 2 2 2 } } ] } ] } ] }"
)
PHONG = "Appearance { material Material { emissiveColor 1 1 1 } texture ImageTexture { filtering 0 } }"
PHYSICAL = (
    "PBRAppearance { metalness 1 roughness 1 IBLStrength 0 baseColorMap ImageTexture { filtering 0 } "
    "emissiveColor 1 1 1 }"
)
FILL = ([0, 4], [0, 4], True)


@pytest.fixture
def screen(studio):
    def load(appearance: str = PHONG):
        studio.load(BEHIND + SHOWING % appearance)
        (display,) = studio.simulation.robots.list[0].devices
        return display

    return load


def seen(studio, display) -> list[int]:
    display.after_step()
    return studio.take()[16, 16].tolist()


@pytest.mark.parametrize("alpha", [0, 102, 255])
def test_one_sees_through_a_display_by_its_alpha(studio, screen, alpha):
    """Judge: manual, Display: alpha 0 is fully transparent, 1 opaque; displayed values are mixed."""
    display = screen()
    display.on_set_alpha(alpha)
    display.on_set_color(0x00FF00)
    display.on_draw_rectangle(*FILL)
    share = alpha / 255
    assert seen(studio, display) == pytest.approx(_mixed(share), abs=2)
    display.on_set_alpha(255)
    display.on_draw_rectangle(*FILL)
    assert seen(studio, display) == pytest.approx([0, shown(1), 0], abs=2), "opaque again"


def _mixed(share: float) -> list[float]:
    """Green over red: light is mixed, then shown."""
    return [shown(1 - share), shown(share), 0.0]


def test_one_sees_through_a_physically_based_display(studio, screen):
    display = screen(PHYSICAL)
    display.on_set_alpha(0)
    display.on_draw_rectangle(*FILL)
    assert seen(studio, display) == pytest.approx([shown(1), 0, 0], abs=2)


def test_opacity_0_changes_nothing(studio, screen):
    """Judge: figure 3.10 of the manual."""
    display = screen()
    display.on_set_opacity(0)
    display.on_set_alpha(0)
    display.on_draw_rectangle(*FILL)
    assert seen(studio, display) == [0, 0, 0], "black and opaque, as at the start"


def test_images_with_alpha_are_pasted_with_it(studio, screen):
    """Judge: manual, wb_display_image_paste: without blending, pixels are replaced, alpha included."""
    display = screen()
    display.on_image_new(1, 4, 4, 4, bytes((0, 255, 0, 0)) * 16)
    display.on_image_paste(1, 0, 0, False)
    assert seen(studio, display) == pytest.approx([shown(1), 0, 0], abs=2)


def test_pages_show_through_a_transparent_display(studio, screen):
    display = screen()
    seen(studio, display)
    view = SceneView(studio.simulation)
    display.on_set_alpha(0)
    display.on_draw_rectangle(*FILL)
    display.after_step()
    surfaces = [one for key, one in view.changes().items() if key.startswith("surface ")]
    assert [one["transparent"] for one in surfaces] == [False, True]
