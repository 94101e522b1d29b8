"""Vacuum grippers: holding what they touch, up to their strength (manual, chapter VacuumGripper)."""

from __future__ import annotations

import pytest

from tests.devices.rig import Rig, robot, world

CUBE = "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { density -1 mass 2 }"


def above(fields: str = "", gap: float = 0.0, cube: str = CUBE) -> Rig:
    """A gripper that looks down on a cube which stands on a table."""
    gripper = 'VacuumGripper { name "g" rotation 0 1 0 1.5707963 boundingObject Box { size 0.02 0.1 0.1 } '
    gripper += "physics Physics { } " + fields + " }"
    table = 'Solid { name "table" translation 0 0 -0.05 boundingObject Box { size 1 1 0.1 } }'
    cubes = f'DEF CUBE Solid {{ name "cube" translation 0 0 0.05 {cube} }}'
    arm = (
        "SliderJoint { jointParameters JointParameters { axis 0 0 1 } device LinearMotor { "
        'name "lift" maxForce 1000 maxVelocity 0.5 acceleration 1 } '
        f"endPoint Solid {{ {CUBE.replace('0.1 0.1 0.1', '0.01 0.01 0.01')} children [ {gripper} ] }} }}"
    )
    return Rig(world(robot(arm, f"translation 0 0 {0.11 + gap - 0.0005}"), table + cubes))


def height(made: Rig) -> float:
    return float(made.simulation.node("CUBE").translation[2])


def test_it_lifts_what_it_touches():
    made = above()
    made["g"].turn_on()
    made["g"].enable_presence(made.period)
    made.step(3)
    assert made["g"].get_presence() is True
    assert made["g"].is_on()
    made["lift"].set_position(0.3)
    made.step(200)
    assert height(made) == pytest.approx(0.35, abs=0.01)


def test_it_lets_go_when_it_is_turned_off():
    made = above()
    made["g"].turn_on()
    made["lift"].set_position(0.3)
    made.step(200)
    made["g"].turn_off()
    made["g"].enable_presence(made.period)
    made.step(60)
    assert height(made) < 0.1
    assert made["g"].get_presence() is False


def test_while_it_is_off_it_holds_nothing():
    made = above()
    made["lift"].set_position(0.3)
    made.step(200)
    assert height(made) < 0.1


def test_it_needs_contact():
    made = above(gap=0.02)
    made["g"].turn_on()
    made.step(5)
    assert len(made.simulation.physics.ties) == 0
    made["lift"].set_position(-0.03)
    made.step(30)
    assert len(made.simulation.physics.ties) == 1


@pytest.mark.parametrize(("points", "holds"), [(3, True), (20, False)])
def test_it_needs_as_many_points_of_contact_as_stated(points, holds):
    made = above(f"contactPoints {points}")
    made["g"].turn_on()
    made.step(5)
    assert (len(made.simulation.physics.ties) == 1) == holds


@pytest.mark.parametrize(("strength", "holds"), [(15, False), (60, True), (-1, True)])
def test_it_lets_go_what_is_too_heavy(strength, holds):
    made = above(f"tensileStrength {strength}")
    made["g"].turn_on()
    made.step(3)
    made["lift"].set_position(0.3)
    made.step(150)
    assert (height(made) > 0.3) == holds


@pytest.mark.parametrize(("strength", "holds"), [(5, False), (50, True)])
def test_it_lets_go_what_is_sheared_too_hard(strength, holds):
    made = above(f"shearStrength {strength}")
    made["g"].turn_on()
    made.step(3)
    made["lift"].set_position(0.2)
    made.step(100)
    ties = made.simulation.physics.ties
    (first,) = ties
    body, _ = made.simulation.physics.carrier(made.node("CUBE"))
    body.add_force((20, 0, 0))
    made.step(2)
    assert (first in [*ties]) == holds


def test_one_that_is_on_in_the_file_holds_from_the_start_and_after_a_reset():
    made = above("isOn TRUE")
    assert made["g"].is_on()
    made.step(3)
    assert len(made.simulation.physics.ties) == 1
    made["g"].turn_off()
    made.step()
    made.simulation.reset()
    made.step(3)
    assert len(made.simulation.physics.ties) == 1


def test_it_holds_on_to_what_cannot_move():
    gripper = 'VacuumGripper { name "g" boundingObject Box { size 0.1 0.1 0.02 } }'
    floor = 'Solid { name "floor" translation 0 0 -0.05 boundingObject Box { size 1 1 0.1 } }'
    made = Rig(
        world(
            robot(gripper, f"translation 0 0 0.0095 {CUBE.replace('0.1 0.1 0.1', '0.05 0.05 0.01')}"), floor
        )
    )
    made["g"].turn_on()
    made.step(3)
    assert len(made.simulation.physics.ties) == 1


def test_a_supervisor_may_turn_it_on_by_the_field():
    rig = above(fields="")
    node = rig.model("g").node
    rig.simulation.set_field(node, "isOn", True)
    rig.step(3)
    assert rig["g"].is_on()
    assert len(rig.simulation.physics.ties) == 1


def test_it_holds_a_box_that_sleeps():
    """WbSimulationCluster::odeNearCallback tells the gripper before it looks for sleepers."""
    gripper = 'VacuumGripper { name "g" rotation 0 1 0 1.5707963 boundingObject Box { size 0.02 0.1 0.1 } }'
    around = (
        'Solid { name "table" translation 0 0 -0.05 boundingObject Box { size 1 1 0.1 } }'
        f'DEF CUBE Solid {{ name "cube" translation 0 0 0.05 {CUBE} }}'
    )
    info = "physicsDisableTime 0.1 physicsDisableLinearThreshold 0.1"
    made = Rig(world(robot(gripper, "translation 0 0 0.3"), around, info))
    made["g"].turn_on()
    made["g"].enable_presence(made.period)
    made.step(100)
    physics = made.simulation.physics
    cube = physics.handles.bodies[physics.solid(made.node("CUBE")).body]
    assert not cube.awake and made["g"].get_presence() is False
    made.set("ROBOT", "translation", (0.0, 0.0, 0.109))
    made.step(2)
    assert made["g"].get_presence() is True


@pytest.mark.parametrize("on", [True, False])
def test_the_controller_sees_after_a_reset_whether_it_is_on(on: bool):
    made = above(f"isOn {str(on).upper()}")
    made.step()
    (made["g"].turn_off if on else made["g"].turn_on)()
    made.step()
    assert made["g"].is_on() is not on
    made.simulation.reset()
    made.step()
    assert made["g"].is_on() is on
