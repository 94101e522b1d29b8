"""A physics plugin in Python that can save itself is a part of the simulation's state."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.physics_plugins.projects import project, simulation

GROWING = """
from wbcore.physics_plugins import dWebotsGetBodyFromDEF

def webots_physics_init():
    global ball, force
    ball, force = dWebotsGetBodyFromDEF("BALL"), 0.0

def webots_physics_step():
    global force
    force += 0.5
    ball.add_force((force, 0, 0))

def webots_physics_save():
    return {"force": force}

def webots_physics_restore(state):
    global force
    force = state["force"]

def webots_physics_cleanup():
    pass
"""
CONTINUE = """
import sys
from pathlib import Path
from wbcore import Simulation
with Simulation(sys.argv[1]) as world:
    world.restore(Path(sys.argv[2]).read_bytes())
    world.step(20)
    print(world.hash())
"""


def test_a_plugin_goes_on_as_it_did(tmp_path: Path):
    """Also in another process."""
    world = project(tmp_path, GROWING, ".py")
    with simulation(world) as first:
        first.step(10)
        state = first.state()
        first.step(20)
        expected = first.hash()
        first.restore(state)
        first.step(20)
        assert first.hash() == expected
    file = tmp_path / "state"
    file.write_bytes(state)
    command = [sys.executable, "-c", CONTINUE, str(world), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == expected


def test_only_plain_values_are_saved(tmp_path: Path):
    source = GROWING.replace('{"force": force}', "ball")
    with (
        simulation(project(tmp_path, source, ".py")) as world,
        pytest.raises(TypeError, match="is not plain"),
    ):
        world.state()
