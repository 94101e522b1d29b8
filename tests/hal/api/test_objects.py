"""The object API: how objects are made, what they add to the functions, and old spellings."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

import controller
from tests.project.files import CHECKOUT
from wbridge.hal.api.robot import wb_robot_get_device
from wbridge.hal.client.native import NativeRobot
from wbridge.hal.controller.by_hand import old
from wbridge.hal.protocol.loopback import Loopback, Peer

Attach = Callable[[Loopback], NativeRobot]


def world() -> Loopback:
    emitter = {"buffer_size": -1, "range": -1.0, "max_range": -1.0, "bytes_per_ms": -1.0}
    peers = [Peer("GPS", "gps"), Peer("RotationalMotor", "motor"), Peer("LED", "led")]
    return Loopback([*peers, Peer("Emitter", "out", emitter), Peer("Receiver", "in", {"buffer_size": -1})])


def test_devices_are_the_same_objects_each_time(attach: Attach):
    attach(world())
    robot = controller.Robot()
    motor = robot.getDevice("motor")
    assert isinstance(motor, controller.Motor)
    assert robot.getDevice("motor") is robot.getDeviceByIndex(1) is robot.devices["motor"] is motor
    assert list(robot.devices) == ["gps", "motor", "led", "out", "in"]
    assert (motor.name, motor.node_type, motor.tag) == ("motor", controller.Node.ROTATIONAL_MOTOR, 2)


def test_of_devices_with_the_same_name_python_has_the_last_and_c_the_first(attach: Attach):
    """As Webots' Python package, which keeps its devices by name, and Webots' wb_robot_get_device()."""
    attach(Loopback([Peer("LED", "twin"), Peer("RotationalMotor", "motor"), Peer("LED", "twin")]))
    robot = controller.Robot()
    assert robot.getDevice("twin") is robot.devices["twin"] is robot.getDeviceByIndex(2)
    assert wb_robot_get_device("twin") == robot.getDeviceByIndex(0).tag
    assert list(robot.devices) == ["twin", "motor"]


def test_a_missing_device_is_none(attach: Attach, capsys: pytest.CaptureFixture[str]):
    attach(world())
    assert controller.Robot().getDevice("moto") is None
    assert 'did you mean "motor"' in capsys.readouterr().err
    with pytest.raises(ValueError, match="has no device 'moto'; it has gps, motor"):
        controller.Motor("moto")


def test_a_sensor_that_is_made_by_name_is_enabled(attach: Attach):
    there = world()
    attach(there)
    gps = controller.GPS("gps")
    assert (gps.sampling_period, gps.getSamplingPeriod()) == (32, 32)
    there["gps"].send("values", (1.0, 2.0, 3.0), 0.5, (0.0, 0.0, 0.5))
    controller.Robot().step()
    assert (gps.value, gps.speed, gps.getSpeedVector()) == ([1.0, 2.0, 3.0], 0.5, [0.0, 0.0, 0.5])
    gps.sampling_period = None
    assert gps.getSamplingPeriod() == 0


def test_properties_set_what_methods_set(attach: Attach):
    there = world()
    attach(there)
    motor, led = controller.Motor("motor"), controller.LED("led")
    motor.target_position, motor.force, led.value = 0.5, 2.0, 3
    controller.Robot().step(32)
    assert (there["motor"].last("set_position"), there["motor"].last("set_force")) == ((0.5,), (2.0,))
    assert there["led"].last("set") == (3,)
    assert (motor.getTargetPosition(), led.get()) == (0.5, 3)


@pytest.mark.parametrize(
    ("message", "data", "read", "expected"),
    [
        ("h\u00e9", b"h\xc3\xa9", "getString", "h\u00e9"),
        ([1.0, 2.0], b"\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\x40", "getFloats", (1.0, 2.0)),
        ([1, -1], b"\1\0\0\0\xff\xff\xff\xff", "getInts", (1, -1)),
        ([True, False], b"\1\0", "getBools", (True, False)),
        (b"ab", b"ab", "getBytes", b"ab"),
    ],
)
def test_messages_of_several_kinds(attach: Attach, message: object, data: bytes, read: str, expected: object):
    there = world()
    attach(there)
    assert controller.Emitter("out").send(message) == 1
    receiver = controller.Receiver("in")
    there["in"].send("packet", 0, (1.0, 0.0, 0.0), 1.0, data)
    controller.Robot().step(32)
    assert there["out"].last("send")[2] == data
    assert getattr(receiver, read)() == expected


def test_an_old_spelling_works_and_warns_once(attach: Attach, monkeypatch: pytest.MonkeyPatch):
    attach(world())
    monkeypatch.setattr(old, "_said", set())
    robot = controller.Robot()
    with pytest.warns(DeprecationWarning, match="Robot.getMotor is deprecated; use Robot.getDevice"):
        motor = robot.getMotor("motor")
    assert robot.getMotor("motor") is motor


def test_recognized_objects_have_the_getters_of_all_releases():
    one = controller.CameraRecognitionObject(
        7, (1, 2, 3), (0, 0, 1, 0), (4, 5), (6, 8), (9, 10), [1, 0, 0], "box"
    )
    assert one.get_id() == one.getId() == 7
    assert one.get_position() == one.getPosition() == [1, 2, 3]
    assert one.get_orientation() == one.getOrientation() == [0, 0, 1, 0]
    assert one.get_size() == one.getSize() == [4, 5]
    assert one.get_position_on_image() == one.getPositionOnImage() == [6, 8]
    assert one.get_size_on_image() == one.getSizeOnImage() == [9, 10]
    assert one.get_number_of_colors() == one.getNumberOfColors() == 1
    assert one.get_colors() == one.getColors() == [1, 0, 0]
    assert one.get_model() == one.getModel() == "box"


def test_keys_in_words(attach: Attach):
    there = world()
    attach(there)
    keyboard = controller.Keyboard()
    there.tell("keys", [65 + controller.Keyboard.SHIFT, controller.Keyboard.PAGEUP])
    controller.Robot().step(32)
    assert [keyboard.get_key() for _ in range(3)] == ["shift-A", "page up", ""]


def test_all_names_come_with_a_star():
    code = "from controller import *; print(Robot.__name__, AnsiCodes.RESET == '\\x1b[0m')"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT, check=True, capture_output=True, text=True
    )
    assert done.stdout.split() == ["Robot", "True"]
