"""Displays and the ink of pens in pictures."""

from __future__ import annotations

import numpy as np
import pytest

from tests.render.formulas import linear, shown
from wbcore.visual.live_textures import LiveTexture

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
