"""What a Supervisor places, restores or changes stands at once; what it moves wakes what rests on it.

The judge is statics: a body at rest, put at the height of its rest, does not sink; without its contacts for a
step it would sink by g dt^2. The bodies sleep after 1 s at rest, as in worlds without settings of their own.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.supervisor.bench import Bench

SLEEPING = "physicsDisableTime 1"
FLOOR = 'DEF FLOOR Solid { name "floor" boundingObject Plane { size 20 20 } }\n'
BOX = (
    'DEF {def_name} Solid {{ translation {place} name "{def_name}" boundingObject DEF SHAPE_{def_name} '
    "Box {{ size 0.1 0.1 0.1 }} {children} physics DEF PHYSICS_{def_name} Physics {{ density 500 }} }}\n"
)
PLATE = 'DEF PLATE Solid { translation 0 0 0.1 name "plate" boundingObject Box { size 1 1 0.02 } }\n'
STILL = 2e-5
"""Greatest way (m) of what stands: 1/125 of g dt^2. A tenth more load lets contacts yield by 1e-5 m."""


def box(place: str, def_name: str = "BOX", children: str = "") -> str:
    return BOX.format(place=place, def_name=def_name, children=children)


def z(b: Bench, name: str = "BOX") -> float:
    return float(b.api.getFromDef(name).getPosition()[2])


def settled(bench: Any, around: str) -> Bench:
    """A bench whose bodies are asleep."""
    b: Bench = bench(around, SLEEPING)
    b.tick(200)
    return b


def sinks(b: Bench, height: float, name: str = "BOX", steps: int = 40) -> float:
    """How far a body gets below a height (m)."""
    result = 0.0
    for _ in range(steps):
        b.tick()
        result = max(result, height - z(b, name))
    return result


def moved(b: Bench, node: Any, height: float) -> None:
    node.getField("translation").setSFVec3f([1, 0, height])


def moved_and_reset(b: Bench, node: Any, height: float) -> None:
    moved(b, node, height)
    node.resetPhysics()


def turned(b: Bench, node: Any, height: float) -> None:
    node.getField("rotation").setSFRotation([0, 0, 1, 0.5])
    node.resetPhysics()


def loaded(b: Bench, node: Any, height: float) -> None:
    node.saveState("here")
    node.getField("translation").setSFVec3f([1, 0, 2])
    b.tick(5)
    node.loadState("here")


def weighed(b: Bench, node: Any, height: float) -> None:
    b.get("PHYSICS_BOX", "density").setSFFloat(-1)
    b.get("PHYSICS_BOX", "mass").setSFFloat(0.5)


def denser(b: Bench, node: Any, height: float) -> None:
    b.get("PHYSICS_BOX", "density").setSFFloat(500.0001)


def broader(b: Bench, node: Any, height: float) -> None:
    b.get("SHAPE_BOX", "size").setSFVec3f([0.1, 0.11, 0.1])


def replaced(b: Bench, node: Any, height: float) -> None:
    field = node.getField("boundingObject")
    field.removeSF()
    field.importSFNodeFromString("Box { size 0.1 0.1 0.1 }")


def pushed(b: Bench, node: Any, height: float) -> None:
    node.addForce([0, 0, 0], False)


def stopped(b: Bench, node: Any, height: float) -> None:
    node.setVelocity([0, 0, 0, 0, 0, 0])


def all_reset(b: Bench, node: Any, height: float) -> None:
    b.api.simulationResetPhysics()


@pytest.mark.parametrize(
    "change",
    [moved, moved_and_reset, turned, loaded, weighed, denser, broader, replaced, pushed, stopped, all_reset],
)
@pytest.mark.parametrize("asleep", [True, False])
def test_what_is_placed_or_changed_stands(bench, change, asleep):
    b = settled(bench, FLOOR + box("0 0 0.05"))
    node = b.api.getFromDef("BOX")
    if not asleep:
        node.addForce([0, 0, 0], False)
        b.tick(3)
    height = z(b)
    change(b, node, height)
    assert sinks(b, height) < STILL
    # The load may have changed a little, and its contacts yield with it.
    assert z(b) == pytest.approx(height, abs=1e-4)


def test_an_imported_body_stands(bench):
    b = settled(bench, FLOOR + box("0 0 0.05"))
    height = z(b)
    b.api.getRoot().getField("children").importMFNodeFromString(-1, box(f"1 0 {height!r}", "NEW"))
    assert sinks(b, height, "NEW") < STILL


def test_a_simulation_that_is_reset_repeats_its_first_steps(bench):
    b = settled(bench, FLOOR + box("0 0 0.0499"))
    b.api.simulationReset()
    b.tick()
    first = [z(b)]
    for _ in range(20):
        b.tick()
        first.append(z(b))
    b.tick(100)
    b.api.simulationReset()
    b.tick()
    second = [z(b)]
    for _ in range(20):
        b.tick()
        second.append(z(b))
    assert first == second
    assert min(first) > 0.0499 - 1e-4


def test_a_plate_without_physics_lifts_a_sleeping_box(bench):
    b = settled(bench, PLATE + box("0 0 0.16"))
    height, field = z(b), b.get("PLATE", "translation")
    for k in range(1, 201):
        field.setSFVec3f([0, 0, 0.1 + 0.0001 * k])
        b.tick()
    b.tick(20)
    assert z(b) - height == pytest.approx(0.02, abs=1e-4)


def test_a_solid_that_is_moved_through_a_sleeping_box_pushes_it(bench):
    wall = 'DEF WALL Solid { translation -0.3 0 0.06 name "wall" boundingObject Box { size 0.1 0.5 0.1 } }\n'
    b = settled(bench, FLOOR + wall + box("0 0 0.05"))
    field = b.get("WALL", "translation")
    for k in range(1, 301):
        field.setSFVec3f([-0.3 + 0.001 * k, 0, 0.06])
        b.tick()
    b.tick(40)
    assert b.api.getFromDef("BOX").getPosition()[0] == pytest.approx(0.1, abs=0.005)


def falls(b: Bench, height: float, steps: int = 10) -> None:
    """It falls freely from the next step on, or from the one after."""
    b.tick(steps)
    g_dt2 = 9.81 * (b.simulation.step_s) ** 2
    way = height - z(b)
    assert g_dt2 * (steps - 1) * steps / 2 <= way * 1.0001 <= g_dt2 * steps * (steps + 1) / 2 * 1.0002


def take_away(b: Bench) -> None:
    b.get("PLATE", "translation").setSFVec3f([5, 0, 0.1])


def remove(b: Bench) -> None:
    b.api.getFromDef("PLATE").remove()


def narrow(b: Bench) -> None:
    b.get("PLATE_SHAPE", "size").setSFVec3f([0.001, 0.001, 0.001])


def shrink(b: Bench) -> None:
    b.get("PLATE", "scale").setSFVec3f([0.001, 0.001, 0.001])


def without_shape(b: Bench) -> None:
    b.get("PLATE", "boundingObject").removeSF()


@pytest.mark.parametrize("change", [take_away, remove, narrow, shrink, without_shape])
def test_a_support_that_goes_lets_a_sleeping_box_fall(bench, change):
    plate = (
        'DEF PLATE Solid { translation 0 0 0.1 name "plate" boundingObject DEF PLATE_SHAPE '
        "Box { size 1 1 0.02 } }\n"
    )
    b = settled(bench, plate + box("0 0 0.16"))
    height = z(b)
    change(b)
    falls(b, height, 2)


def test_a_support_that_gets_physics_falls_with_its_load(bench):
    b = settled(bench, PLATE + box("0 0 0.16"))
    height = z(b)
    b.get("PLATE", "physics").importSFNodeFromString("Physics { density 1000 }")
    falls(b, height)


def test_a_support_that_loses_its_physics_keeps_its_load(bench):
    b = settled(bench, FLOOR + box("0 0 0.05", "LOWER") + box("0 0 0.15"))
    height = z(b)
    b.get("LOWER", "physics").removeSF()
    assert sinks(b, height) < 1e-4


def test_a_box_out_of_a_stack_lets_the_upper_one_fall(bench):
    b = settled(bench, FLOOR + box("0 0 0.05", "LOWER") + box("0 0 0.15"))
    height, low = z(b), z(b, "LOWER")
    node = b.api.getFromDef("LOWER")
    node.getField("translation").setSFVec3f([1, 0, low])
    node.resetPhysics()
    assert sinks(b, low, "LOWER", 5) < STILL
    g_dt2 = 9.81 * b.simulation.step_s**2
    assert 10 * g_dt2 <= height - z(b) <= 15.01 * g_dt2


def test_gravity_and_friction_wake(bench):
    b = bench(FLOOR + box("0 0 0.05"), f"{SLEEPING} contactProperties DEF TOUCH ContactProperties {{ }}")
    b.tick(200)
    b.get("TOUCH", "coulombFriction").setMFFloat(0, 0)
    world_info = b.api.getRoot().getField("children").getMFNode(0)
    world_info.getField("gravity").setSFFloat(1)
    b.tick(40)
    assert z(b) == pytest.approx(0.05, abs=1e-3)


def test_joint_constants_wake(bench):
    b = bench(
        'DEF POST Robot { name "post" controller "<none>" children [ DEF HINGE HingeJoint { jointParameters '
        "DEF TURN HingeJointParameters { axis 0 1 0 staticFriction 100 } endPoint "
        'DEF BOX Solid { translation 0.5 0 1 name "box" boundingObject Box { size 1 0.1 0.1 } '
        "physics Physics { density -1 mass 1 } } } ] }\n",
        SLEEPING,
    )
    b.tick(100)
    height = z(b)
    b.get("TURN", "staticFriction").setSFFloat(0)
    b.tick(10)
    assert z(b) < height - 0.01
