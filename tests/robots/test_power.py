"""Batteries and chargers against the manual (chapters Robot, Motor and Charger)."""

from __future__ import annotations

import logging
import math

import pytest

from tests.devices.joints import FREE, hinge, slider
from tests.devices.rig import STEP_MS, Rig, rig, robot, world

STEP_S = STEP_MS / 1000
BOTH = "physics Physics { density -1 mass 60 } boundingObject Box { size 1 1 1 }"


def battery(energy: float, capacity: float = 1000, power: float = 10, cpu: float = 0) -> str:
    return f"battery [ {energy} {capacity} {power} ] cpuConsumption {cpu}"


def energy(made: Rig) -> float:
    return float(made.robot.node.get("battery")[0])


def test_the_processor_uses_its_power():
    made = rig("", fields=battery(100, cpu=25))
    made.client.battery_sensor_enable(STEP_MS)
    made.step(10)
    assert made.client.battery_sensor_get_value() == pytest.approx(100 - 25 * 10 * STEP_S)


def test_without_a_battery_the_sensor_says_minus_one():
    made = rig("")
    made.client.battery_sensor_enable(STEP_MS)
    made.step()
    assert made.client.battery_sensor_get_value() == -1
    assert made.robot.has_power


@pytest.mark.parametrize("joint", [hinge, slider])
@pytest.mark.parametrize("factor", [10, 3])
def test_a_motor_uses_its_force_times_its_factor(joint, factor):
    limit = "maxTorque 2" if joint is hinge else "maxForce 2"
    made = rig(joint(motor=f"{limit} consumptionFactor {factor}"), fields=BOTH + battery(100), info=FREE)
    made["m"].set_position(math.inf)
    made["m"].set_velocity(10)
    made.step(10)
    assert energy(made) == pytest.approx(100 - 2 * factor * 10 * STEP_S, rel=1e-6)


def test_an_empty_battery_turns_the_robot_off(caplog):
    made = rig(hinge(motor="maxTorque 1000 consumptionFactor 0"), fields=battery(0.5, cpu=10), info=FREE)
    made.client.battery_sensor_enable(STEP_MS)
    made["m"].set_position(math.inf)
    made["m"].set_velocity(1)
    made.enable("m sensor")
    with caplog.at_level(logging.WARNING):
        made.step(3)
    before = made["m sensor"].get_value()
    made.step(10)
    assert made.client.battery_sensor_get_value() == 0
    assert made["m sensor"].get_value() == before
    assert made.model("m").engine.available_force == 0
    assert any("battery is empty" in one for one in caplog.messages)


def test_a_joint_without_physics_stops_when_the_battery_is_empty():
    joint = hinge(motor="consumptionFactor 0", body="boundingObject Box { }")
    made = rig(joint, fields=battery(0.5, cpu=10))
    made["m"].set_position(math.inf)
    made["m"].set_velocity(1)
    made.step(5)
    axis = made.simulation.physics.handles.axes[made.model("m").node]
    position = axis.position
    assert position > 0
    made.step(5)
    assert axis.position == position


def test_a_reset_fills_the_battery_as_at_the_start():
    made = rig(hinge(), fields=battery(0.5, cpu=10))
    made.step(10)
    assert not made.robot.has_power
    made.simulation.reset()
    assert made.robot.has_power
    assert energy(made) == 0.5
    assert made.model("m").engine.available_force == 1000


def test_a_battery_without_energy_leaves_the_devices_on():
    """Only positive energy is consumed, and devices go off when it becomes 0 (WbRobot::postPhysicsStep)."""
    made = rig(hinge(), fields=battery(0, cpu=10))
    made["m"].set_position(0.5)
    made.enable("m sensor")
    made.step(10)
    assert made.robot.has_power
    assert made["m sensor"].get_value() > 0
    assert energy(made) == 0


LAMP = 'LED { name "led" children [ DEF LAMP PointLight { } ] }'


def test_an_empty_battery_puts_leds_out():
    """WbLed::powerOn sets the value 0."""
    made = rig(LAMP, fields=battery(0.5, cpu=10))
    made["led"].set(1)
    made.step(2)
    assert made.node("LAMP").get("on")
    made.step(5)
    assert not made.node("LAMP").get("on")


def test_a_battery_that_is_filled_by_a_supervisor_turns_the_robot_on():
    made = rig(hinge(), fields=battery(0.1, cpu=10))
    made.step(5)
    made.set("ROBOT", "battery", type(made.robot.node.get("battery"))("d", [50, 100, 1]))
    assert made.robot.has_power
    assert made.model("m").engine.available_force == 1000


# Chargers.


def at_charger(
    distance: float, robot_energy: float = 10, capacity: float = 100, charger: str = "5 5 2", extra: str = ""
) -> Rig:
    """A robot that takes 3 W near a charger with a radius of 0.5 m."""
    place = f"translation {distance} 0 0 " + battery(robot_energy, capacity, 3)
    node = f"DEF CHARGER Charger {{ battery [ {charger} ] radius 0.5 {extra} }}"
    return Rig(world(robot("", place), node))


def stored(made: Rig) -> float:
    return float(made.node("CHARGER").get("battery")[0])


def test_a_full_charger_gives_what_the_robot_can_take():
    made = at_charger(0.4)
    made.step(10)
    assert energy(made) == pytest.approx(10 + 3 * 10 * STEP_S)
    assert stored(made) == pytest.approx(5 - 3 * 10 * STEP_S)


def test_a_robot_far_away_gets_nothing():
    made = at_charger(0.6)
    made.step(10)
    assert energy(made) == 10


def test_a_charger_serves_while_it_is_partly_charged():
    """Since R2023b (cyberbotics/webots, pull request 5771); it collects nothing while it serves."""
    made = at_charger(0.4, charger="4 50 2")
    made.step(10)
    assert energy(made) == pytest.approx(10 + 3 * 10 * STEP_S)
    assert stored(made) == pytest.approx(4 - 3 * 10 * STEP_S)


def test_an_empty_charger_gives_nothing_until_the_robot_leaves_it_alone():
    made = at_charger(0.4, charger="0 50 2")
    made.step(10)
    assert (energy(made), stored(made)) == (10, 0)
    made.set("ROBOT", "translation", (2.0, 0.0, 0.0))
    made.step(10)
    assert stored(made) == pytest.approx(2 * 10 * STEP_S)


def test_a_charger_collects_energy_until_it_is_full():
    made = at_charger(3, charger="1 1.1 2")
    made.step(2)
    assert stored(made) == pytest.approx(1 + 2 * 2 * STEP_S)
    made.step(10)
    assert stored(made) == 1.1


def test_it_gives_no_more_than_it_has():
    made = at_charger(0.1, charger="0.1 0.1 0")
    made.step(10)
    assert energy(made) == pytest.approx(10.1)
    assert stored(made) == 0


@pytest.mark.parametrize("charge", [100, 120])
def test_a_full_robot_takes_nothing(charge):
    made = at_charger(0.1, robot_energy=charge)
    made.step(3)
    assert (energy(made), stored(made)) == (charge, 5)


def test_a_full_robot_that_uses_energy_is_charged_again():
    """Before R2023b a charger gave nothing more to a robot that had been full."""
    made = at_charger(0.1, robot_energy=99.99)
    made.step(3)
    assert energy(made) == 100
    made.set("ROBOT", "cpuConsumption", 2.0)
    made.step(1)
    made.set("ROBOT", "cpuConsumption", 0.0)
    made.step(5)
    assert energy(made) == 100


@pytest.mark.parametrize(("away", "served"), [(0.54, 4), (0.56, 2)])
def test_a_robot_is_served_until_it_is_a_tenth_beyond_the_radius(away, served):
    """It leaves the rest of the energy in the charger."""
    made = at_charger(0.4, charger="5 5 0")
    made.step(2)
    made.set("ROBOT", "translation", (away, 0.0, 0.0))
    made.step(2)
    assert energy(made) == pytest.approx(10 + 3 * served * STEP_S)
    assert stored(made) == pytest.approx(5 - 3 * served * STEP_S)


def test_the_next_robot_is_served_when_the_first_has_left():
    place = "translation 0.4 0 0 " + battery(10, 100, 3)
    charger = "DEF CHARGER Charger { battery [ 5 5 0 ] radius 0.5 }"
    second = 'DEF SECOND Robot { name "second" battery [ 10 100 3 ] cpuConsumption 0 translation -0.4 0 0 }'
    made = Rig(world(robot("", place) + second, charger))
    made.step(2)
    assert made.node("SECOND").get("battery")[0] == 10
    made.set("ROBOT", "translation", (2.0, 0.0, 0.0))
    made.step(2)
    assert made.node("SECOND").get("battery")[0] == pytest.approx(10 + 3 * 2 * STEP_S)


def test_a_charger_brings_a_robot_back_to_life():
    """WbRobot::setCurrentEnergy switches the devices on again; the controller has gone on."""
    place = f"translation 0.4 0 0 {battery(0.1, 100, 3, cpu=10)}"
    charger = "DEF CHARGER Charger { battery [ 5 5 2 ] radius 0.5 }"
    made = Rig(world(robot(hinge(motor="maxTorque 1 consumptionFactor 0"), place), charger))
    made["m"].set_position(float("inf"))
    made["m"].set_velocity(1)
    made.step(5)
    assert not made.robot.has_power
    made.set("ROBOT", "cpuConsumption", 0.0)
    made.step(10)
    assert made.robot.has_power
    assert energy(made) > 0
    assert made.model("m").engine.available_force == 1


def test_the_light_shows_how_full_it_is():
    lamp = (
        "children [ Shape { appearance Appearance { material DEF LAMP Material { } } } ] emissiveColor 0 1 0"
    )
    made = at_charger(3, charger="0 0.32 10", extra=lamp)
    made.step()
    assert made.node("LAMP").get("emissiveColor") == pytest.approx((0, 0.5, 0))
    made.step()
    assert made.node("LAMP").get("emissiveColor") == pytest.approx((0, 1, 0))


def test_a_light_that_is_not_gradual_shows_only_that_it_is_full():
    lamp = "gradual FALSE children [ DEF LAMP PointLight { color 1 0 0 } ] emissiveColor 0 1 0"
    made = at_charger(3, charger="0 0.32 10", extra=lamp)
    made.step()
    assert made.node("LAMP").get("color") == (1, 0, 0)
    made.step()
    assert made.node("LAMP").get("color") == (0, 1, 0)


def test_a_reset_takes_the_charger_back():
    made = at_charger(0.4)
    made.step(10)
    made.simulation.reset()
    assert (energy(made), stored(made)) == (10, 5)


def test_pinning_holds_the_robot_where_it_is():
    made = rig("", fields=BOTH)
    made.client.pin_to_static_environment(True)
    made.step()
    height = float(made.simulation.node("ROBOT").translation[2])
    made.step(50)
    assert float(made.simulation.node("ROBOT").translation[2]) == pytest.approx(height, abs=0.01)
    made.client.pin_to_static_environment(False)
    made.step(50)
    assert float(made.simulation.node("ROBOT").translation[2]) < height - 1
