"""The controller `ros2` with ROS 2 itself: another program of ROS commands the robot and reads its sensors.

Judge: rclpy, which checks each message that it sends, and peer.py, which uses rclpy only; the world file;
the formulas of a turning joint and of a pinhole camera.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import CHECKOUT, absent
from tests.ros.world import WORLD

pytestmark = pytest.mark.ros

PYTHON = CHECKOUT / ".venv" / "ros" / "bin" / "python"
"""Of the environment with ROS 2 that `make test-ros` makes."""
TWO_ROBOTS = (
    WORLD.replace('name "receiver"', 'name "receiver" channel 1')
    + """Robot {
  name "echo" controller "echo" children [ Emitter { name "emitter" channel 1 } Receiver { name "receiver" } ]
}
"""
)
ECHO = """
from controller import Robot

robot = Robot()
receiver, emitter = robot.getDevice("receiver"), robot.getDevice("emitter")
receiver.enable(16)
while robot.step(16) != -1:
    while receiver.getQueueLength():
        emitter.send("echo of " + receiver.getString())
        receiver.nextPacket()
"""
LIMIT_S = 200


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """What the other program saw."""
    if not PYTHON.exists():
        absent(f"{PYTHON} does not exist; `make test-ros` installs ROS 2 there")
    folder = tmp_path_factory.mktemp("ros")
    files = {
        "worlds/a.wbt": TWO_ROBOTS,
        "controllers/echo/echo.py": ECHO,
        "controllers/ros2/runtime.ini": f"[python]\nCOMMAND = {PYTHON}\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    shutil.copy(CHECKOUT / "controllers" / "ros2" / "ros2.py", folder / "controllers" / "ros2")
    environment = {
        **os.environ,
        "PYTHONPATH": str(CHECKOUT),
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
        "ROS_DOMAIN_ID": str(os.getpid() % 100),
        "ROS_LOG_DIR": str(folder),
    }
    run = [sys.executable, "-m", "wbridge", "run", str(folder / "worlds" / "a.wbt"), "--mode", "realtime"]
    with subprocess.Popen(run, env=environment, stderr=subprocess.PIPE, text=True) as simulation:
        peer = subprocess.run(
            [str(PYTHON), str(Path(__file__).with_name("peer.py"))],
            env=environment,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        simulation.terminate()
        _, said = simulation.communicate(timeout=LIMIT_S)
    assert peer.returncode == 0, peer.stderr + said
    return SimpleNamespace(**json.loads(peer.stdout), said=said)


def test_commands_reach_the_actuators(seen: SimpleNamespace):
    """The joint turns at 2 rad/s."""
    (name, start, since), (_, end, until) = seen.joints
    assert name == "motor"
    assert (end - start) / (until - since) == pytest.approx(2, rel=0.01)


def test_packets_are_strings_in_both_directions(seen: SimpleNamespace):
    assert seen.packet == "echo of hello"


def test_services_switch_devices(seen: SimpleNamespace):
    assert seen.switched == [True, True, True]
    assert seen.positions_while_disabled == 0


def test_sensors_have_the_messages_of_ros(seen: SimpleNamespace):
    assert seen.point == pytest.approx([1, 2, 3])
    assert seen.quaternion == pytest.approx([0, 0, 0, 1])
    assert seen.not_measured == -1
    assert seen.range == pytest.approx([1, 0.5])  # infra-red; the world's aperture
    assert seen.scan[:3] == pytest.approx([0.5, -0.5, -0.25])
    assert len(seen.scan[3]) == 5


def test_pictures_fit_their_camera(seen: SimpleNamespace):
    assert seen.image == ["bgra8", 4, 2, 16, 32]
    assert seen.focal_length == pytest.approx(3.6610, abs=1e-4)  # 4 / (2 tan 0.5)


def test_the_bridge_ends_with_the_simulation_without_a_complaint(seen: SimpleNamespace):
    assert "Traceback" not in seen.said, seen.said
