"""The variables of a physics plugin that can save itself are a part of the simulation's state."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.physics_plugins.projects import complete, project, simulation
from wbridge.wbcore.physics.errors import PluginError, StateError
from wbridge.wbcore.world.radio import UNLIMITED, Packet

GROWING = """
from wbridge.wbcore.physics_plugins import dWebotsGetBodyFromDEF

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
GROWING_IN_C = complete("""
#include <string.h>
static dBodyID ball; static double force;
void webots_physics_init() { ball = dWebotsGetBodyFromDEF("BALL"); force = 0; }
void webots_physics_step() { force += 0.5; dBodyAddForce(ball, force, 0, 0); }
const int webots_physics_state_version = 1;
int webots_physics_save(void *data, int size) {
  if (size >= (int)sizeof force) memcpy(data, &force, sizeof force);
  return sizeof force;
}
void webots_physics_restore(const void *data, int size) { memcpy(&force, data, sizeof force); }
""")
CONTINUE = """
import sys
from pathlib import Path
from wbridge.wbcore import Simulation
with Simulation(sys.argv[1]) as world:
    world.restore(Path(sys.argv[2]).read_bytes())
    world.step(20)
    print(world.hash())
"""


@pytest.mark.parametrize(
    ("source", "suffix"), [(GROWING, ".py"), (GROWING_IN_C, ".c"), (GROWING_IN_C, ".cpp")]
)
def test_a_plugin_goes_on_as_it_did(tmp_path: Path, source: str, suffix: str):
    """Also in another process."""
    world = project(tmp_path, source, suffix)
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


@pytest.mark.parametrize(
    ("source", "suffix", "newer"),
    [
        (GROWING, ".py", GROWING + "webots_physics_state_version = 2\n"),
        (GROWING_IN_C, ".c", GROWING_IN_C.replace("version = 1", "version = 2")),
    ],
)
def test_a_state_of_another_version_is_refused(tmp_path: Path, source: str, suffix: str, newer: str):
    with simulation(project(tmp_path / "old", source, suffix)) as old:
        old.step(10)
        state = old.state()
    with simulation(project(tmp_path / "new", newer, suffix)) as new:
        before = new.hash()
        with pytest.raises(StateError, match="state version 1 when.* state version 2 now"):
            new.restore(state)
        assert new.hash() == before


@pytest.mark.parametrize(("suffix", "step"), [(".py", "def webots_physics_step():\n    pass\n"), (".c", "")])
def test_a_state_without_variables_warns_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, suffix: str, step: str
):
    plain = f"{step}def webots_physics_cleanup():\n    pass\n" if step else complete("")
    with simulation(project(tmp_path, plain, suffix)) as world:
        world.restore(world.state())
        world.state()
    (told,) = [one.getMessage() for one in caplog.records]
    assert 'lack the variables of the physics plugin "probe"' in told
    assert "does not define webots_physics_save and webots_physics_restore" in told


@pytest.mark.parametrize(
    ("source", "suffix"),
    [
        (complete("int webots_physics_save(void *data, int size) { return 0; }"), ".c"),
        (GROWING.replace("webots_physics_restore", "restore"), ".py"),
    ],
)
def test_saving_without_restoring_is_refused(tmp_path: Path, source: str, suffix: str):
    with pytest.raises(PluginError, match="define.* webots_physics_restore"):
        simulation(project(tmp_path, source, suffix))


@pytest.mark.parametrize(
    ("size", "why"),
    [
        ("-1", "returned -1; expected a number of bytes"),
        ("data ? 8 : 4", "returned 4 and then 8; expected the same number"),
        ("*(volatile int *)0", "webots_physics_save crashed in step 0"),
    ],
)
def test_faults_of_saving_are_explained(tmp_path: Path, size: str, why: str):
    source = f"""
    int webots_physics_save(void *data, int size) {{ return {size}; }}
    void webots_physics_restore(const void *data, int size) {{ }}
    """
    with (
        simulation(project(tmp_path, complete(source))) as world,
        pytest.raises(PluginError, match="probe.*" + re.escape(why)),
    ):
        world.state()


def test_packets_that_were_not_read_are_part_of_a_state(tmp_path: Path):
    """In the second step, the plugin reads what came before the state."""
    source = """
    static int steps;
    void webots_physics_init() { steps = 0; }
    void webots_physics_step() {
      int size;
      if (++steps == 2) dWebotsConsolePrintf("%s", (const char *)dWebotsReceive(&size));
    }
    int webots_physics_save(void *data, int size) { if (data) *(int *)data = steps; return sizeof steps; }
    void webots_physics_restore(const void *data, int size) { steps = *(const int *)data; }
    """
    lines: list[str] = []
    with simulation(project(tmp_path, complete(source)), lines) as world:
        world.robots.radio.put(Packet(None, "", 0, UNLIMITED, b"go\0"))
        world.step()
        state = world.state()
        world.step()
        world.restore(state)
        world.step()
    assert lines == ["[probe] go", "[probe] go"]
