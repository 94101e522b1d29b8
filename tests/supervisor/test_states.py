"""Saved states, resets, and what they bring back."""

from __future__ import annotations

import math

import pytest

from tests.supervisor.bench import ARM, BALL, FLOOR, STEP_MS

RED = [1, 0, 0]
NEW = (
    'DEF NEW Solid { translation 0 0 5 name "new" boundingObject Sphere { radius 0.1 } physics Physics { } }'
)


def test_a_saved_state_comes_back(bench):
    b = bench(BALL)
    ball = b.api.getFromDef("BALL")
    b.tick(10)
    where = ball.getPosition()
    ball.saveState("here")
    b.tick(20)
    ball.loadState("here")
    assert ball.getPosition() == pytest.approx(where, abs=1e-12)
    assert ball.getVelocity() == [0] * 6
    b.tick(5)
    assert ball.getPosition()[2] < where[2]


def test_the_start_is_a_state(bench):
    b = bench(BALL.replace("translation 1 2 3", "translation 1 2 3 linearVelocity 0 1 0"))
    ball = b.api.getFromDef("BALL")
    b.tick(30)
    ball.loadState("__init__")
    assert ball.getPosition() == [1, 2, 3]
    assert ball.getVelocity() == [0, 1, 0, 0, 0, 0]


def test_the_state_of_a_robot_has_its_joints(bench):
    b = bench(ARM)
    arm, joint, link = (b.api.getFromDef(name) for name in ("ARM", "HINGE", "LINK"))
    joint.setJointPosition(0.5)
    arm.saveState("bent")
    bent = link.getPosition()
    joint.setJointPosition(-1.5)
    b.tick(5)
    arm.loadState("bent")
    assert link.getPosition() == pytest.approx(bent, abs=1e-9)
    b.tick(20)
    assert b.get("TURN", "position").getSFFloat() == pytest.approx(0.5, abs=1e-3)
    arm.loadState("__init__")
    assert link.getPosition() == pytest.approx([0.5, 0, 1], abs=1e-9)


def test_a_state_that_nobody_saved_is_told(bench):
    b = bench(BALL)
    ball = b.api.getFromDef("BALL")
    ball.saveState("known")
    ball.loadState("unknown")
    assert any('no state "unknown"' in one and "known" in one for one in b.warnings)


def test_an_added_node_has_a_start_of_its_own(bench):
    b = bench()
    b.tick(5)
    b.api.getRoot().getField("children").importMFNodeFromString(-1, NEW)
    new = b.api.getFromDef("NEW")
    b.tick(20)
    new.loadState("__init__")
    assert new.getPosition() == pytest.approx([0, 0, 5])


def run(b, steps: int = 40) -> str:
    b.tick(steps)
    return b.simulation.hash()


def test_a_reset_comes_at_the_end_of_the_step(bench):
    b = bench(BALL)
    first = run(b, 10)
    b.api.simulationReset()
    assert b.simulation.time > 0
    b.tick()
    assert b.host.resets == 1
    assert round(b.api.getTime() * 1000) == STEP_MS
    assert run(b, 9) == first


def test_a_reset_takes_back_what_supervisors_did(bench):
    b = bench(BALL + ARM + FLOOR)
    b.tick()
    first = run(b, 40)
    b.api.simulationReset()
    b.tick()
    b.get("MASS", "mass").setSFFloat(20)
    b.get("COLOR", "baseColor").setSFColor([0, 1, 0])
    b.get("ROUND", "radius").setSFFloat(0.7)
    b.get("BALL", "translation").setSFVec3f([0, 0, 30])
    b.api.getRoot().getField("children").importMFNodeFromString(-1, NEW)
    b.get("BALL", "children").importMFNodeFromString(-1, "DEF MORE Pose { }")
    b.api.getFromDef("HINGE").setJointPosition(1)
    info = b.api.getRoot().getField("children").getMFNode(0)
    info.getField("gravity").setSFFloat(1)
    info.getField("info").insertMFString(0, "note")
    b.tick(20)
    b.api.simulationReset()
    b.tick()
    world = b.simulation.world
    assert b.api.getFromDef("NEW") is None
    assert world.find("MORE") is None
    assert b.get("COLOR", "baseColor").getSFColor() == RED
    assert (b.node("MASS").get("mass"), b.node("ROUND").get("radius")) == (2, 0.1)
    assert world.nodes[0].get("info") == []
    assert run(b, 40) == first


def test_removed_nodes_do_not_come_back(bench):
    b = bench(BALL + FLOOR)
    b.api.getFromDef("FLOOR").remove()
    b.api.simulationReset()
    b.tick()
    assert b.api.getFromDef("FLOOR") is None
    assert len(b.simulation.physics.plan.parts) == 2
    assert b.api.getFromDef("BALL").getPosition()[2] == pytest.approx(3, abs=0.01)


def test_what_is_said_to_controllers_stays(bench):
    b = bench()
    b.get("BOSS", "customData").setSFString("generation 2")
    b.tick()
    b.api.simulationReset()
    b.tick()
    assert b.get("BOSS", "customData").getSFString() == "generation 2"


def test_a_reset_ends_tracking_and_queued_sets(bench):
    b = bench(BALL)
    field = b.get("BALL", "translation")
    field.enableSFTracking(b.period)
    b.api.setLabel(0, "hi", 0, 0, 0.1, 0xFF0000, 0, "Arial")
    b.tick(3)
    b.api.simulationReset()
    b.tick()
    field.getSFVec3f()
    before = b.asked("get_value")
    b.tick()
    field.getSFVec3f()
    assert b.asked("get_value") == before + 1
    assert b.simulation.labels == []


def test_a_reset_tells_what_it_removes(bench):
    b = bench()
    children = b.api.getRoot().getField("children")
    children.importMFNodeFromString(-1, NEW)
    new = b.api.getFromDef("NEW")
    assert children.getCount() == 4
    b.api.simulationReset()
    b.tick()
    assert children.getCount() == 3
    assert new.getId() == -1
    assert b.api.getFromDef("NEW") is None


def test_a_reset_makes_controllers_forget_what_they_read(bench):
    b = bench(BALL)
    field = b.get("BALL", "translation")
    b.tick()
    assert field.getSFVec3f()[2] < 3
    b.tick(3)
    b.api.simulationReset()
    b.tick()
    assert round(b.api.getTime() * 1000) == STEP_MS
    b.simulation.set_field(b.node("BALL"), "translation", (4.0, 4.0, 4.0))
    assert field.getSFVec3f() == [4, 4, 4]


def test_a_reset_removes_robots_that_were_added(bench):
    b = bench()
    b.api.getRoot().getField("children").importMFNodeFromString(-1, ARM)
    b.tick()
    b.api.simulationReset()
    b.tick(2)
    assert b.host.removed == ["arm"]
    assert [one.name for one in b.simulation.robots] == ["boss"]


def test_many_resets_leave_nothing_behind(bench):
    b = bench(BALL + FLOOR)
    hashes = set()
    for _ in range(5):
        b.api.getRoot().getField("children").importMFNodeFromString(-1, NEW)
        b.tick(5)
        b.api.simulationReset()
        b.tick()
        hashes.add(run(b, 5))
    assert len(hashes) == 1
    assert len(b.simulation.nodes._numbers) < 30
    assert len(b.simulation.edits.journal._values) == 0
    assert math.isclose(b.simulation.time, 0.016 * 6)


FRAMES = (
    'DEF HALL Solid { name "hall" children [ DEF SHELF Pose { translation 1 0 0 children [ DEF BOX Solid { '
    'name "box" boundingObject Box { } } ] } DEF LAMP Transform { rotation 0 0 1 0.5 scale 2 2 2 } ] }'
)


@pytest.mark.parametrize("state", ["here", "__init__"])
def test_plain_frames_come_back(bench, state: str):
    """WbPose::save and reset in the public source of Webots: every node with a pose keeps it."""
    b = bench(FRAMES)
    hall = b.api.getFromDef("HALL")
    hall.saveState("here")
    b.get("SHELF", "translation").setSFVec3f([5, 5, 5])
    b.get("LAMP", "rotation").setSFRotation([1, 0, 0, 1])
    b.tick()
    assert b.api.getFromDef("BOX").getPosition() == [5, 5, 5]
    hall.loadState(state)
    b.tick()
    assert b.get("SHELF", "translation").getSFVec3f() == [1, 0, 0]
    assert b.get("LAMP", "rotation").getSFRotation() == [0, 0, 1, 0.5]
    assert b.api.getFromDef("BOX").getPosition() == [1, 0, 0]


def test_a_plain_frame_has_states_of_its_own(bench):
    b = bench(FRAMES)
    shelf = b.api.getFromDef("SHELF")
    shelf.saveState("here")
    b.get("SHELF", "translation").setSFVec3f([0, 5, 0])
    b.tick()
    shelf.loadState("here")
    assert b.get("SHELF", "translation").getSFVec3f() == [1, 0, 0]


CHARGER = 'DEF CHARGER Charger { translation 0 5 0 battery [ 4 5 1 ] radius 0.5 name "charger" }'


def test_a_charger_has_the_energy_of_the_state(bench):
    """WbCharger keeps its energy under the name of the state, and serves no robot after loading."""
    b = bench(CHARGER)
    charger, energy = b.api.getFromDef("CHARGER"), b.get("CHARGER", "battery")
    b.tick(4)
    charger.saveState("fuller")
    fuller = energy.getMFFloat(0)
    assert fuller == pytest.approx(4 + 4 * STEP_MS / 1000)
    b.tick(4)
    charger.loadState("fuller")
    assert energy.getMFFloat(0) == fuller
    charger.loadState("__init__")
    assert energy.getMFFloat(0) == 4


POWERED = 'DEF POWERED Robot { name "powered" controller "<none>" battery [ 9 10 1 ] cpuConsumption 2 }'


@pytest.mark.parametrize(("state", "expected"), [("__init__", 9), ("used", 9 - 2 * 4 * STEP_MS / 1000)])
def test_a_robot_has_the_energy_of_the_state(bench, state: str, expected: float):
    b = bench(POWERED)
    robot = b.api.getFromDef("POWERED")
    b.tick(4)
    robot.saveState("used")
    b.tick(4)
    robot.loadState(state)
    assert b.get("POWERED", "battery").getMFFloat(0) == pytest.approx(expected)


DOCKED = "".join(
    f'DEF {name} Robot {{ name "{name}" controller "<none>" {place} physics Physics {{ density -1 mass 1 }} '
    f'children [ DEF {name}_DOCK Connector {{ name "dock" isLocked TRUE {turn} }} ] '
    "boundingObject Sphere { radius 0.01 } selfCollision FALSE }\n"
    for name, place, turn in (
        ("LEFT", "translation 0 0 3", ""),
        ("RIGHT", "translation 0.005 0.03 3", "translation 0 -0.03 0 rotation 0 0 1 3.14159265358979"),
    )
)


def docking(b) -> tuple[int, bool]:
    """The number of docked pairs, and the lock of the left connector."""
    return len(b.simulation.physics.ties), b.node("LEFT_DOCK").get("isLocked")


def test_a_connector_has_the_lock_of_the_state(bench):
    """WbConnector keeps its lock under the name of the state; loading undocks, and locked ones dock again."""
    b = bench(DOCKED, info="gravity 0")
    left = b.api.getFromDef("LEFT")
    b.tick(2)
    assert docking(b) == (1, True)
    left.saveState("docked")
    b.get("LEFT_DOCK", "isLocked").setSFBool(False)
    b.tick()
    left.saveState("free")
    assert docking(b) == (0, False)
    left.loadState("docked")
    assert docking(b) == (0, True)
    b.tick()
    assert docking(b) == (1, True)
    left.loadState("free")
    assert docking(b) == (0, False)
    b.tick(2)
    assert docking(b) == (0, False)
    left.loadState("__init__")
    assert docking(b) == (0, True)
    b.tick()
    assert docking(b) == (1, True)
