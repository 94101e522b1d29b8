"""What plugins draw is in pictures: of the main view, and of cameras.

Judge: the manual, 6.3.6 (passes and views), a pinhole camera's formula, and OpenGL's depth test.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.physics_plugins.projects import complete, project, simulation
from tests.physics_plugins.test_drawing import GL
from wbridge.wbcore.physics.errors import PluginError

SIZE = 64
WORLD = """#VRML_SIM R2025a utf8
WorldInfo {{ basicTimeStep 8 physics "probe" }}
Background {{ skyColor [ 0 0 0 ] }}
Viewpoint {{ }}
{nodes}
Robot {{
  name "seer" controller "<none>"
  children [ Camera {{ name "camera" width 64 height 64 fieldOfView 1.5707963267948966 {camera} }} ]
}}
"""
WALL = (
    "Solid { translation 4 0 0 children [ Shape { appearance Appearance { } geometry Box { size 1 9 9 } } ] }"
)
GLASS = """Solid { translation 0 0 -50 children [ Shape {
  appearance PBRAppearance { transparency 0.5 } geometry Sphere { radius 0.1 } } ] }"""
"""Out of sight: with something transparent in the world, pictures consist of light, then of colors."""
SQUARE = """
static void square(double x, double half) {
  glBegin(7);
  glVertex3d(x, half, -half); glVertex3d(x, -half, -half);
  glVertex3d(x, -half, half); glVertex3d(x, half, half);
  glEnd();
}
"""


def taken(
    folder: Path, code: str, nodes: str = "", camera: str = "", main: bool = False
) -> NDArray[np.uint8]:
    """Return a picture (height, width, 3; red, green, blue) of a world in which a plugin draws."""
    source = f"""#include <string.h>
    {GL}{SQUARE}void webots_physics_draw(int pass, const char *view) {{ {code} }}"""
    world = project(folder, complete(source), world=WORLD.format(nodes=nodes, camera=camera))
    with simulation(world) as running:
        if main:
            return running.main_view.picture((SIZE, SIZE))[:, :, 2::-1]
        (seer,) = running.robots.list
        pixels = np.zeros(SIZE * SIZE * 4, dtype=np.uint8)
        seer.devices[0].capture(pixels, 0.016)
        return pixels.reshape(SIZE, SIZE, 4)[:, :, 2::-1]


IN_CAMERA = 'if (pass == 1 && view && !strcmp(view, "seer")) '
ORANGE = (255, 128, 0)


@pytest.mark.parametrize("nodes", ["", GLASS], ids=["direct", "as light"])
def test_a_square_is_where_a_pinhole_camera_sees_it(tmp_path: Path, nodes: str):
    """Half an edge of 1 m at 2 m distance fills half the picture, whose half angle is 45 degrees."""
    picture = taken(tmp_path, IN_CAMERA + "{ glColor3f(1, 0.5, 0); square(2, 1); }", nodes)
    inside, outside = picture[16:48, 16:48], picture.copy()
    outside[16:48, 16:48] = 0
    assert np.abs(inside.astype(int) - ORANGE).max() <= 1
    assert outside.max() == 0


def test_other_views_do_not_show_it(tmp_path: Path):
    code = 'if (!view || strcmp(view, "seer")) { glColor3f(1, 0.5, 0); square(2, 1); }'
    assert taken(tmp_path, code).max() == 0


def test_the_main_view_shows_what_is_drawn_without_a_camera(tmp_path: Path):
    """By default the Viewpoint looks along x from the origin."""
    picture = taken(tmp_path, "if (pass == 1 && !view) { glColor3f(1, 0.5, 0); square(2, 5); }", main=True)
    assert np.abs(picture.astype(int) - ORANGE).max() <= 1


def test_the_depth_test_hides_drawings_unless_it_is_disabled(tmp_path: Path):

    behind = "glColor3f(1, 0.5, 0); square(6, 1);"
    hidden = taken(tmp_path / "a", IN_CAMERA + f"{{ {behind} }}", WALL)
    shown = taken(tmp_path / "b", IN_CAMERA + f"{{ glDisable(0x0B71); {behind} }}", WALL)
    assert tuple(hidden[32, 32]) != ORANGE
    assert np.abs(shown[32, 32].astype(int) - ORANGE).max() <= 1


def test_the_first_pass_lies_behind_the_world(tmp_path: Path):

    code = "if (view && pass == 0) { glDisable(0x0B71); glColor3f(1, 0.5, 0); square(6, 1); }"
    assert tuple(taken(tmp_path, code, WALL)[32, 32]) != ORANGE


def test_a_transparent_color_is_mixed_with_what_is_behind(tmp_path: Path):
    code = (
        IN_CAMERA + "{ glColor4ub(0, 0, 255, 255); square(3, 3); glColor4ub(255, 0, 0, 51); square(2, 1); }"
    )
    assert np.abs(taken(tmp_path, code)[32, 32].astype(int) - (51, 0, 204)).max() <= 1


def test_cylindrical_cameras_show_it_too(tmp_path: Path):
    picture = taken(
        tmp_path, IN_CAMERA + "{ glColor3f(1, 0.5, 0); square(2, 1); }", camera='projection "cylindrical"'
    )
    assert np.abs(picture[32, 32].astype(int) - ORANGE).max() <= 1


def test_a_crash_while_a_camera_is_drawn_names_it(tmp_path: Path):
    with pytest.raises(PluginError, match="webots_physics_draw crashed in step 0: Segmentation fault"):
        taken(tmp_path, "if (view) *(volatile int *)0 = pass;")


PYTHON = """
from wbridge.wbcore.physics_plugins import draw_triangles

def webots_physics_step():
    pass

def webots_physics_cleanup():
    pass

def webots_physics_draw(%s):
    draw_triangles([(2, 9, -9), (2, -9, -9), (2, 0, 9)], (1, 0.5, 0))
"""


@pytest.mark.parametrize(("parameter", "in_camera"), [("view", True), ("", False)])
def test_in_python_a_parameter_asks_for_all_views(tmp_path: Path, parameter: str, in_camera: bool):
    world = project(tmp_path, PYTHON % parameter, ".py", WORLD.format(nodes="", camera=""))
    with simulation(world) as running:
        assert running.plugin is not None
        assert [len(running.plugin.drawn(one)) for one in (None, "seer")] == [1, int(in_camera)]
