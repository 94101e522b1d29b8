"""A robot as a ROS 2 node, in front of a node without ROS.

Judge: the .msg files of std_msgs, sensor_msgs, geometry_msgs and rosgraph_msgs (units, signs, what means "not
measured"), and rclpy's functions.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.conftest import CHECKOUT
from tests.ros.world import WORLD
from wbridge.ros.bridge import ros_name
from wbridge.ros.fake import FakeNode, Message
from wbridge.ros.node import RclpyNode, RosMissing

DRIVEN = WORLD.replace('controller "ros2"', 'controller "driver"')
DRIVER = """
import json
from wbridge.hal.controller import Robot
from wbridge.ros.bridge import RosBridge
from wbridge.ros.fake import FakeNode, Message

def plain(value):
    if isinstance(value, Message):
        return {name: plain(one) for name, one in vars(value).items() if name != "type_name"}
    return value.hex() if isinstance(value, bytes) else value

robot, node = Robot(), FakeNode()
bridge = RosBridge(robot, node)
base = "/my_robot"
node.send(f"{base}/motor/set_position", data=float("inf"))
node.send(f"{base}/motor/set_velocity", data=2.0)
node.send(f"{base}/led/set", data=2)
node.send(f"{base}/emitter/send", data="hello")
node.request(f"{base}/gps/enable", data=False)
node.request(f"{base}/pen/write", data=True)
for _ in range(100):
    bridge.step()
    if len(node.published["/clock"]) == 50:
        node.request(f"{base}/gps/enable", data=True)
last = {topic: plain(messages[-1]) for topic, messages in node.published.items() if messages}
counts = {topic: len(messages) for topic, messages in node.published.items()}
responses = [one.success for one in node.responses]
motor = robot.getDevice("motor")
node.send(f"{base}/joint_commands", name=["angle", "other"], position=[0.5, 1.0], velocity=[-3.0])
bridge.step()
targets = [motor.getTargetPosition(), motor.getVelocity()]
node.send(f"{base}/joint_commands", name=["motor"], position=[float("nan")], velocity=[-1.5])
bridge.step()
targets += [motor.getTargetPosition() == float("inf"), motor.getVelocity()]
print(json.dumps([last, counts, node.types, responses, robot.getDevice("led").get(), targets]), flush=True)
"""
BASE = "/my_robot"


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    """What a run of 100 steps published."""
    folder = tmp_path_factory.mktemp("ros")
    for name, text in {"worlds/a.wbt": DRIVEN, "controllers/driver/driver.py": DRIVER}.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text(text)
    command = [sys.executable, "-m", "wbridge", "run", str(folder / "worlds" / "a.wbt")]
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    line = next((one for one in done.stdout.splitlines() if one.startswith("[")), None)
    assert line is not None, done.stderr
    last, counts, types, responses, led, targets = json.loads(line)
    return SimpleNamespace(
        last=last, counts=counts, types=types, responses=responses, led=led, targets=targets
    )


def test_the_time_is_that_of_the_simulation(seen: SimpleNamespace):
    assert seen.counts["/clock"] == 100
    assert seen.last["/clock"]["clock"] == {"sec": 1, "nanosec": 600_000_000}
    assert seen.last[f"{BASE}/imu"]["header"] == {
        "stamp": {"sec": 1, "nanosec": 600_000_000},
        "frame_id": "imu",
    }


def test_commands_reach_the_actuators(seen: SimpleNamespace):
    """2 rad/s for 100 steps of 16 ms."""
    assert seen.last[f"{BASE}/angle"]["data"] == pytest.approx(3.2, abs=0.05)
    joints = seen.last[f"{BASE}/joint_states"]
    assert joints["name"] == ["motor"] and joints["position"] == [seen.last[f"{BASE}/angle"]["data"]]
    assert seen.led == 2


def test_joints_are_commanded_as_by_ros2_control(seen: SimpleNamespace):
    """By position with a speed, or by velocity; under the name of the motor, or of its sensor."""
    assert seen.types[f"{BASE}/joint_commands"] == "sensor_msgs/msg/JointState"
    assert seen.targets == [0.5, 3.0, True, -1.5]


def test_the_description_names_the_joints_of_the_states(seen: SimpleNamespace):
    """Judge: an XML parser, and URDF, whose joints `robot_state_publisher` looks up in joint states."""
    assert seen.counts[f"{BASE}/robot_description"] == 1
    document = ElementTree.fromstring(seen.last[f"{BASE}/robot_description"]["data"])
    moving = [joint.get("name") for joint in document.iter("joint") if joint.get("type") != "fixed"]
    assert moving == seen.last[f"{BASE}/joint_states"]["name"]


def test_packets_are_strings(seen: SimpleNamespace):
    """An emitter is not heard by its own robot: nothing was received, but the topic exists."""
    assert seen.types[f"{BASE}/receiver"] == "std_msgs/msg/String"
    assert f"{BASE}/emitter/send" in seen.types


def test_services_switch_sensors_off_and_on(seen: SimpleNamespace):
    assert seen.responses == [True, True, True]
    assert 48 <= seen.counts[f"{BASE}/gps"] <= 51
    assert seen.last[f"{BASE}/gps"]["point"] == pytest.approx({"x": 1, "y": 2, "z": 3})


def test_sensors_have_the_messages_of_ros(seen: SimpleNamespace):
    measured = seen.last[f"{BASE}/acc"]
    assert measured["orientation_covariance"][0] == measured["angular_velocity_covariance"][0] == -1
    assert seen.last[f"{BASE}/imu"]["orientation"] == pytest.approx({"x": 0, "y": 0, "z": 0, "w": 1})
    found = seen.last[f"{BASE}/_1st_sensor"]
    assert (found["radiation_type"], found["field_of_view"]) == (1, 0.5)


def test_angles_of_a_scan_begin_at_the_left(seen: SimpleNamespace):
    scan = seen.last[f"{BASE}/lidar"]
    assert (scan["angle_min"], scan["angle_max"], scan["angle_increment"]) == (0.5, -0.5, -0.25)
    assert len(scan["ranges"]) == 5 and scan["range_max"] == 2


@pytest.mark.parametrize("name", ["layers", "depth"])
def test_distances_of_pictures_are_floats_without_a_target_infinite(seen: SimpleNamespace, name: str):
    """32FC1: 32-bit floats; REP 117: what is out of range is infinite (IEEE 754: 0x7f800000)."""
    picture = seen.last[f"{BASE}/{name}"]
    assert (picture["encoding"], picture["width"], picture["height"], picture["step"]) == ("32FC1", 3, 2, 12)
    assert picture["data"] == "0000807f" * 6


def test_other_sensors_have_the_messages_of_ros(seen: SimpleNamespace):
    assert seen.last[f"{BASE}/gyro"]["orientation_covariance"][0] == -1
    assert seen.last[f"{BASE}/bumper"]["data"] is False
    assert seen.last[f"{BASE}/force"]["vector"] == {"x": 0, "y": 0, "z": 0}
    assert {"magnetic_field", "header"} <= seen.last[f"{BASE}/compass"].keys()
    assert seen.types[f"{BASE}/light"] == "sensor_msgs/msg/Illuminance"


def test_pictures_have_bgra_pixels_and_a_focal_length(seen: SimpleNamespace):
    picture, info = seen.last[f"{BASE}/camera"], seen.last[f"{BASE}/camera/camera_info"]
    assert (picture["encoding"], picture["width"], picture["height"], picture["step"]) == ("bgra8", 4, 2, 16)
    assert len(bytes.fromhex(picture["data"])) == 32
    assert info["k"][0] == pytest.approx(3.6610, abs=1e-4)  # 4 / (2 tan 0.5)


@pytest.mark.parametrize(("name", "made"), [("a b-c", "a_b_c"), ("1st", "_1st"), ("é", "_"), ("x", "x")])
def test_names_are_those_that_ros_allows(name: str, made: str):
    assert ros_name(name) == made


def test_fake_messages_check_as_rclpy_does():
    message = Message("std_msgs/msg/Float64")
    with pytest.raises(TypeError, match="float expected"):
        message.data = 1
    with pytest.raises(AttributeError, match="no field"):
        message.value = 1.0
    with pytest.raises(TypeError, match="expected, not std_msgs"):
        FakeNode().publisher("std_msgs/msg/Bool", "/x")(message)


def test_a_missing_rclpy_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "rclpy", None)
    with pytest.raises(RosMissing, match=r"source /opt/ros/"):
        RclpyNode("x")


def test_rclpy_is_called_as_it_documents(monkeypatch: pytest.MonkeyPatch):
    calls: list[tuple[Any, ...]] = []

    class Node:
        def create_publisher(self, *arguments: Any) -> Any:
            calls.append(("publisher", *arguments))
            return SimpleNamespace(publish=lambda message: calls.append(("publish", message)))

        def create_subscription(self, *arguments: Any) -> None:
            calls.append(("subscription", *arguments))

        def create_service(self, *arguments: Any) -> None:
            calls.append(("service", *arguments))

        def destroy_node(self) -> None:
            calls.append(("destroy",))

    rclpy: Any = ModuleType("rclpy")
    rclpy.init = lambda: calls.append(("init",))
    rclpy.create_node = lambda name: Node()
    rclpy.spin_once = lambda node, timeout_sec: calls.append(("spin", timeout_sec))
    rclpy.try_shutdown = lambda: calls.append(("shutdown",))
    messages: Any = ModuleType("std_msgs.msg")
    messages.Bool = bool
    services: Any = ModuleType("std_srvs.srv")
    services.SetBool = "SetBool"
    for name, module in {"rclpy": rclpy, "std_msgs.msg": messages, "std_srvs.srv": services}.items():
        monkeypatch.setitem(sys.modules, name, module)
    for name in ("std_msgs", "std_srvs"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    node = RclpyNode("x")
    node.publisher("std_msgs/msg/Bool", "/a")(True)
    node.subscribe("std_msgs/msg/Bool", "/b", print)
    node.serve("std_srvs/srv/SetBool", "/c", print)
    node.spin()
    node.close()
    assert calls == [
        ("init",),
        ("publisher", bool, "/a", 10),
        ("publish", True),
        ("subscription", bool, "/b", print, 10),
        ("service", "SetBool", "/c", print),
        ("spin", 0),
        ("spin", 0),
        ("destroy",),
        ("shutdown",),
    ]


def test_the_controller_says_what_is_missing(tmp_path: Path):
    (tmp_path / "worlds").mkdir()
    world = tmp_path / "worlds" / "a.wbt"
    world.write_text(WORLD)
    (tmp_path / "rclpy.py").write_text("raise ImportError('no ROS here')\n")
    command = [sys.executable, "-m", "wbridge", "run", str(world), "--duration", "0.1"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(CHECKOUT)))}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert "ros2: rclpy cannot be imported (no ROS here)" in done.stderr


def test_the_former_name_works_and_warns():
    code = (
        "from wbridge.hal.ros import bridge; import wbridge.ros.bridge; print(bridge is wbridge.ros.bridge)"
    )
    command = [sys.executable, "-W", "always", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True\n"
    assert "wbridge.hal.ros is now wbridge.ros" in done.stderr
