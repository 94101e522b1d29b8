"""Against a simulator in another process that official clients accept: all dialects, both transports."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.project.files import CHECKOUT
from wbridge.hal.protocol.dialect import DIALECTS

CONTROLLER = """
import math
from controller import Supervisor

robot = Supervisor()
step = int(robot.getBasicTimeStep())
motor, sensor = robot.getDevice("left motor"), robot.getDevice("left sensor")
ds, gps, led, camera = (robot.getDevice(name) for name in ("ds", "gps", "led", "camera"))
emitter, receiver = robot.getDevice("emitter"), robot.getDevice("receiver")
assert (robot.name, robot.getNumberOfDevices(), step) == ("robot", 10, 32)
assert (ds.max_value, ds.lookup_table[3:6], motor.max_velocity) == (1000.0, [0.1, 1000.0, 0.1], 10.0)
assert motor.getPositionSensor() is sensor and sensor.getMotor() is motor and motor.getBrake() is None
assert math.isnan(sensor.getValue())
for one in (sensor, ds, gps, camera, receiver):
    one.enable(step)
motor.setPosition(math.inf)
motor.setVelocity(2.0)
led.set(1)
emitter.send("hello")
assert robot.step(step) == 0
assert robot.getTime() == 0.032
assert abs(sensor.value - 0.064) < 1e-12
assert ds.value == 500 + 400 * math.sin(0.032)
assert receiver.getQueueLength() == 1 and receiver.getString() == "hello"
assert camera.getImage()[:8] == bytes((0, 0, 32, 255, 1, 0, 32, 255))
ball = robot.getFromDef("BALL")
translation = ball.getField("translation")
assert ball.getPosition() == translation.value == [0.5, 0.0, 0.1]
translation.setSFVec3f([1, 2, 3])
assert (translation.value, ball.getPosition()) == ([1, 2, 3], [0.5, 0.0, 0.1])
robot.step(step)
assert ball.getPosition() == translation.getSFVec3f() == [1.0, 2.0, 3.0]
children = robot.getRoot().getField("children")
children.importMFNodeFromString(-1, "DEF CUBE Solid { }")
assert children.count == 5 and children.getMFNode(-1) == robot.getFromDef("CUBE")
robot.getFromDef("CUBE").remove()
assert children.count == 4 and robot.getFromDef("CUBE") is None
robot.simulationSetMode(robot.SIMULATION_MODE_FAST)
assert robot.simulation_mode == 2 and robot.getUrdf() == '<robot name="robot"/>'
assert robot.stepBegin(step) == 0 and robot.stepEnd() == 0
steps = 0
while robot.step(step) != -1:
    steps += 1
print("steps", steps)
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(params=DIALECTS)
def simulator(request: pytest.FixtureRequest) -> Iterator[int]:
    """A simulator that ends its controller after ten steps; its port."""
    port = free_port()
    options = ["--dialect", request.param, "--port", str(port), "--max-steps", "10"]
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "tests.hal.fake_simulator", *options],
        cwd=CHECKOUT,
        env={**os.environ, "USER": "wbridge-test"},
        stdout=subprocess.DEVNULL,
    )
    yield port
    process.terminate()
    process.wait(60)


def run(url: str, port: int) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "USER": "wbridge-test", "PYTHONPATH": str(CHECKOUT)}
    environment |= {"WEBOTS_CONTROLLER_URL": url.format(port=port)}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", CONTROLLER],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("url", ["ipc://{port}/robot", "ipc://{port}", "tcp://localhost:{port}/robot"])
def test_a_controller_drives_a_robot(simulator: int, url: str):
    done = run(url, simulator)
    assert (done.returncode, done.stdout) == (0, "steps 6\n"), done.stderr
