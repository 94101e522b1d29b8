"""Physics plugins in Python have the same functions, with NumPy views on bodies."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.physics_plugins.projects import complete, project, simulation
from tests.physics_plugins.test_callbacks import HOVER
from wbridge.wbcore.physics.errors import PluginError

EMPTY = "def webots_physics_step(): pass\ndef webots_physics_cleanup(): pass\n"
PUSH_C = """
static dBodyID ball;
void webots_physics_init() { ball = dWebotsGetBodyFromDEF("BALL"); }
void webots_physics_step() { dBodyAddForceAtPos(ball, 1, 2, 9, 1, 0.05, 2); dBodyAddTorque(ball, 0, 0, 0.1); }
"""
PUSH_PYTHON = """
from wbridge.wbcore.physics_plugins import dWebotsGetBodyFromDEF

def webots_physics_init():
    global ball
    ball = dWebotsGetBodyFromDEF("BALL")

def webots_physics_step():
    ball.add_force((1, 2, 9), point=(1, 0.05, 2))
    ball.add_torque((0, 0, 0.1))

def webots_physics_cleanup():
    pass
"""


def test_the_same_forces_give_the_same_bits_as_in_c(tmp_path: Path):
    hashes = []
    for folder, source, suffix in (("c", complete(PUSH_C), ".c"), ("python", PUSH_PYTHON, ".py")):
        with simulation(project(tmp_path / folder, source, suffix)) as world:
            world.run(0.5)
            hashes.append(world.hash())
    assert hashes[0] == hashes[1]
    assert hashes[0].endswith("+probe")


def test_views_follow_the_body(tmp_path: Path):
    source = f"""
from wbridge.wbcore.physics_plugins import dWebotsConsolePrintf, dWebotsGetBodyFromDEF, dWebotsGetTime

def webots_physics_init():
    global ball, height
    ball = dWebotsGetBodyFromDEF("BALL")
    height = ball.position[2:]

def webots_physics_step_end():
    dWebotsConsolePrintf(f"{{dWebotsGetTime():g}} {{ball.linear_velocity[2]:.5f}} {{float(height[0]) < 2}}")

{EMPTY}"""
    lines: list[str] = []
    with simulation(project(tmp_path, source, ".py"), lines) as world:
        world.step(2)
    assert lines == ["[probe] 0 -0.07848 True", "[probe] 8 -0.15696 True"]  # v = g t


def test_contacts_without_friction(tmp_path: Path):
    """A box pushed along the floor by F accelerates with F / m if its plugin makes contacts with mu 0."""
    source = """
from wbridge.wbcore.physics_plugins import dWebotsGetBodyFromDEF, dWebotsGetGeomFromDEF

def webots_physics_init():
    global box, pair
    box = dWebotsGetBodyFromDEF("BOX")
    pair = {dWebotsGetGeomFromDEF("BOX"), dWebotsGetGeomFromDEF("FLOOR")}

def webots_physics_step():
    box.add_force((3, 0, 0))

def webots_physics_collide(geom, other):
    if {geom, other} != pair:
        return 0
    for contact in geom.contacts(other):
        geom.add_contact(other, contact, mu=0)
    return 1

def webots_physics_cleanup(): pass
"""
    with simulation(project(tmp_path, source, ".py")) as world:
        world.run(1)
        assert world.node("BOX").velocity[0] == pytest.approx(3 / 2, rel=1e-3)
        assert world.node("BOX").translation[2] == pytest.approx(0.05, abs=1e-3)


def test_an_exception_names_function_step_and_line(tmp_path: Path):
    source = f"{EMPTY}\ndef webots_physics_step_end():\n    return 1 / 0\n"
    with pytest.raises(PluginError) as caught, simulation(project(tmp_path, source, ".py")) as world:
        world.step()
    assert str(caught.value).startswith(
        'physics plugin "probe": webots_physics_step_end in step 1: ZeroDivisionError: division by zero ('
    )
    assert str(caught.value).endswith("probe.py, line 5)")


def test_missing_functions_are_listed(tmp_path: Path):
    with pytest.raises(PluginError, match=r"does not define webots_physics_cleanup\(\)"):
        simulation(project(tmp_path, "def webots_physics_step(): pass", ".py"))


def test_a_wrong_result_of_collide_is_an_error(tmp_path: Path):
    source = f"{EMPTY}\ndef webots_physics_collide(a, b): return 'yes'\n"
    with pytest.raises(PluginError, match="returned 'yes'; allowed: 0, 1, 2"):
        simulation(project(tmp_path, source, ".py"))


def test_a_reset_starts_the_plugin_again(tmp_path: Path):
    """As in Webots: cleanup, then the nodes' start, then init."""
    for suffix, source in ((".c", complete(HOVER)), (".py", PUSH_PYTHON)):
        with simulation(project(tmp_path / suffix[1:], source, suffix)) as world:
            world.run(0.2)
            first = world.hash()
            world.reset()
            world.run(0.2)
            assert world.hash() == first
