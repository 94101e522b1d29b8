"""Motors and sensors of a robot that a script drives: units and laws of the manual, and the same bits as
with a controller."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import wbridge
from tests.wbridge.api.worlds import TURNTABLE, TWO_WHEELS, hinge, robot
from wbridge.api.robots import Robot
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import load_text

STEP = 0.008
LINEAR = "WorldInfo { gravity 0 basicTimeStep 8 }\n" + robot(
    'SliderJoint { jointParameters JointParameters { axis 1 0 0 } device [ LinearMotor { name "lift" '
    "maxVelocity 2 maxForce 100 minPosition -0.5 maxPosition 0.5 } ] endPoint Solid { boundingObject Box { } "
    "physics Physics { density -1 mass 2 } } }"
)
COUPLED = "WorldInfo { basicTimeStep 8 }\n" + robot(
    hinge('RotationalMotor { name "grip::left" }')
    + hinge('RotationalMotor { name "grip::right" multiplier -1 }')
)


@pytest.fixture
def sim() -> wbridge.Simulation:
    return wbridge.from_text(TURNTABLE)


@pytest.fixture
def arm(sim: wbridge.Simulation) -> Robot:
    return sim.robot("robot")


# Robots.


def test_robots_are_looked_up_by_name_and_def():
    sim = wbridge.from_text("WorldInfo { }" + robot("", name="first") + robot("", name="second"))
    assert [one.name for one in sim.robots] == ["first", "second"]
    assert sim.robot("second") is sim.robot("SECOND") is sim.robots[1]
    with pytest.raises(
        wbridge.UnknownNameError, match=r'no robot "secnd"; did you mean .second.\?; robots: "first"'
    ):
        sim.robot("secnd")
    with pytest.raises(wbridge.UnknownNameError, match="has 2 robots"):
        sim.robot()
    assert wbridge.from_text(TURNTABLE).robot().name == "robot"


def test_reading_a_pose_does_not_drive_the_robot():
    robot = wbridge.from_text(TURNTABLE).robot()
    assert robot.position.tolist() == [0, 0, 0] and robot.velocity.tolist() == [0] * 6
    assert not robot.is_driven
    robot.motor("motor")
    assert robot.is_driven


def test_unknown_devices_name_the_nearest(sim: wbridge.Simulation, arm: Robot):
    with pytest.raises(
        wbridge.UnknownNameError, match=r'robot "robot" has no motor "moter"; did you mean .motor.'
    ):
        arm.motor("moter")
    with pytest.raises(wbridge.UnknownNameError, match=r'sensors: "angle", "gps", "ds"'):
        arm.sensor("nothing at all")
    with pytest.raises(
        wbridge.UnknownNameError, match=r'"ds" is no motor but of type DistanceSensor; use robot.sensor'
    ):
        arm.motor("ds")
    with pytest.raises(
        wbridge.UnknownNameError, match=r'"motor" is no sensor but of type RotationalMotor; use robot.motor'
    ):
        arm.sensor("motor")
    with pytest.raises(wbridge.UnknownNameError, match=r'use robot.lidar\("lidar"\)'):
        arm.camera("lidar")
    with pytest.raises(wbridge.UnknownNameError, match=r'use robot.set_led\("led", 1\)'):
        arm.sensor("led")


# Motors: manual, chapter Motor.


def test_velocity_control(sim: wbridge.Simulation, arm: Robot):
    motor = arm.motor("motor")
    motor.velocity = 2
    assert motor.position == math.inf and motor.velocity == 2
    sim.run(0.4)
    assert motor.actual_velocity == pytest.approx(2)
    assert motor.actual_position == pytest.approx(0.8, abs=1e-3)


def test_position_control_uses_the_speed(sim: wbridge.Simulation, arm: Robot):
    """P control: the velocity is P times the error, up to the speed."""
    motor = arm.motor("motor")
    motor.position = 1
    assert motor.velocity == 5, "by default the maximum"
    motor.velocity = -1
    motor.position = 1
    assert motor.velocity == 5, "not the velocity before, which would move away"
    motor.speed = 0.5
    sim.run(1.0)
    assert motor.actual_position == pytest.approx(0.5, abs=0.01)
    sim.run(2.0)
    assert motor.actual_position == pytest.approx(1, abs=1e-3)


def test_torque_control(sim: wbridge.Simulation, arm: Robot):
    """The bar turns about the joint: I = m (a^2 + b^2) / 12 + m d^2."""
    motor = arm.motor("motor")
    motor.torque = 0.3
    inertia = (0.4**2 + 0.1**2) / 12 + 0.5**2
    sim.step()
    assert motor.actual_velocity == pytest.approx(0.3 / inertia * STEP, rel=2e-3)
    assert motor.torque == 0.3
    motor.velocity = 0
    assert motor.torque == 0
    with pytest.raises(AttributeError, match=r'"motor" is rotational: use its torque \(N m\)'):
        motor.force = 1


def test_linear_motors():
    sim = wbridge.from_text(LINEAR)
    lift = sim.robot().motor("lift")
    assert lift.is_linear and lift.limits == (-0.5, 0.5)
    lift.force = 4
    sim.step()
    assert lift.actual_velocity == pytest.approx(4 / 2 * STEP)
    with pytest.raises(AttributeError, match=r'"lift" is linear: use its force \(N\)'):
        lift.torque = 1
    lift.position = 2
    assert lift.position == 0.5, "as for a controller, targets are cut to the limits"


def test_limits_and_gains(sim: wbridge.Simulation, arm: Robot, caplog: pytest.LogCaptureFixture):
    motor = arm.motor("motor")
    assert (motor.max_velocity, motor.max_force, motor.limits) == (5, 1000, (-math.inf, math.inf))
    motor.velocity = 7
    assert motor.velocity == 5 and "velocity 7 is clipped to maxVelocity" in caplog.text
    motor.torque = 1e6
    assert motor.torque == 1e6 and "force 1e+06 is clipped to the available force" in caplog.text
    motor.pid = 5, 0.1, 0
    motor.acceleration = 3
    motor.available_force = 4
    assert (motor.pid, motor.acceleration, motor.available_force) == ((5, 0.1, 0), 3, 4)


@pytest.mark.parametrize("name", ["position", "velocity", "torque", "speed", "available_force"])
def test_numbers_that_are_none_are_refused(arm: Robot, name: str):
    motor = arm.motor("motor")
    before = motor.position, motor.velocity
    with pytest.raises(ValueError, match=f'motor "motor": {name} must be '):
        setattr(motor, name, math.nan)
    with pytest.raises(TypeError, match=f"motor \"motor\": {name} must be .*, not 'fast'"):
        setattr(motor, name, "fast")
    with pytest.raises(AttributeError):
        del motor.velocity
    with pytest.raises(AttributeError):
        motor.velocty = 1
    assert (motor.position, motor.velocity) == before


def test_coupled_motors_move_together():
    sim = wbridge.from_text(COUPLED)
    left, right = sim.robot().motors.values()
    left.velocity = 0.5
    sim.run(0.2)
    assert left.actual_position == pytest.approx(-right.actual_position, abs=1e-6) != 0


def test_all_motors_at_once():
    sim = wbridge.from_text(COUPLED.replace("grip::", "grip "))
    motors = sim.robot().motors
    assert motors.names == ("grip left", "grip right")
    motors.velocity = [0.1, 0.2]
    assert motors.velocity.tolist() == [0.1, 0.2]
    motors.effort = np.array([1.0, -1.0])
    assert motors["grip right"].torque == -1
    motors.position = 0
    assert motors.position.tolist() == [0, 0]
    with pytest.raises(
        ValueError, match=r"expected a number or 2 numbers \(grip left, grip right\), not the shape"
    ):
        motors.velocity = [1, 2, 3]


def test_motors_survive_changes_of_the_world():
    sim = wbridge.from_text(TURNTABLE)
    motor = sim.robot().motor("motor")
    motor.velocity = 1
    sim.core.physics.build_again()
    sim.step()
    motor.velocity = 2
    assert motor.velocity == 2 and sim.core.robots.list[0].device("motor").engine.target_velocity == 2


# Sensors.


def test_sensors_are_off_until_they_are_requested(sim: wbridge.Simulation, arm: Robot):
    angle = arm.sensors["angle"]
    arm.motor("motor").velocity = 1
    sim.run(0.1)
    assert math.isnan(angle.value) and angle.period == 0
    assert arm.sensor("angle") is angle and angle.period == 8
    assert math.isnan(angle.value), "its first sample is taken at the end of the next step"
    sim.step()
    assert angle.value == arm.motor("motor").actual_position != 0


def test_sampling_periods(sim: wbridge.Simulation, arm: Robot):
    angle = arm.sensor("angle", 24)
    arm.motor("motor").velocity = 1
    seen = []
    for _ in range(6):
        sim.step()
        seen.append(angle.value)
    assert math.isnan(seen[0]) and math.isnan(seen[1]) and not math.isnan(seen[2])
    assert seen[2] == seen[3] == seen[4] != seen[5]
    angle.period = 0
    sim.step()
    assert angle.value == seen[5], "the newest sample stays"
    with pytest.raises(ValueError, match="whole milliseconds"):
        angle.period = 2.5


def test_vectors_and_names(sim: wbridge.Simulation, arm: Robot):
    gps = arm.sensor("gps")
    sim.step()
    assert gps.value.shape == (7,) and gps.value[:3].tolist() == [0, 0, 0]
    copy = gps.value
    copy[0] = 5
    assert gps.value[0] == 0
    assert gps.numbers.base is arm.sensors.numbers, "a view"
    assert (
        "motor" not in arm.sensors.names
        and "gps.position.x" in arm.sensors.names
        and len(arm.sensors.names) == len(arm.sensors.numbers)
    )
    assert arm.sensor("angle").measure() == 0


def test_all_sensors_at_once(sim: wbridge.Simulation, arm: Robot):
    arm.sensors.enable(8)
    values = arm.sensors.numbers
    sim.step()
    assert arm.sensors.numbers is values
    assert not np.isnan(values[arm.sensors.names.index("ds")])


def test_leds(sim: wbridge.Simulation, arm: Robot):
    arm.set_led("led", 1)
    assert arm.core.device("led").value == 1
    sim.run(0.05)


RADIO = "WorldInfo { basicTimeStep 8 }\n" + (
    robot('Emitter { name "emitter" } Receiver { name "own" } Speaker { name "speaker" }', name="sender")
    + robot('Receiver { name "receiver" }', name="listener")
)


def test_commands_and_messages_of_other_devices():
    sim = wbridge.from_text(RADIO)
    sender, listener = sim.robots
    assert listener.messages("receiver") == []
    sim.step()
    sender.command("emitter", "send", 0, -1.0, b"hello")
    heard = []
    for _ in range(4):
        sim.step()
        heard += listener.messages("receiver")
    assert [message for message in heard if b"hello" in message] and sender.messages("own") == []
    with pytest.raises(
        wbridge.UnknownNameError, match=r'Emitter "emitter" has no command "sent"; did you mean'
    ):
        sender.command("emitter", "sent")
    with pytest.raises(ValueError, match='"emitter": send: '):
        sender.command("emitter", "send", b"hello")
    with pytest.raises(wbridge.UnknownNameError, match=r'use robot.messages\("own"\)'):
        sender.sensor("own")
    with pytest.raises(wbridge.UnknownNameError, match=r'use robot.command\("speaker", ...\)'):
        sender.motor("speaker")
    with pytest.raises(wbridge.UnknownNameError, match='no device "emiter"; did you mean'):
        sender.command("emiter", "send")


def test_the_effort_of_a_motor_is_measured(arm: Robot):
    """Manual, chapter Motor: both ends of the joint need Physics; the motor's torque is limited."""
    sim = wbridge.load(TWO_WHEELS)
    motor = sim.robot().motor("left wheel motor")
    motor.velocity = 12
    assert motor.actual_effort == 0
    sim.step()
    assert 0.01 < motor.actual_effort <= motor.max_force
    assert motor.device.measure(0.016) == (motor.actual_effort,), "what a controller gets"
    arm.motor("motor").velocity = 1
    arm.core.simulation.step()
    assert arm.motor("motor").actual_effort == 0


# Pictures.


def test_range_images_are_views(sim: wbridge.Simulation, arm: Robot):
    finder, lidar = arm.range_finder("rf"), arm.lidar("lidar", 8)
    image = finder.image
    assert image.shape == (3, 4) and np.isinf(image).all()
    lidar.points  # noqa: B018  the first use enables the cloud
    sim.step()
    assert finder.image.base is not None and np.shares_memory(image, finder.image)
    points = lidar.points
    assert lidar.image.shape == points.shape == (2, 8)
    assert np.shares_memory(points, lidar.image.base)
    # Judge: the manual: a point is its distance along its ray, and x is ahead.
    norms = np.sqrt(points["x"] ** 2 + points["y"] ** 2 + points["z"] ** 2)
    assert np.array_equal(np.isfinite(norms), np.isfinite(lidar.image))
    finder.period = 0
    assert finder.period == 0
    with pytest.raises(ValueError, match="whole milliseconds"):
        finder.period = -1


def test_images_of_cameras_are_views(sim: wbridge.Simulation, arm: Robot):
    camera = arm.camera("camera", 16)
    assert camera.period == 16 and camera.image.shape == (6, 8, 3) and camera.image.dtype == np.uint8
    assert not camera.image.any(), "black before the first picture"
    image = camera.image
    arm.core.device("camera").picture[..., :3] = (1, 2, 3)  # blue, green, red
    assert image[5, 7].tolist() == [3, 2, 1]
    camera.period = 0
    sim.step()
    assert image[0, 0].tolist() == [3, 2, 1]


# The same bits as with a controller.

CONTROLLER = """
from controller import Robot
robot = Robot()
motor, ds, angle = robot.getDevice("motor"), robot.getDevice("ds"), robot.getDevice("angle")
ds.enable(8)
angle.enable(16)
motor.setPosition(float("inf"))
seen = []
for i in range(40):
    motor.setVelocity(i % 5 - 1.0)
    if robot.step(16) == -1:
        break
    seen.append((ds.getValue(), angle.getValue()))
with open("seen.txt", "w") as file:
    print(repr(seen), end="", file=file)
"""


def test_a_script_and_a_controller_get_the_same_bits(tmp_path: Path):
    """Also with noise, which draws random numbers."""
    folder = tmp_path / "controllers" / "same"
    folder.mkdir(parents=True)
    (folder / "same.py").write_text(CONTROLLER, encoding="utf-8")
    text = TURNTABLE.replace('controller "<none>"', 'controller "same"')
    world = load_text("#VRML_SIM R2025a utf8\n" + text, str(tmp_path / "worlds" / "same.wbt"))
    with Runner(world, RunOptions(inline=True)) as runner:
        runner.limit = 80
        runner.run()
        expected = runner.simulation.hash()
    seen = eval((folder / "seen.txt").read_text(encoding="utf-8"), {"nan": math.nan})
    for is_watched in (False, True):
        sim = wbridge.from_text(text)
        robot = sim.robot()
        motor, ds, angle = robot.motor("motor"), robot.sensor("ds", 8), robot.sensor("angle", 16)
        if is_watched:
            sim.core  # noqa: B018  steps are checked one by one from now on
        mine = []
        for i in range(40):
            motor.velocity = i % 5 - 1
            sim.step(16)
            mine.append((ds.value, angle.value))
        assert sim.hash() == expected
        assert mine == seen
