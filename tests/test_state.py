"""A run that goes back to a state goes on as it did the first time: every bit that controllers are told.

Robots are driven here as a controller's commands drive them, and what they answer is compared byte by byte.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.devices.rig import NEW, OLDEST, Rig, robot, world
from wbridge.hal.catalogue import kinds
from wbridge.hal.protocol.fields import type_number
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.physics.errors import StateError
from wbridge.wbcore.robots.power import Power
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.scene.load import load_text, load_world
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.world.packing import split

STEPS, SAVED = 60, 23
ALL_DEVICES = Path(__file__).parent / "peers" / "all_devices.wbt"
PERIODS = (16, 32, 48)
BOX = "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { density -1 mass 1 }"


def make(text: str, header: str = NEW) -> Simulation:
    loaded = load_text(header + text, "test.wbt")
    assert loaded.report.errors == [], [str(one) for one in loaded.report.errors]
    return Simulation(loaded)


def do(robot: Robot, name: str, command: str, *values: Any) -> None:
    """Let a device carry out a command as if it came from the controller."""
    device = robot.device(name)
    assert device is not None, name
    getattr(device, f"on_{command}")(*values)


def enable_all(robot: Robot) -> None:
    for number, device in enumerate(robot.devices):
        if isinstance(device, Sensor):
            device.on_enable(PERIODS[number % len(PERIODS)])
    power = robot.part("power")
    assert isinstance(power, Power)
    power.on_enable_battery(48)


Script = Callable[[Simulation, int], None]


def run(simulation: Simulation, script: Script, begin: int, end: int) -> list[tuple[str, bytes]]:
    """Make steps; for each the hash of the physics and what all controllers are told."""
    seen = []
    for count in range(begin, end):
        script(simulation, count)
        simulation.step()
        out = bytearray()
        for one in simulation.robots:
            one.sample()
            one.write_answer(out)
        seen.append((simulation.hash(), bytes(out)))
    return seen


def compare(
    made: Callable[[], Simulation], script: Script, saved: int = SAVED, elsewhere: bool = True
) -> Simulation:
    """Go back once in the same simulation, and go on in another one; both have to do what the first did."""
    first = made()
    run(first, script, 0, saved)
    state = first.state()
    expected = run(first, script, saved, STEPS)
    first.restore(state)
    assert first.time == pytest.approx(saved * first.step_s)
    assert split(first.state()) == split(state)
    assert run(first, script, saved, STEPS) == expected
    if elsewhere:
        other = made()
        other.restore(state)
        assert run(other, script, saved, STEPS) == expected
    return first


def drive_everything(simulation: Simulation, count: int) -> None:
    """Commands to all devices of the world with all of them."""
    one = simulation.robots.list[0]
    if count == 0:
        enable_all(one)
        do(one, "left motor", "set_position", math.inf)
        do(one, "right motor", "set_position", math.inf)
        do(one, "left motor", "set_acceleration", 3.0)
    do(one, "left motor", "set_velocity", 4 * math.sin(count / 20))
    do(one, "right motor", "set_velocity", 4 * math.sin(count / 25))
    do(one, "lift", "set_position", 0.05 + 0.04 * math.sin(count / 15))
    do(one, "led", "set", count // 10 % 3)
    do(one, "emitter", "send", 1, -1.0, b"step %d" % count)
    if count == 10:
        do(one, "left brake", "set_damping_constant", 0.01)
        do(one, "lidar", "enable_point_cloud")
        do(one, "speaker", "speak", "a text that takes some time", 1.0)
        do(one, "display", "image_new", 3, 2, 2, 6, bytes(16))
        do(one, "emitter", "set_channel", 2)
        do(one, "receiver", "set_channel", 4)
        do(one, "camera", "set_exposure", 2.0)
        simulation.set_field(simulation.node("BALL").node, "name", "other")
    if count == 30:
        do(one, "left brake", "set_damping_constant", 0.0)
        do(one, "gyro", "enable", 0)
        do(one, "generic", "enable", 0)
        do(one, "sonar", "enable", 16)
        do(one, "emitter", "set_channel", 3)
        do(one, "left motor", "set_available_force", 0.1)
        do(one, "speaker", "stop", [])
        do(one, "display", "image_delete", 3)
        do(one, "lidar", "disable_point_cloud")
        simulation.set_field(simulation.node("BALL").node, "name", "third")
        simulation.set_field(one.node, "customData", "thirty")
    if count == 50:
        do(one, "display", "image_save", 3)


def test_a_robot_with_all_common_devices_goes_on():
    made = compare(lambda: Simulation(load_world(ALL_DEVICES)), drive_everything)
    assert made.node("BALL").node.get("name") == "third"


RADIO = " ".join(
    [
        'Emitter { name "e" channel 1 }',
        'Receiver { name "r" channel 1 directionNoise 0.1 signalStrengthNoise 0.1 }',
        'Radio { name "radio" address "a" }',
        'Skin { name "skin" bones [ SolidReference { solidName "bone" } ] } Solid { name "bone" }',
        'Pen { name "pen" }',
        'Microphone { name "ear" }',
        'LED { name "lamp" gradual TRUE children [ PointLight { } ] }',
        'LightSensor { name "eye" translation 0 0 0.2 lookupTable [ 0 0 0.1 100 100 0.1 ] }',
        'GPS { name "gps" }',
        'HingeJoint { device [ RotationalMotor { name "lone" acceleration 2 maxVelocity 5 } '
        'PositionSensor { name "lone angle" } ] }',
        'Speaker { name "horn" }',
    ]
)


def send(simulation: Simulation, count: int) -> None:
    for number, one in enumerate(simulation.robots):
        if count == 0:
            enable_all(one)
        do(one, "e", "send", 1, -1.0, b"%d from %d" % (count, number))
        do(one, "radio", "send", b"a", b"hello %d" % count, 0.0)
        do(one, "lamp", "set", count * 4)
        if count % 20 == 15:
            do(one, "lone", "set_position", count / 20)
            do(one, "skin", "set_bone_position", 0, (0.0, 0.0, count / 10), True)
            do(one, "radio", "set_address", b"a" if count < 30 else b"b")
            do(one, "pen", "write")
            do(one, "pen", "set_ink_color", count, 0, 0, 0.5)
        do(one, "skin", "get_bone_position", 0, True)


def test_radios_lamps_skins_and_lone_motors_go_on():
    text = world(
        robot(RADIO, f"translation 0 0 1 {BOX}", "r0") + robot(RADIO, f"translation 1 0 1 {BOX}", "r1")
    )
    compare(lambda: make(text), send)


HOLDERS = (
    'Connector {{ name "plug" translation 0.05 0 0 model "m" autoLock TRUE distanceTolerance 0.2 '
    "axisTolerance 3 rotationTolerance 3 {} }}"
)
GRIPPER = (
    'VacuumGripper { name "cup" translation 0 0 -0.06 boundingObject Sphere { radius 0.02 } '
    "physics Physics { density -1 mass 0.01 } }"
)


def hold(simulation: Simulation, count: int) -> None:
    for one in simulation.robots:
        if count == 0:
            enable_all(one)
        if count in (8, 40):
            do(one, "plug", "lock")
            do(one, "cup", "turn_on")
        if count in (30, 55):
            do(one, "plug", "unlock")
            do(one, "cup", "turn_off")


@pytest.mark.parametrize("saved", [5, 8, 9, 29, 31, 45])
def test_connectors_and_grippers_go_on(saved: int):
    parts = HOLDERS.format("") + GRIPPER
    floor = 'Solid { name "floor" boundingObject Plane { } }'
    text = world(
        robot(parts, f"translation 0 0 0.13 {BOX}", "r0")
        + robot(parts, f"translation 0.15 0 0.13 rotation 0 0 1 3.14159265 {BOX}", "r1"),
        floor + ' Solid { name "load" translation 0 0 0.025 boundingObject Box { size 0.05 0.05 0.05 } '
        "physics Physics { density -1 mass 0.1 } }",
    )
    compare(lambda: make(text), hold, saved)


def use_up(simulation: Simulation, count: int) -> None:
    one = simulation.robots.list[0]
    if count == 0:
        enable_all(one)
        do(one, "m", "set_position", math.inf)
    do(one, "m", "set_velocity", 2.0)


@pytest.mark.parametrize("saved", [10, 50])
def test_batteries_and_chargers_go_on(saved: int):
    joint = (
        "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } "
        'device RotationalMotor { name "m" } '
        f'endPoint Solid {{ name "arm" translation 0 0 0.3 {BOX} }} }}'
    )
    charger = (
        "Charger { translation 1 0 0 battery [ 5 10 50 ] radius 3 gradual TRUE "
        "children Shape { appearance PBRAppearance { } geometry Sphere { radius 0.1 } } }"
    )
    text = world(robot(joint, f"{BOX} battery [ 0.5 2 1.5 ] cpuConsumption 1"), charger, "gravity 0")
    made = compare(lambda: make(text), use_up, saved)
    assert made.robots.list[0].node.get("battery")[0] < 2


WHEELED = """DifferentialWheels {
  translation 0 0.05 0 maxSpeed 10 axleLength 0.1 wheelRadius 0.025 encoderNoise 0.1 slipNoise 0.2 %s
  encoderWidth 1
  children [
    Servo { maxVelocity 3 maxForce 10 children Shape { geometry Box { size 0.01 0.01 0.01 } } name "servo" }
    Solid { name "left wheel" translation -0.05 0 0 rotation 1 0 0 0 }
    Solid { name "right wheel" translation 0.05 0 0 rotation 1 0 0 0 }
  ]
  boundingObject Box { size 0.1 0.1 0.1 }
}
"""


def roll(simulation: Simulation, count: int) -> None:
    one = simulation.robots.list[0]
    if count == 0:
        enable_all(one)
    for device in one.devices:
        if device.name in ("left wheel", "right wheel") and hasattr(device, "on_set_velocity"):
            device.on_set_velocity(3 + math.sin(count / (7 + device.tag)))


@pytest.mark.parametrize("fields", ["", "maxAcceleration 5"])
def test_differential_wheels_go_on(fields: str):
    text = "WorldInfo { basicTimeStep 16 }\nViewpoint { }\n" + WHEELED % fields
    made = compare(lambda: make(text, OLDEST), roll)
    assert {"WheelMotor", "WheelSensor"} <= {type(one).__name__ for one in made.robots.list[0].devices}


def test_every_kind_of_device_is_among_these():
    used = {one.entry.type for one in Simulation(load_world(ALL_DEVICES)).robots.list[0].devices}
    text = RADIO + HOLDERS.format("") + GRIPPER
    missing = {name for name in kinds() if name not in used and f"{name} {{" not in text}
    assert missing <= {"Robot", "CustomRobot", "Supervisor", "DifferentialWheels", "Servo"}, missing


def ask(robot: Robot, command: str, *values: Any) -> None:
    """Let a supervisor's command be carried out."""
    robot.commands.handlers[robot.codec.command_codes[command]](*values)


def supervise(simulation: Simulation, count: int) -> None:
    one = simulation.robots.list[0]
    ball = simulation.nodes.number(simulation.node("BALL").node)
    if count == 0:
        one.connect(one.dialect)
        ask(one, "track_pose", 0, ball, 48)
    if count == 22:
        ask(one, "set_label", 1, 0.1, 0.1, 0.1, 0xFF, "text", "Arial")
        ask(one, "track_contact_points", ball, False, 32)
    if count == 40:
        ask(one, "track_pose", 0, ball, None)
        ask(one, "set_label", 1, 0.0, 0.0, 0.1, 0, "", "")
        simulation.set_field(simulation.node("GROUND").node, "bounce", 0.1)
    if count == 45:
        ask(one, "reset_physics", ball)


BOSS = world(
    robot("", "supervisor TRUE translation 3 0 1"),
    'DEF BALL Solid { translation 0 0 0.5 name "ball" boundingObject DEF ROUND Sphere { radius 0.1 } '
    "physics DEF MASS Physics { density -1 mass 1 } } "
    'Solid { name "floor" boundingObject Plane { } }',
    "contactProperties [ DEF GROUND ContactProperties { bounce 0.8 } ]",
)


def test_supervisors_go_on():
    # The numbers of nodes that a supervisor has been told belong to one simulation.
    made = compare(lambda: make(BOSS), supervise, elsewhere=False)
    assert made.labels == []


def test_what_a_supervisor_has_asked_for_is_part_of_the_state():
    simulation = make(BOSS)
    run(simulation, supervise, 0, 22)
    one, ball = simulation.robots.list[0], simulation.node("BALL").node
    number, place = simulation.nodes.number(ball), list(ball.spec.fields).index("translation")
    ask(one, "set_label", 1, 0.1, 0.1, 0.1, 0xFF, "text", "Arial")
    ask(one, "set_field", number, place, type_number("SFVec3f"), -1, (0.0, 0.0, 3.0))
    state = simulation.state()
    for _ in range(2):
        simulation.restore(state)
        assert [one.text for one in simulation.labels] == ["text"]
        simulation.step()
        assert simulation.node("BALL").translation[2] == pytest.approx(3, abs=0.1)
        ask(one, "set_label", 1, 0.0, 0.0, 0.1, 0, "", "")


@pytest.mark.parametrize(("node", "field", "value"), [("MASS", "mass", 3.0), ("ROUND", "radius", 0.2)])
def test_fields_that_bodies_are_built_from_come_back(node: str, field: str, value: float):
    simulation = make(BOSS)
    simulation.step(20)
    state = simulation.state()
    simulation.step(30)
    expected = simulation.hash()
    simulation.restore(state)
    simulation.set_field(simulation.node(node).node, field, value)
    simulation.step(30)
    assert simulation.hash() != expected
    simulation.restore(state)
    simulation.step(30)
    assert simulation.hash() == expected


def test_a_state_of_other_robots_is_refused():
    texts = [world(robot(f'LED {{ name "{name}" }}')) for name in ("a", "b")]
    one, other = (make(text) for text in texts)
    assert len(one.robots) == len(other.robots) == 1
    before = other.state()
    with pytest.raises(StateError, match='another robot "robot", or its devices differ'):
        other.restore(one.state())
    assert other.state() == before


@pytest.mark.parametrize("cut", [0, 1, 11, 12, 40])
def test_a_damaged_state_is_refused(cut: int):
    simulation = make(BOSS)
    simulation.step(5)
    assert len(simulation.robots) == 1
    state = simulation.state()
    simulation.step()
    before = simulation.state()
    for bad in (state[: len(state) // 2 + cut], state[:-1] + b"\1", bytes(cut)):
        with pytest.raises(StateError):
            simulation.restore(bad)
    assert simulation.state() == before


def test_robots_that_a_state_does_not_know_begin_anew():
    simulation = make(world(robot('LED { name "lamp" color [ 1 0 0 ] }')))
    state = simulation.state()
    do(simulation.robots.list[0], "lamp", "set", 1)
    simulation.step()
    simulation.restore(state)
    assert simulation.steps == 0


def test_a_connected_controller_is_told_the_time_of_the_state():
    rig = Rig(world(robot('Accelerometer { name "a" }', BOX), info="gravity 0"))
    rig.enable("a")
    rig.step(5)
    state = rig.simulation.state()
    rig.step(20)
    rig.simulation.restore(state)
    rig.lockstep.restart_time()
    rig.step()
    assert rig.client.get_time() == pytest.approx(6 * rig.simulation.step_s)
    assert rig["a"].get_values() == pytest.approx([0, 0, 0])
