"""What webots_physics_draw draws by OpenGL reaches the 3D view.

Judge: the OpenGL 1.x specification (sections 2.6.1 and 2.11.2), and the manual for the passes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.physics_plugins.projects import complete, project, simulation
from wbridge.wbcore.physics.errors import PluginError
from wbridge.wbcore.view.scene_view import SceneView
from wbridge.wbcore.visual.drawn import Drawn

GL = """
void glBegin(unsigned); void glEnd(void); void glVertex3d(double, double, double);
void glVertex2f(float, float);
void glColor3f(float, float, float);
void glColor4ub(unsigned char, unsigned char, unsigned char, unsigned char);
void glPushMatrix(void); void glPopMatrix(void); void glTranslated(double, double, double);
void glRotatef(float, float, float, float); void glScaled(double, double, double); void glPointSize(float);
void glDisable(unsigned); void glLineWidth(float);
"""
"""The declarations of GL/gl.h, which is not installed everywhere."""
POINTS, LINES, LOOP, STRIP, TRIANGLES, FAN, QUADS = 0, 1, 2, 3, 4, 6, 7
SQUARE = "glVertex2f(0, 0); glVertex2f(1, 0); glVertex2f(1, 1); glVertex2f(0, 1);"


def drawn(folder: Path, code: str) -> list[Drawn]:
    """Return what a plugin draws with the code in its second pass."""
    source = (
        f"{GL}void webots_physics_draw(int pass, const char *view) {{ if (pass == 1 && !view) {{ {code} }} }}"
    )
    with simulation(project(folder, complete(source))) as running:
        running.step()
        assert running.plugin is not None
        return running.plugin.drawn()


def test_lines_have_their_color(tmp_path: Path):
    code = """
    glDisable(0x0B50); glLineWidth(2); glBegin(1);
    glColor3f(1, 1, 0); glVertex3d(0, 0, 0); glVertex3d(0, 1, 0.5);
    glColor4ub(255, 0, 0, 51); glVertex3d(1, 0, 0); glVertex3d(2, 0, 0); glEnd();
    """
    yellow, red = drawn(tmp_path, code)
    assert (yellow.corners, yellow.color, yellow.size) == (2, (1, 1, 0, 1), 2)
    np.testing.assert_array_equal(yellow.at, [[0, 0, 0], [0, 1, 0.5]])
    assert red.color == pytest.approx((1, 0, 0, 0.2))


@pytest.mark.parametrize(
    ("mode", "corners", "order"),
    [
        (POINTS, 1, "0123"),
        (LINES, 2, "0123"),
        (LOOP, 2, "01122330"),
        (STRIP, 2, "011223"),
        (TRIANGLES, 3, "012"),
        (FAN, 3, "012023"),
        (QUADS, 3, "013123"),
    ],
)
def test_primitives_are_points_lines_and_triangles(tmp_path: Path, mode: int, corners: int, order: str):
    (found,) = drawn(tmp_path, f"glBegin({mode}); {SQUARE} glEnd();")
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)])
    assert found.corners == corners
    np.testing.assert_array_equal(found.at, square[[int(one) for one in order]])


def test_matrices_act_from_the_last_to_the_first(tmp_path: Path):
    code = """
    glPushMatrix(); glTranslated(1, 0, 0); glRotatef(90, 0, 0, 1); glScaled(2, 1, 1);
    glBegin(0); glVertex3d(1, 0, 3); glEnd(); glPopMatrix();
    glBegin(0); glVertex3d(1, 0, 3); glEnd();
    """
    (found,) = drawn(tmp_path, code)
    np.testing.assert_allclose(found.at, [[1, 2, 3], [1, 0, 3]], atol=1e-6)


def test_what_is_not_a_number_is_left_out(tmp_path: Path):
    (found,) = drawn(tmp_path, "glBegin(0); glVertex3d(0.0 / 0, 0, 0); glVertex3d(1, 2, 3); glEnd();")
    np.testing.assert_array_equal(found.at, [[1, 2, 3]])


def test_calls_outside_of_draw_have_no_effect(tmp_path: Path):
    source = GL + "void webots_physics_step() { glBegin(0); glVertex3d(1, 2, 3); glEnd(); }"
    with simulation(project(tmp_path, complete(source))) as running:
        running.step()
        assert running.plugin is not None
        assert not running.plugin.draws and not running.plugin.drawn()


def test_old_plugins_draw_before_and_after(tmp_path: Path):
    source = (
        GL
        + """
    void webots_physics_predraw() { glPointSize(1); glBegin(0); glVertex3d(1, 0, 0); glEnd(); }
    void webots_physics_draw() { glPointSize(2); glBegin(0); glVertex3d(2, 0, 0); glEnd(); }
    """
    )
    with simulation(project(tmp_path, complete(source))) as running:
        assert running.plugin is not None
        assert [float(one.at[0, 0]) for one in running.plugin.drawn()] == [1, 2]


def test_the_view_gets_what_has_changed(tmp_path: Path):
    source = (
        GL
        + """
    static double x;
    void webots_physics_step() { x += 1; }
    void webots_physics_draw(int pass, const char *view) {
      if (pass == 1) { glColor3f(0, 0, 1); glPointSize(4); glBegin(0); glVertex3d(x, 0, 0); glEnd(); }
    }
    """
    )
    with simulation(project(tmp_path, complete(source))) as running:
        view = SceneView(running)
        part = {"body": None, "shape": "points", "look": "plugin", "color": [0, 0, 1, 1], "size": 4}
        assert view.changes()["draw plugin"] == [{**part, "at": [0, 0, 0]}]
        assert "draw plugin" not in view.changes()
        running.step()
        assert view.changes()["draw plugin"] == [{**part, "at": [1, 0, 0]}]


def test_a_crash_in_draw_names_it(tmp_path: Path):
    with pytest.raises(PluginError, match="webots_physics_draw crashed in step 1: Segmentation fault"):
        drawn(tmp_path, "*(volatile int *)0 = 1;")


PYTHON = """
from wbridge.wbcore.physics_plugins import draw_lines, draw_points, draw_triangles

def webots_physics_step():
    pass

def webots_physics_cleanup():
    pass

def webots_physics_draw():
    draw_lines([(0, 0, 0), (1, 0, 0)], (1, 0, 0))
    draw_triangles([(0, 0, 0), (1, 0, 0), (0, 1, 0)], (0, 1, 0, 0.5))
    draw_points(%s)
"""


def test_plugins_in_python_draw_with_functions(tmp_path: Path):
    world = project(tmp_path, PYTHON % "[(0, 0, 1)], size=3", ".py")
    with simulation(world) as running:
        assert running.plugin is not None and running.plugin.draws
        found = running.plugin.drawn()
    assert [one.corners for one in found] == [2, 3, 1]
    assert [one.color for one in found] == [(1, 0, 0, 1), (0, 1, 0, 0.5), (1, 1, 1, 1)]
    assert found[2].size == 3


def test_a_wrong_drawing_in_python_names_the_line(tmp_path: Path):
    world = project(tmp_path, PYTHON % "[(0, 0, float('nan'))]", ".py")
    with simulation(world) as running, pytest.raises(PluginError) as caught:
        assert running.plugin is not None
        running.plugin.drawn()
    assert "webots_physics_draw in step 0: ValueError: a vertex is not finite" in str(caught.value)
