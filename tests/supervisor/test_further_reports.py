"""More of what users of supervisors reported as wrong, each with a value from outside.

The names and comments name public reports (owner/repository#number).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.devices.rig import STEP_MS
from tests.supervisor.bench import ARM, BALL, FLOOR, Bench

Maker = Callable[..., Bench]
STILL = "gravity 0"
DT = STEP_MS / 1000


@pytest.mark.parametrize("kind", ["kinematic", "body"])
def test_webots_1459_an_axis_that_is_not_normalized_turns_as_its_direction_says(bench: Maker, kind: str):
    """cyberbotics/webots#1459: 1 1 0 1.5708 turns about the diagonal and scales nothing."""
    physics = "physics Physics { }" if kind == "body" else ""
    b = bench(f'DEF B Solid {{ name "b" boundingObject Box {{ size 1 1 1 }} {physics} }}', info=STILL)
    b.get("B", "rotation").setSFRotation([1, 1, 0, 1.5708])
    b.tick(3)
    turn = np.array(b.api.getFromDef("B").getOrientation()).reshape(3, 3)
    s = math.sqrt(0.5)
    assert turn @ turn.T == pytest.approx(np.eye(3), abs=1e-9)
    assert turn @ [s, s, 0] == pytest.approx([s, s, 0], abs=1e-5)
    assert turn @ [0, 0, 1] == pytest.approx([s, -s, 0], abs=1e-4)


@pytest.mark.parametrize("angle", [3.27249, -3.27249, 6.0, -0.5])
def test_webots_4097_an_angle_beyond_half_a_turn_stays_what_was_set(bench: Maker, angle: float):
    """cyberbotics/webots#4097: 0 1 0 3.27249 is read back as such, and a little less turns a little less."""
    b = bench("DEF P Pose { children [ DEF TIP Pose { translation 1 0 0 } ] }", info=STILL)
    field = b.get("P", "rotation")
    for value in (angle, angle - 0.01):
        field.setSFRotation([0, 1, 0, value])
        b.tick()
        assert field.getSFRotation() == pytest.approx([0, 1, 0, value])
        tip = b.api.getFromDef("TIP").getPosition()
        assert tip == pytest.approx([math.cos(value), 0, -math.sin(value)])


def test_webots_1915_a_robot_stops_being_a_supervisor_after_a_step(bench: Maker):
    """cyberbotics/webots#1915, #1916: getSupervisor() follows the field `supervisor` in the next step."""
    b = bench()
    assert b.api.getSupervisor()
    b.api.getSelf().getField("supervisor").setSFBool(False)
    b.tick(2)
    assert not b.api.getSupervisor()


def test_webots_1609_a_reset_brings_robots_back_whose_joints_moved(bench: Maker):
    """cyberbotics/webots#1609: place and joint angles are those of the start, in each round."""
    b = bench(ARM, info=STILL)
    start = b.api.getFromDef("LINK").getPosition()
    motor = b.simulation.robots.find("arm").device("motor")
    for _ in range(3):
        motor.on_set_position(1.0)
        b.get("ARM", "translation").setSFVec3f([0, 3, 0])
        b.tick(20)
        assert b.api.getFromDef("LINK").getPosition() != pytest.approx(start, abs=1e-2)
        b.api.simulationReset()
        b.tick()
        assert b.api.getFromDef("LINK").getPosition() == pytest.approx(start, abs=1e-6)
        assert b.get("TURN", "position").getSFFloat() == pytest.approx(0, abs=1e-6)


EPUCK = (
    "PROTO Puck [ field SFVec3f translation 0 0 0 field SFRotation rotation 0 0 1 0 field SFString "
    'name "puck" '
    'field SFString controller "<none>" field MFNode slot [ ] ] { Robot { translation IS translation '
    "rotation IS rotation name IS name controller IS controller children IS slot "
    "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } } }"
)


def test_webots_1290_the_field_of_a_proto_in_a_slot_is_that_of_now(tmp_path: Path, bench: Maker):
    """cyberbotics/webots#1290: the inner robot's own rotation is read while both move."""
    (tmp_path / "worlds").mkdir()
    (tmp_path / "protos").mkdir()
    (tmp_path / "protos" / "Puck.proto").write_text(f"#VRML_SIM R2023b utf8\n{EPUCK}")
    header = '#VRML_SIM R2023b utf8\nEXTERNPROTO "../protos/Puck.proto"\n'
    text = 'DEF OUT Puck { slot [ DEF IN Puck { translation 0 0 0.1 name "inner" } ] }'
    b = bench(text, header=header, path=tmp_path / "worlds" / "test.wbt", info=STILL)
    field = b.get("IN", "rotation")
    assert field.getSFRotation() == [0, 0, 1, 0]
    field.setSFRotation([0, 0, 1, 0.5])
    b.tick()
    assert field.getSFRotation() == pytest.approx([0, 0, 1, 0.5])
    b.api.getFromDef("OUT").setVelocity([0, 0, 0, 0, 0, 2])
    b.tick(10)
    turn = np.array(b.api.getFromDef("IN").getOrientation()).reshape(3, 3)
    outer = b.get("OUT", "rotation").getSFRotation()
    inner = field.getSFRotation()
    angle = math.atan2(turn[1, 0], turn[0, 0])
    assert outer[3] * outer[2] + inner[3] * inner[2] == pytest.approx(angle, abs=1e-6)
    assert angle == pytest.approx(0.5 + 2 * 10 * DT, abs=1e-2)


@pytest.mark.parametrize("steps", [0, 2])
def test_webots_5882_tracking_the_pose_of_one_node_leaves_others_readable(bench: Maker, steps: int):
    """cyberbotics/webots#5882: getPose of a second node works while the first is tracked."""
    b = bench(BALL + ARM, info=STILL)
    ball, link = b.api.getFromDef("BALL"), b.api.getFromDef("LINK")
    wanted = [list(ball.getPose()), list(link.getPose()), list(link.getPose(ball))]
    ball.enablePoseTracking(STEP_MS)
    link.enablePoseTracking(STEP_MS, ball)
    b.tick(steps)
    assert [list(ball.getPose()), list(link.getPose()), list(link.getPose(ball))] == [
        pytest.approx(one) for one in wanted
    ]
    ball.disablePoseTracking()
    assert list(ball.getPose()) == pytest.approx(wanted[0])


@pytest.mark.parametrize("name", ["COLOR", "MASS", "LOOK", "CAM"])
def test_webots_5620_tracking_what_has_no_pose_is_refused_and_harmless(
    bench: Maker, capfd: pytest.CaptureFixture[str], name: str
):
    """cyberbotics/webots#5620, #5584: a message, and the controller goes on."""
    b = bench(BALL, info=STILL)
    node = b.api.getFromDef(name)
    node.enablePoseTracking(STEP_MS)
    b.tick(3)
    pose = node.getPose()
    if name == "CAM":
        assert not any(map(math.isnan, pose))
    else:
        assert b.warnings or "enable_pose_tracking" in capfd.readouterr().err
    assert b.tick() == 0


def test_webots_2764_a_velocity_has_six_values_in_world_axes(bench: Maker):
    """cyberbotics/webots#2764, #1452: linear and angular, in the axes of the world whatever the rotation."""
    b = bench(BALL.replace("translation 1 2 3", "translation 1 2 3 rotation 1 2 3 1.1"), info=STILL)
    b.api.getFromDef("BALL").setVelocity([1, 2, 3, 4, 5, 6])
    b.tick()
    assert list(b.api.getFromDef("BALL").getVelocity()) == pytest.approx([1, 2, 3, 4, 5, 6], rel=1e-6)
    assert all(map(math.isnan, b.api.getFromDef("LOOK").getVelocity()))


@pytest.mark.parametrize("which", [0, 1, 2, 3])
def test_webots_883_references_survive_the_removal_of_a_neighbor(bench: Maker, which: int):
    """cyberbotics/webots#883, #1881: nodes that remain keep their references; the removed one is not
    found.
    """
    b = bench(info=STILL)
    children = b.api.getRoot().getField("children")
    nodes = []
    for i in range(4):
        children.importMFNodeFromString(-1, f'DEF N{i} Solid {{ translation {i} 0 0 name "n{i}" }}')
        nodes.append(children.getMFNode(-1))
    nodes[which].remove()
    b.tick()
    assert b.api.getFromDef(f"N{which}") is None
    for i, node in enumerate(nodes):
        if i != which:
            assert node.getPosition() == pytest.approx([i, 0, 0])
            node.remove()
    b.tick()
    assert all(b.api.getFromDef(f"N{i}") is None for i in range(4))


SLOTS = "PROTO Slots [ field MFNode inner [ ] ] { %s }"


@pytest.mark.parametrize(
    "body", ["Group { children IS inner }", "Pose { children [ Group { children IS inner } ] }"]
)
def test_webots_3863_a_node_in_the_slot_of_a_proto_is_removed(tmp_path: Path, bench: Maker, body: str):
    """cyberbotics/webots#3863: it is gone from the field, from the world and for other calls; a second
    one too.
    """
    (tmp_path / "worlds").mkdir()
    (tmp_path / "protos").mkdir()
    (tmp_path / "protos" / "Slots.proto").write_text(f"#VRML_SIM R2023b utf8\n{SLOTS % body}")
    header = '#VRML_SIM R2023b utf8\nEXTERNPROTO "../protos/Slots.proto"\n'
    tree = 'DEF {0} Solid {{ translation 0 0 {1} name "{0}" boundingObject Box {{ size 1 1 1 }} }}'
    text = f"DEF S Slots {{ inner [ {tree.format('T1', 1)} {tree.format('T2', 2)} ] }}"
    b = bench(text, header=header, path=tmp_path / "worlds" / "test.wbt", info=STILL)
    field = b.get("S", "inner")
    for left in (1, 0):
        b.api.getFromDef(f"T{2 - left}").remove()
        b.tick()
        assert field.getCount() == left
        assert b.api.getFromDef(f"T{2 - left}") is None
    assert b.tick(3) == 0


def test_webots_4932_what_uses_a_removed_node_loses_it_or_keeps_a_copy(bench: Maker):
    """cyberbotics/webots#4932: removing a geometry that a bounding object uses is no failure; a box falls
    on.
    """
    box = (
        'DEF B Solid { translation 0 0 1 name "b" children [ DEF S Shape { geometry DEF G Box { size '
        "0.2 0.2 0.2 } } ] "
        "boundingObject USE G physics Physics { density -1 mass 1 } }"
    )
    b = bench(box)
    b.tick()
    b.get("S", "geometry").getSFNode().remove()
    b.tick(10)
    assert b.api.getFromDef("B").getPosition()[2] < 1
    assert b.tick() == 0


def test_webots_748_a_single_node_is_imported_and_removed(bench: Maker):
    """cyberbotics/webots#748: importSFNodeFromString and removeSF of a geometry, again and again."""
    b = bench('Solid { name "s" children [ DEF S Shape { } ] }', info=STILL)
    field = b.get("S", "geometry")
    for radius in (0.1, 0.2):
        assert field.getSFNode() is None
        field.importSFNodeFromString(f"DEF R{int(radius * 10)} Sphere {{ radius {radius} }}")
        b.tick()
        assert field.getSFNode().getTypeName() == "Sphere"
        assert field.getSFNode().getField("radius").getSFFloat() == radius
        field.removeSF()
        b.tick()


@pytest.mark.parametrize("factor", [1, 2, 5])
def test_webots_1439_a_step_after_a_reset_is_as_long_as_any_other(bench: Maker, factor: int):
    """cyberbotics/webots#1439, #1448: time starts at 0 and the step does not wait for the former time."""
    b = bench(info=STILL)
    for _ in range(3):
        b.api.step(STEP_MS * factor)
    b.api.simulationReset()
    for _ in range(3):
        b.api.step(STEP_MS * factor)
    assert b.api.getTime() <= 3 * factor * DT + 1e-9


@pytest.mark.parametrize("data", ["bytes", "list"])
def test_webots_2443_pixels_reach_a_display_as_bytes_and_as_lists(bench: Maker, data: str):
    """cyberbotics/webots#2443: imageNew takes both, and both give the same picture."""
    b = bench(info=STILL)
    b.api.getSelf().getField("children").importMFNodeFromString(-1, 'Display { name "d" width 2 height 1 }')
    b.tick()
    display = b.api.getDevice("d")
    # Lists are columns of pixels of red, green, blue; bytes are rows of blue, green, red, opacity.
    pixels = [[[255, 0, 0]], [[0, 0, 255]]] if data == "list" else bytes([255, 0, 0, 255, 0, 0, 255, 255])
    kind = display.RGB if data == "list" else display.BGRA
    image = display.imageNew(pixels, kind, 2, 1)
    display.imagePaste(image, 0, 0, False)
    b.tick()
    seen = np.ascontiguousarray(b.model("d").picture).view(np.uint8).reshape(-1, 4)
    red, blue = [0, 0, 255], [255, 0, 0]
    assert seen[:2, :3].tolist() == ([red, blue] if data == "list" else [blue, red])


@pytest.mark.parametrize(
    ("pixels", "said"),
    [
        ([[255, 0, 0], [0, 0, 255]], r"\[0\]\[0\] is 255"),
        ([[[255, 0]], [[1, 2]]], r"at \[0\]\[0\] is \[255, 0\]; allowed: 3 numbers from 0 to 255"),
        ([[[300, 0, 0]]], r"\[0\]\[0\] is \[300, 0, 0\]"),
        ([[[1, 2, 3]], [[1, 2, 3], [4, 5, 6]]], "column 1 has 2 pixels"),
        ([255, 0, 0], r"column at \[0\] is 255; expected a list of pixels, or bytes"),
    ],
)
def test_webots_2441_lists_that_are_no_picture_are_refused(bench: Maker, pixels: list[object], said: str):
    """cyberbotics/webots#2441, kin of #2443: the message says what is expected and which pixel is wrong."""
    b = bench(info=STILL)
    b.api.getSelf().getField("children").importMFNodeFromString(-1, 'Display { name "d" width 2 height 1 }')
    b.tick()
    display = b.api.getDevice("d")
    with pytest.raises(ValueError, match=said):
        display.imageNew(pixels, display.RGB)
    assert display.imageNew([], display.RGB) is None


FLUID = (
    'Fluid { name "%s" density 1000 boundingObject Box { size 10 10 4 } } DEF B Solid { name "b" '
    "boundingObject Box { size 0.2 0.2 0.2 } immersionProperties [ ImmersionProperties { fluidName "
    '"%s" } ] '
    "physics Physics { density 500 } }"
)


@pytest.mark.parametrize(("fluid", "named"), [("water", "water"), ("water", "fluid")])
def test_webots_6786_a_body_floats_only_in_the_fluid_that_it_names(bench: Maker, fluid: str, named: str):
    """cyberbotics/webots#6786: half the density of water: the start of its motion is +g, else it falls by
    -g.
    """
    b = bench(FLUID % (fluid, named), info="")
    b.tick(2)
    v = b.api.getFromDef("B").getVelocity()[2]
    # Archimedes: (1000 - 500) / 500 g upward.
    assert v / (2 * DT) == pytest.approx(9.81 if fluid == named else -9.81, rel=0.02)


def test_gazebo_classic_743_an_impulse_gives_the_speed_of_f_dt_over_m(bench: Maker):
    """gazebosim/gazebo-classic#743: v = F dt / m after the step, and x grows by v dt in each further one."""
    box = 'DEF B Solid { name "b" boundingObject Box { size 1 1 1 } physics Physics { density -1 mass 1 } }'
    b = bench(box, info=STILL)
    b.api.getFromDef("B").addForce([1000, 0, 0], False)
    places = []
    for _ in range(11):
        b.tick()
        places.append(b.api.getFromDef("B").getPosition()[0])
    assert b.api.getFromDef("B").getVelocity()[0] == pytest.approx(1000 * DT)
    assert np.diff(places) == pytest.approx(np.full(10, 1000 * DT * DT))


def test_bullet_4364_a_robot_stays_where_a_restored_state_had_it(bench: Maker):
    """bulletphysics/bullet3#4364: after loadState the arm does not run to where it was before."""
    b = bench(ARM, info=STILL)
    motor = b.simulation.robots.find("arm").device("motor")
    motor.on_set_position(0.5)
    b.tick(100)
    b.api.getFromDef("ARM").saveState("here")
    place = list(b.api.getFromDef("LINK").getPosition())
    motor.on_set_position(-1.0)
    b.tick(100)
    motor.on_set_position(0.5)
    b.api.getFromDef("ARM").loadState("here")
    b.tick()
    for _ in range(20):
        b.tick()
        assert list(b.api.getFromDef("LINK").getPosition()) == pytest.approx(place, abs=1e-3)


@pytest.mark.parametrize("action", ["state", "reset", "move"])
def test_webots_4264_a_ball_does_not_sink_after_its_state_was_set(bench: Maker, action: str):
    """cyberbotics/webots#4264: after loadState or a move it has the height from before; a reset repeats
    the run.
    """
    b = bench(FLOOR + BALL.replace("translation 1 2 3", "translation 0 0 0.0997"))
    node = b.api.getFromDef("BALL")

    def heights(count: int) -> list[float]:
        return [node.getPosition()[2] for _ in range(count) if b.tick() == 0]

    run = heights(200)
    node.saveState("rest")
    if action == "state":
        node.loadState("rest")
    elif action == "reset":
        b.api.simulationReset()
        assert heights(40) == pytest.approx(run[:40], abs=1e-9)
        return
    else:
        b.get("BALL", "translation").setSFVec3f([1, 1, run[-1]])
    assert heights(20) == pytest.approx([run[-1]] * 20, abs=1e-5)


def test_webots_1923_fields_within_a_proto_are_read_and_not_written(
    tmp_path: Path, bench: Maker, capfd: pytest.CaptureFixture[str]
):
    """cyberbotics/webots#1923, #1925: an internal field of a node deep in the body is read-only."""
    (tmp_path / "worlds").mkdir()
    (tmp_path / "protos").mkdir()
    (tmp_path / "protos" / "Deep.proto").write_text(
        "#VRML_SIM R2023b utf8\nPROTO Deep [ ] { Robot { children [ DEF IN Solid { translation 1 2 3 } ] } }"
    )
    header = '#VRML_SIM R2023b utf8\nEXTERNPROTO "../protos/Deep.proto"\n'
    b = bench("DEF D Deep { }", header=header, path=tmp_path / "worlds" / "test.wbt", info=STILL)
    inner = b.api.getFromDef("D").getFromProtoDef("IN")
    field = inner.getField("translation") or inner.getProtoField("translation")
    assert field.getSFVec3f() == [1, 2, 3]
    field.setSFVec3f([7, 7, 7])
    b.tick()
    assert field.getSFVec3f() == [1, 2, 3]
    assert inner.getPosition() == pytest.approx([1, 2, 3])
    assert "set_sf_vec3f" in capfd.readouterr().err or b.warnings
