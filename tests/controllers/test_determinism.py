"""The same world and seed give the same bits: run again, in a fresh process, inline, and after a reset."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.controllers.project import Project, robot
from tests.project.files import CHECKOUT
from wbridge.wbcore.controllers.inline import InlineControllers
from wbridge.wbcore.controllers.lockstep import Lockstep
from wbridge.wbcore.simulation import Simulation

SHORT, LONG = 300, 10_000
READER = """
import sys
from controller import Robot
steps, log = int(sys.argv[1]), open(sys.argv[2], "a")
robot = Robot()
motors = [robot.getDevice(name) for name in ("left", "right")]
sensors = [robot.getDevice(name) for name in ("distance", "left sensor", "right sensor", "gps", "gyro")]
for motor in motors:
    motor.setPosition(float("inf"))
for sensor in sensors:
    sensor.enable(16)
for count in range(steps):
    robot.step(16)
    values = [one.getValues() if hasattr(one, "getValues") else one.getValue() for one in sensors]
    if count % 10 == 0 or count > steps - 20:
        print(*values, file=log)
    motors[0].setVelocity(3 + values[0])
    if count % 3 == 0:
        motors[1].setVelocity(4 - values[0])
log.close()
"""
HEADER = """#VRML_SIM R2023b utf8
Solid { boundingObject Plane { size 20 20 } }
"""


def wheel(name: str, y: float) -> str:
    """A wheel with motor and sensor."""
    return f"""HingeJoint {{
      jointParameters HingeJointParameters {{ axis 0 1 0 anchor 0 {y} 0 }}
      device [ RotationalMotor {{ name "{name}" }} PositionSensor {{ name "{name} sensor" noise 0.01 }} ]
      endPoint Solid {{
        translation 0 {y} 0 rotation 1 0 0 1.5707963 name "{name} wheel"
        boundingObject Cylinder {{ radius 0.03 height 0.01 }} physics Physics {{ }}
      }}
    }}"""


def rover(number: int, folder: Path, steps: int) -> str:
    """One of the robots, whose sensors have noise."""
    children = f"""
      {wheel("left", 0.05)} {wheel("right", -0.05)}
      DistanceSensor {{ name "distance" translation 0.06 0 0 lookupTable [ 0 0 0.1, 0.5 1 0.1 ] }}
      GPS {{ accuracy 0.05 }} Gyro {{ lookupTable [ -10 -10 0.1, 10 10 0.1 ] }}
    """
    fields = f"""
      translation {0.3 * number} 0 0.031 rotation 0 0 1 {1.5 * number}
      boundingObject Group {{ children [ Box {{ size 0.1 0.08 0.03 }} ] }} physics Physics {{ }}
      controllerArgs [ "{steps}", "{folder / f"log {number}"}" ]
    """
    return robot(f"rover {number}", "reader", fields, children)


def empty_logs(project: Project) -> list[Path]:
    """The files that the controllers will write."""
    logs = [project.folder / f"log {number}" for number in range(4)]
    for one in logs:
        one.unlink(missing_ok=True)
    return logs


def outcome(project: Project, steps: int, *, inline: bool = False, fresh: bool = False) -> tuple[str, ...]:
    """The hash at the end of a run, and what the controllers have read."""
    logs = empty_logs(project)
    if fresh:
        command = [sys.executable, "-m", "wbridge", "run", str(project.world), "--steps", str(steps)]
        done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
        state = done.stdout + done.stderr
    else:
        with project.runner(steps, inline=inline) as runner:
            runner.run()
            state = runner.simulation.hash()
    return state, *(one.read_text() for one in logs)


@pytest.fixture(params=[SHORT, pytest.param(LONG, marks=pytest.mark.slow)])
def steps(request: pytest.FixtureRequest, project: Project) -> int:
    """How many steps the robots of the project make."""
    count: int = request.param
    rovers = [rover(number, project.folder, count) for number in range(4)]
    project.write(*rovers, header=HEADER, reader=READER)
    return count


def test_runs_are_the_same(project: Project, steps: int):
    first = outcome(project, steps)
    assert all(len(log.splitlines()) >= steps / 10 for log in first[1:])
    assert len({log.split("\n")[5] for log in first[1:]}) == 4
    assert outcome(project, steps) == first
    assert outcome(project, steps, inline=True) == first
    fresh = outcome(project, steps, fresh=True)
    assert first[0] in fresh[0]
    assert fresh[1:] == first[1:]


def played(project: Project, simulation: Simulation) -> tuple[str, ...]:
    """The same for a simulation at its start, whose controllers begin anew."""
    logs, lockstep = empty_logs(project), Lockstep(simulation)
    with InlineControllers() as inline:
        for session in lockstep.sessions:
            script = project.folder / "controllers" / "reader" / "reader.py"
            inline.start(session, script, list(session.robot.node.get("controllerArgs")))
        while inline.running:
            inline.pump()
            if inline.running:
                lockstep.step()
    return simulation.hash(), *(one.read_text() for one in logs)


def test_a_reset_brings_back_the_start(project: Project, steps: int):
    simulation = Simulation(project.world)
    first = played(project, simulation)
    simulation.reset()
    assert played(project, simulation) == first
    assert outcome(project, steps) == first


def test_another_seed_gives_other_values(project: Project, steps: int):
    first = outcome(project, steps, inline=True)
    project.world.write_text(project.world.read_text().replace("WorldInfo {", "WorldInfo { randomSeed 5"))
    assert outcome(project, steps, inline=True)[1:] != first[1:]
