"""Building in a page: adding from the shelf, copying, removing, undo and redo, and what a reset keeps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.windows.test_scene_handler import Page, show, steps
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.physics.plan import SolidPlan
from wbridge.wbcore.scene.load import load_text, load_world
from wbridge.wbcore.scene.writer import world_text
from wbridge.wbcore.windows.interventions import InterventionFile, Replay, read_interventions
from wbridge.wbcore.windows.shelf import groups

__all__ = ["show"]

PLACE = [1.0, 2.0, 0.0]
"""On the floor, beside the box."""
Show = Callable[..., Page]


def saved(page: Page) -> str:
    """The world as a file."""
    return world_text(page.runner.simulation.sync())


def ask(page: Page, what: str, **values: Any) -> str:
    """Ask, and return the reason why it was not possible."""
    page.ask(what, **values, id=7)
    result = page.message("results")[-1]
    assert result["id"] == 7
    return str(result["problem"])


def history(page: Page) -> tuple[str, str]:
    shown = page.message("history")
    return shown["undo"], shown["redo"]


def selected(page: Page) -> int:
    return int(page.message("selected")["node"])


def pause(page: Page) -> None:
    page.ask("pause")


def test_every_change_is_taken_back_and_made_again_byte_by_byte(show: Show):
    """Judge: the bytes of the saved world after each step, forward and back."""
    page = show()
    pause(page)
    box = page.node("BOX")
    files = [saved(page)]
    for what, values in (
        ("add", {"model": "Sphere", "point": PLACE, "node": 0}),
        ("edit", {"node": box, "field": "translation", "item": -1, "value": [0.0, 3.0, 0.5]}),
        ("copy", {"node": box}),
        ("add", {"model": "WoodenBox", "point": [-2.0, 0.0, 0.0], "node": 0}),
        ("remove", {"node": page.node("KNOB")}),
        ("add", {"model": "Robot", "point": [3.0, 0.0, 0.0], "node": 0}),
        ("remove", {"node": box}),
        ("edit", {"node": page.node("FLOOR"), "field": "name", "item": -1, "value": "ground"}),
    ):
        assert ask(page, what, **values) == ""
        files.append(saved(page))
    assert len(set(files)) == len(files)
    assert history(page) == ("Set name of floor", "")
    for expected in reversed(files[:-1]):
        assert ask(page, "undo") == ""
        assert saved(page) == expected
    assert history(page) == ("", "Add Sphere")
    for expected in files[1:]:
        assert ask(page, "redo") == ""
        assert saved(page) == expected
    assert ask(page, "redo") == "there is nothing to redo"


def test_the_saved_world_loads_and_is_the_same(show: Show):
    page = show()
    pause(page)
    for model in ("E-puck", "WoodenBox", "Capsule"):
        assert ask(page, "add", model=model, point=PLACE, node=0) == ""
    text = saved(page)
    url = "webots://projects/robots/gctronic/e-puck/protos/E-puck.proto"
    assert f'EXTERNPROTO "{url}"' in text, "Webots finds it, too"
    again = load_text(text)
    assert not again.report.errors
    assert world_text(again) == text


@pytest.mark.parametrize("model", ["Box", "Sphere", "WoodenBox", "E-puck"])
def test_what_is_added_stands_on_the_point(show: Show, model: str):
    """Judge: a body that stands where it was put does not move when the world runs."""
    page = show()
    pause(page)
    assert ask(page, "add", model=model, point=PLACE, node=0) == ""
    before = page.message("selected")["position"]
    steps(page, 60)
    after = page.message("selected")["position"]
    assert after == pytest.approx(before, abs=2e-3)
    assert before[:2] == pytest.approx(PLACE[:2])


def test_a_robot_is_built_of_parts(show: Show):
    page = show()
    pause(page)
    assert ask(page, "add", model="Robot", point=[0.0, 3.0, 0.0], node=0) == ""
    robot = selected(page)
    x, y, z = page.message("selected")["position"]
    for model, at in (
        ("Wheel with motor", [x + 0.03, y + 0.05, z]),
        ("Wheel with motor", [x + 0.03, y - 0.05, z]),
        ("DistanceSensor", [x + 0.08, y, z]),
    ):
        assert ask(page, "add", model=model, point=at, node=robot) == ""
    (made,) = page.runner.simulation.robots
    assert [device.name for device in made.devices] == [
        *("left wheel motor", "left wheel sensor", "right wheel motor", "right wheel sensor"),
        "DistanceSensor",
    ]
    for name in ("left wheel motor", "right wheel motor"):
        tag = next(device.tag for device in made.devices if device.name == name)
        page.ask("set", robot=made.number, device=tag, channel="position", value=None)
        page.ask("set", robot=made.number, device=tag, channel="velocity", value=5.0)
    page.ask("select", node=robot, more=False)
    before = page.message("selected")["position"]
    steps(page, 60)
    after = page.message("selected")["position"]
    travelled = 5.0 * 0.03 * 59 * page.runner.simulation.step_s
    assert after[0] - before[0] == pytest.approx(travelled, rel=0.1), "it drives forward on its wheels"
    assert after[1] - before[1] == pytest.approx(0.0, abs=1e-2)


def test_a_drag_is_one_change(show: Show):
    page = show()
    pause(page)
    box, before = page.node("BOX"), saved(page)
    for k in range(5):
        page.ask("move", node=box, begins=k == 0, way=[0.1 * k, 0, 0], turn=[0, 0, 0.2 * k], factor=1)
    page.ask("drop", node=box)
    moved = saved(page)
    page.ask("move", node=box, begins=True, way=[0, 1.0, 0], turn=[0, 0, 0], factor=1)
    page.ask("drop", node=box)
    assert history(page) == ("Move box", "")
    assert ask(page, "undo") == ""
    assert saved(page) == moved
    assert ask(page, "undo") == ""
    assert saved(page) == before
    assert history(page) == ("", "Move box")


def test_what_is_locked_is_not_moved(show: Show):
    """As Webots' field `locked`: by the mouse only; the field can be set, and taken back."""
    page = show()
    pause(page)
    box, knob = page.node("BOX"), page.node("KNOB")
    page.ask("select", node=box, more=False)
    assert page.message("selected")["is_locked"] is False
    assert ask(page, "edit", node=box, field="locked", item=-1, value=True) == ""
    before = saved(page)
    for node in (box, knob):
        page.ask("move", node=node, begins=True, way=[1.0, 0, 0], turn=[0, 0, 0], factor=1)
        page.ask("drop", node=node)
        assert any("box is locked: set its field locked to FALSE" in one for one in page.said())
        assert saved(page) == before
    assert page.message("selected")["is_locked"] is True
    assert ask(page, "edit", node=box, field="translation", item=-1, value=[0.0, 3.0, 0.5]) == ""
    assert ask(page, "undo") == ask(page, "undo") == ""
    page.ask("move", node=box, begins=True, way=[1.0, 0, 0], turn=[0, 0, 0], factor=1)
    assert saved(page) != before


def test_a_reset_keeps_what_was_built_before_the_first_step(show: Show):
    page = show()
    pause(page)
    assert ask(page, "add", model="Sphere", point=[1.0, 2.0, 1.0], node=0) == ""
    ball = selected(page)
    edit = {"node": page.node("BOX"), "field": "translation", "item": -1}
    assert ask(page, "edit", **edit, value=[0.0, 3.0, 0.5]) == ""
    built, start = saved(page), page.runner.simulation.hash()
    steps(page, 20)
    assert ask(page, "add", model="Box", point=PLACE, node=0) == ""
    assert ask(page, "remove", node=ball) == ""
    assert ask(page, "undo") == ""
    page.ask("reset")
    assert saved(page) == built
    assert page.runner.simulation.hash() == start
    assert history(page) == ("Set translation of box", "")
    assert ask(page, "undo") == ""
    assert ask(page, "undo") == ""
    page.ask("reset")
    assert history(page)[0] == ""
    assert "sphere" not in saved(page)


def test_what_cannot_be_built_is_refused_with_its_reason(show: Show):
    page = show()
    pause(page)
    before = saved(page)
    box = page.node("BOX")
    assert "did you mean" in ask(page, "add", model="Spher", point=PLACE, node=0)
    assert "drop the GPS on a robot" in ask(page, "add", model="GPS", point=PLACE, node=0)
    assert ask(page, "remove", node=0) == "the whole world cannot be removed"
    assert "does not exist" in ask(page, "remove", node=99999)
    assert ask(page, "undo") == "there is nothing to undo"
    assert saved(page) == before
    assert ask(page, "edit", node=box, field="translation", item=-1, value=[0.0, 3.0, 0.5]) == ""
    page.runner.simulation.edits.remove(page.runner.simulation.world.find("BOX"))  # type: ignore[arg-type]
    assert ask(page, "undo") == "cannot undo 'Set translation of box': Solid was removed"


def test_building_is_repeated_bit_by_bit(show: Show, tmp_path: Path):
    path = tmp_path / "built.jsonl"
    page = show()
    file = InterventionFile(path)
    assert page.handler.scene_handler is not None
    page.handler.scene_handler.interventions.noted.append(file.note)
    pause(page)
    assert ask(page, "add", model="E-puck", point=PLACE, node=0) == ""
    steps(page, 5)
    assert ask(page, "remove", node=page.node("BOX")) == ""
    steps(page, 5)
    assert ask(page, "undo") == ""
    steps(page, 5)
    file.close()
    hash_of_it = page.runner.simulation.hash()
    with Runner(load_world(page.runner.simulation.world.path)) as runner:
        runner.actors.append(Replay(runner, read_interventions(path)))
        page.runner = runner
        steps(page, 15)
        assert runner.simulation.hash() == hash_of_it


def test_the_shelf_has_models_by_group():
    shelf = {group.title: group.names for group in groups()}
    assert {"Simple bodies", "Parts of robots", "Robots", "Vehicles", "Furniture"} <= set(shelf)
    assert "E-puck" in shelf["Robots"] and "Box" in shelf["Simple bodies"]


def members(page: Page) -> list[str]:
    """The names of what is selected."""
    shown = page.message("selected")
    node = page.runner.simulation.nodes.node
    return sorted(str(node(number).get("name")) for number in (shown["node"], *shown["others"]))  # type: ignore[union-attr]


def test_nodes_are_grouped_and_ungrouped(show: Show):
    """Judge: the bytes of the saved world; a Group has no place of its own, so nothing moves."""
    page = show()
    pause(page)
    for point in ([1.0, 2.0, 0.0], [2.0, 2.0, 0.0]):
        assert ask(page, "add", model="WoodenBox", point=point, node=0) == ""
    single = saved(page)
    places = {str(solid.node.get("name")): pose_of(page, solid) for solid in solids(page)}
    page.ask("select", node=page.node("BOX"), more=True)
    assert ask(page, "group", node=page.node("BOX")) == ""
    assert history(page)[0] == "Group 2 nodes"
    assert members(page) == ["box", "wooden box(1)"]
    grouped = saved(page)
    assert "Group {\n  children [\n    DEF BOX Solid {" in grouped
    assert 'EXTERNPROTO "webots://projects/objects/factory/containers/protos/WoodenBox.proto"' in grouped
    assert {str(solid.node.get("name")): pose_of(page, solid) for solid in solids(page)} == places
    again = load_text(grouped)
    assert not again.report.errors
    assert world_text(again) == grouped
    assert ask(page, "undo") == ""
    assert saved(page) == single
    assert ask(page, "redo") == ""
    assert saved(page) == grouped
    page.ask("select", node=page.node("BOX"), more=False)
    assert page.message("selected")["group"] is not None
    assert ask(page, "members", node=page.node("BOX")) == ""
    assert members(page) == ["box", "wooden box(1)"]
    assert ask(page, "ungroup", node=page.node("BOX")) == ""
    assert history(page)[0] == "Ungroup Group"
    assert "Group" not in saved(page)
    assert members(page) == ["box", "wooden box(1)"]
    assert ask(page, "undo") == ""
    assert saved(page) == grouped


def solids(page: Page) -> list[SolidPlan]:
    return list(page.runner.simulation.physics.handles.solids.values())


def pose_of(page: Page, solid: SolidPlan) -> object:
    return page.runner.simulation.physics.solid_pose(solid)


def test_members_of_a_group_move_together(show: Show):
    page = show()
    pause(page)
    assert ask(page, "add", model="WoodenBox", point=[1.0, 2.0, 0.0], node=0) == ""
    page.ask("select", node=page.node("BOX"), more=True)
    assert ask(page, "group", node=page.node("BOX")) == ""
    box = page.node("BOX")
    before = {str(solid.node.get("name")): solid.node.get("translation") for solid in solids(page)}
    page.ask("move", node=box, begins=True, way=[0.5, 0, 0], turn=[0, 0, 0], factor=1)
    page.ask("drop", node=box)
    for solid in solids(page):
        name, (x, y, z) = str(solid.node.get("name")), solid.node.get("translation")
        shift = 0.5 if name == "box" or name.startswith("wooden box") else 0.0
        assert (x - shift, y, z) == pytest.approx(before[name], abs=1e-12)


def test_what_cannot_be_grouped_is_refused_with_its_reason(show: Show):
    page = show()
    pause(page)
    before, number = saved(page), page.runner.simulation.nodes.number
    box, knob = page.node("BOX"), page.node("KNOB")
    page.ask("select", node=box, more=False)
    page.ask("select", node=page.node("FLOOR"), more=True)
    viewpoint = page.runner.simulation.world.first("Viewpoint")
    assert viewpoint is not None
    assert "belongs to the top level" in ask(page, "group", node=number(viewpoint))
    assert "not in a list of children" in ask(page, "group", node=page.node("LOOK"))
    assert ask(page, "ungroup", node=knob) == "knob is in no Group"
    assert ask(page, "members", node=box) == "box is in no Group"
    page.ask("select", node=knob, more=False)
    page.ask("select", node=page.node("FLOOR"), more=True)
    assert "with the same parent" in ask(page, "group", node=knob)
    assert saved(page) == before
