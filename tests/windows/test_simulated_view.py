"""What windows see of a simulated robot, and how they lend it a hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf

import pytest

from tests.devices.rig import Rig, world
from tests.hal.link.conftest import make_device
from wbridge.hal.table import DeviceTable
from wbridge.wbcore.windows.outlines import Outlines
from wbridge.wbcore.windows.simulated_view import SimulatedView, table_data

BODY = """
  children [
    DEF WHEEL HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [ RotationalMotor { name "motor" maxVelocity 10 maxTorque 5 } PositionSensor { name "angle" } ]
      endPoint Solid {
        name "wheel" boundingObject Box { size 0.1 0.2 0.1 } physics Physics { density -1 mass 1 }
      }
    }
    GPS { name "gps" }
    DistanceSensor { name "ds" translation 0.1 0.05 0 rotation 0 0 1 1.5708 }
    LED { name "led" color [ 1 0 0, 0 1 0 ] }
    Receiver { name "receiver" }
  ]
  boundingObject Box { size 0.4 0.2 0.1 }
"""
MOTOR, ANGLE, GPS, DS, LED, RECEIVER = range(1, 7)


@pytest.fixture
def rig(drive: Callable[..., Rig]) -> Rig:
    return drive(world(f'Robot {{ name "r" {BODY} }}'))


@pytest.fixture
def watched(rig: Rig) -> Iterator[SimulatedView]:
    made = SimulatedView(rig.robot)
    made.look(True)
    made.has_controller = True
    yield made


def test_values_of_the_controllers_sensors_are_seen(rig: Rig, watched: SimulatedView):
    rig.enable("angle", "gps")
    rig["motor"].set_position(inf)
    rig["motor"].set_velocity(2.0)
    rig.step(10)
    state = watched.values()
    assert state["values"][ANGLE]["position"] == rig["angle"].get_value() > 0
    assert state["values"][GPS]["position"] == pytest.approx(rig["gps"].get_values())
    assert state["periods"] == {ANGLE: rig.period, GPS: rig.period}
    assert state["own"] == []
    assert (state["acts"][MOTOR]["velocity"], state["acts"][MOTOR]["position"]) == (2.0, None)
    assert state["driver"] == "controller"


@pytest.mark.parametrize(
    ("node", "channel"),
    [("Pen { write FALSE }", "write"), ("Connector { }", "lock"), ("VacuumGripper { }", "on")],
)
def test_what_is_on_or_off_is_seen_and_set(drive: Callable[..., Rig], node: str, channel: str):
    rig = drive(world(f'Robot {{ name "r" children [ {node} ] boundingObject Box {{ }} }}'))
    watched = SimulatedView(rig.robot)
    watched.look(True)
    for value in (False, True, False):
        watched.set(1, channel, value)
        assert watched.values()["acts"] == {1: {"value": value}}


def test_a_brake_is_seen_and_set(drive: Callable[..., Rig]):
    joint = BODY[BODY.index("DEF WHEEL") : BODY.index("GPS")].replace(
        "RotationalMotor", "Brake { } RotationalMotor"
    )
    rig = drive(world(f'Robot {{ name "r" children [ {joint} ] boundingObject Box {{ }} }}'))
    watched = SimulatedView(rig.robot)
    watched.look(True)
    assert watched.values()["acts"][1] == {"value": 0.0}
    watched.set(1, "dampingConstant", 2.5)
    assert watched.values()["acts"][1] == {"value": 2.5}


def test_looking_leaves_answers_to_the_engine(rig: Rig, watched: SimulatedView):
    """The quick way, on which values pass nobody, is as open as without a window; the window sees them."""
    motor, angle = rig.robot.devices[MOTOR - 1], rig.robot.devices[ANGLE - 1]
    motor.on_set_position(inf)
    motor.on_set_velocity(2.0)
    angle.on_enable(rig.period)
    for _ in range(10):
        rig.simulation.step()
        rig.robot.sample()
    assert rig.robot.samples.packet(1.0) is not None
    turned = motor.engine.position
    assert watched.values()["values"][ANGLE] == {"position": turned}
    assert turned > 0


def test_looking_changes_nothing_for_the_controller(drive: Callable[..., Rig]):
    """The same readings and the same state of the world with and without somebody who looks on."""
    seen = []
    for looks in (False, True):
        rig = drive(world(f'Robot {{ name "r" {BODY} }}'))
        watched = SimulatedView(rig.robot)
        watched.look(looks)
        rig.enable("angle", "ds")
        rig["motor"].set_velocity(1.0)
        readings = []
        for _ in range(20):
            rig.step()
            watched.values()
            readings.append((rig["angle"].get_value(), rig["ds"].get_value()))
        seen.append((readings, rig.simulation.hash()))
    assert seen[0] == seen[1]


def test_a_window_enables_a_sensor_beside_the_controller(rig: Rig, watched: SimulatedView):
    watched.enable(GPS, "position", rig.period)
    rig.step(2)
    state = watched.values()
    assert state["own"] == [GPS]
    assert len(state["values"][GPS]["position"]) == 3
    watched.enable(GPS, "position", 0)
    rig.step(2)
    assert GPS not in watched.values()["periods"]


def test_the_window_leaves_a_sensor_of_the_controller_alone(rig: Rig, watched: SimulatedView):
    rig.enable("gps")
    rig.step()
    watched.enable(GPS, "position", 0)
    rig.step()
    assert watched.values()["periods"] == {GPS: rig.period}


def test_sensors_measure_without_a_controller():
    from wbridge.wbcore.scene.load import load_text
    from wbridge.wbcore.simulation import Simulation

    simulation = Simulation(
        load_text("#VRML_SIM R2023b utf8\n" + world(f'Robot {{ name "r" {BODY} }}'), "t.wbt")
    )
    watched = SimulatedView(simulation.robots.list[0])
    watched.look(True)
    watched.enable(ANGLE, "position", 16)
    watched.set(MOTOR, "position", None)
    watched.set(MOTOR, "velocity", 3.0)
    for _ in range(20):
        simulation.step()
        watched.sample()
    state = watched.values()
    assert state["values"][ANGLE]["position"] == pytest.approx(state["acts"][MOTOR]["at"]) != 0
    assert state["driver"] == "nobody"


def test_who_drives_is_one_of_both(rig: Rig, watched: SimulatedView):
    """While the window drives, commands of the controller wait; the last ones hold when it gets it back."""
    rig["motor"].set_position(inf)
    rig["motor"].set_velocity(1.0)
    rig.step(5)
    with pytest.raises(ValueError, match="take control first"):
        watched.set(MOTOR, "velocity", -2.0)
    watched.drive(True)
    watched.set(MOTOR, "velocity", -2.0)
    for _ in range(5):
        rig["motor"].set_velocity(4.0)
        rig.step()
    motor = rig.model("motor").engine
    assert motor.target_velocity == -2.0
    assert watched.values()["driver"] == "window"
    watched.drive(False)
    assert motor.target_velocity == 4.0
    rig["motor"].set_velocity(0.5)
    rig.step()
    assert motor.target_velocity == 0.5


def test_a_controller_that_says_nothing_gets_back_what_it_left(rig: Rig, watched: SimulatedView):
    rig["motor"].set_velocity(2.0)
    rig["motor"].set_position(1.0)
    rig["led"].set(2)
    rig.step(3)
    watched.drive(True)
    watched.set(MOTOR, "position", -1.0)
    watched.set(MOTOR, "velocity", 7.0)
    watched.set(LED, "value", 0)
    rig.step(3)
    watched.drive(False)
    motor = rig.model("motor").engine
    assert (motor.target_position, motor.target_velocity) == (1.0, 2.0)
    assert rig.model("led").value == 2


def test_a_new_controller_does_not_drive_either(rig: Rig, watched: SimulatedView):
    watched.drive(True)
    watched.set(MOTOR, "velocity", 3.0)
    rig.robot.connect(rig.robot.dialect)
    rig["motor"].set_velocity(1.0)
    rig.step(2)
    assert rig.model("motor").engine.target_velocity == 3.0


def test_stop_all_takes_control_and_stops(rig: Rig, watched: SimulatedView):
    rig["motor"].set_position(inf)
    rig["motor"].set_velocity(5.0)
    rig.step(20)
    watched.stop()
    rig["motor"].set_velocity(5.0)
    rig.step(10)
    before = rig.model("motor").engine.position
    rig.step(10)
    assert rig.model("motor").engine.position == pytest.approx(before, abs=1e-3)
    assert watched.is_driven


def test_when_the_last_page_goes_all_is_as_before(rig: Rig, watched: SimulatedView):
    rig["motor"].set_velocity(1.0)
    rig.step()
    watched.enable(GPS, "position", 16)
    watched.drive(True)
    watched.set(MOTOR, "velocity", 9.0)
    watched.leave()
    assert not watched.is_driven
    assert rig.robot.message_log is None
    assert rig.model("motor").engine.target_velocity == 1.0
    assert rig.model("gps").sampling.period == 0


@pytest.mark.parametrize(
    ("tag", "channel", "value", "says"),
    [
        (99, "velocity", 1.0, "no device 99"),
        (0, "velocity", 1.0, "no device 0"),
        (MOTOR, "speed", 1.0, 'no "speed"'),
        (MOTOR, "torqueFeedback", 1.0, "can be set"),
        (GPS, "position", 1.0, "can be set"),
        (MOTOR, "velocity", None, "expected a number"),
    ],
)
def test_wrong_commands_are_refused(
    rig: Rig, watched: SimulatedView, tag: int, channel: str, value: float | None, says: str
):
    watched.drive(True)
    with pytest.raises(ValueError, match=says):
        watched.set(tag, channel, value)


@pytest.mark.parametrize(
    ("tag", "channel"), [(99, "value"), (LED, "value"), (MOTOR, "position"), (GPS, "nothing")]
)
def test_what_cannot_be_enabled_is_refused(rig: Rig, watched: SimulatedView, tag: int, channel: str):
    with pytest.raises(ValueError, match=r"no device|can be enabled"):
        watched.enable(tag, channel, 16)


def test_the_table_tells_units(rig: Rig):
    gps = table_data(rig.robot.table)["devices"][GPS - 1]
    assert {one["name"]: one["unit"] for one in gps["channels"]}["speed"] == "m/s"


@pytest.mark.parametrize(
    ("constants", "unit"),
    [
        ({"type": "rotational", "motor": 1}, "rad"),
        ({"type": "linear", "motor": 0}, "m"),
        ({"motor": 1}, "m"),
        ({"motor": 2}, "rad"),
        ({"motor": 0}, "m or rad"),
        ({}, "m or rad"),
    ],
)
def test_the_unit_of_a_position_is_that_of_its_joint(constants: dict[str, object], unit: str):
    """A table that a robot brings along may lack what other tables have."""
    motors = [make_device(1, "lift", "LinearMotor"), make_device(2, "turn", "RotationalMotor")]
    sensor = make_device(3, "sensor", "PositionSensor", **constants)
    table = DeviceTable(make_device(0, "robot", "Robot"), (*motors, sensor))
    (channel,) = table_data(table)["devices"][2]["channels"]
    assert channel["unit"] == unit


@pytest.mark.parametrize(
    ("constants", "velocity", "position"),
    [
        ({"minPosition": -1.0, "maxPosition": 2.0, "maxVelocity": 5.0}, (-5.0, 5.0), (-1.0, 2.0)),
        ({"minPosition": 0.0, "maxPosition": 0.0, "maxVelocity": inf}, None, None),
    ],
)
def test_the_table_tells_the_limits_of_a_motor(constants, velocity, position):
    """Equal limits of the position, as by default, are none (manual, chapter Motor)."""
    motor = make_device(1, "turn", "RotationalMotor", maxTorque=3.0, **constants)
    table = DeviceTable(make_device(0, "robot", "Robot"), (motor,))
    (data,) = table_data(table)["devices"]
    told = {one["name"]: one for one in data["channels"]}
    assert data["actuator"] == "motor"
    assert (told["velocity"]["range"], told["position"]["range"]) == (velocity, position)
    assert (told["force"]["label"], told["force"]["range"], told["force"]["unit"]) == (
        "torque",
        (-3.0, 3.0),
        "Nm",
    )


def test_the_robot_is_drawn_around_its_origin(rig: Rig):
    shape = Outlines(rig.simulation).robot_shape(rig.robot)
    corners = {(abs(x), abs(y)) for x, y in shape["outline"][0]}
    assert corners == {(0.2, 0.1)}
    assert shape["rays"] == {str(DS): pytest.approx([0.1, 0.05, 1.5708])}


@pytest.mark.parametrize(("down", "is_drawn"), [(0.0, True), (0.5, True), (1.2, False), (1.5708, False)])
def test_a_sensor_that_looks_at_the_ground_has_no_ray(drive: Callable[..., Rig], down: float, is_drawn: bool):
    """Less than half of it would be seen from above: from 60 degrees on."""
    sensor = f'DistanceSensor {{ rotation 0 1 0 {down} name "ds" }}'
    rig = drive(f'WorldInfo {{ }} Robot {{ name "r" children [ {sensor} ] }}')
    assert bool(Outlines(rig.simulation).robot_shape(rig.robot)["rays"]) is is_drawn


def test_worlds_with_y_up_are_seen_from_above_too(drive: Callable[..., Rig]):
    from tests.devices.rig import OLD

    rig = drive(
        'WorldInfo { } Robot { name "r" translation 1 5 -2 boundingObject Box { size 0.4 0.1 0.2 } }',
        header=OLD,
    )
    outlines = Outlines(rig.simulation)
    assert outlines.places()["robots"][0][:2] == [1.0, 2.0]
    assert {(abs(x), abs(y)) for x, y in outlines.robot_shape(rig.robot)["outline"][0]} == {(0.2, 0.1)}


PICTURES = """Robot { name "r" children [
  RangeFinder { name "near" width 4 height 2 maxRange 4 }
  Lidar { name "flat" horizontalResolution 64 numberOfLayers 2 maxRange 4 }
  RangeFinder { name "off" } GPS { name "gps" }
] }
Solid { translation 2.5 0 0 children [ Shape { geometry Box { size 1 9 9 } } ] }"""


def test_pictures_are_gray_small_and_not_too_many(drive: Callable[..., Rig]):
    """White is the maximum range; layers are drawn as high as an eighth of the width."""
    rig = drive(world(PICTURES))
    view = SimulatedView(rig.robot)
    view.look(True)
    assert view.pictures(0.0) == {}
    rig.enable("near", "flat")
    rig.step()
    view.news()
    shown = view.pictures(0.2)
    assert set(shown) == {1, 2}
    gray = bytes([127])  # 255 * 2 m / 4 m
    assert shown[1] == (4, 2, gray * 32)
    assert shown[2][:2] == (64, 8)
    assert len(shown[2][2]) == 64 * 8 * 4
    assert view.pictures(0.25) is shown
    rig["near"].disable()
    rig.step()
    assert set(view.pictures(0.4)) == {2}


def test_large_pictures_lose_rows_and_columns(drive: Callable[..., Rig]):
    rig = drive(world('Robot { name "r" children [ RangeFinder { name "c" width 640 height 480 } ] }'))
    view = SimulatedView(rig.robot)
    view.look(True)
    rig.enable("c")
    rig.step()
    view.news()
    assert view.pictures(0.0)[1][:2] == (160, 120)
