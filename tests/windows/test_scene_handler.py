"""Requests of pages with the 3D view: picking, dragging, editing, saving."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from math import cos, pi, sin
from pathlib import Path
from typing import Any

import pytest

from tests.controllers.project import Project
from wbridge.robot_windows.hub import Hub, Watched
from wbridge.robot_windows.requests import BadRequest, read_command
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.windows.allowed import Allowed
from wbridge.wbcore.windows.simulation_handler import SimulationHandler

HEADER = "#VRML_SIM R2025a utf8\n"
WORLD = (
    "Viewpoint { position -5 0 1 }\n"
    'DEF FLOOR Solid { name "floor" children [ DEF GROUND Shape { geometry Plane { size 20 20 } } ] '
    "boundingObject USE GROUND }\n"
    'DEF BOX Solid { name "box" translation 0 0 0.5 children [ '
    "Shape { appearance DEF LOOK PBRAppearance { } geometry Box { size 1 1 1 } } "
    'DEF KNOB Solid { name "knob" translation 0 0 0.6 children [ Shape { geometry Sphere { '
    "radius 0.2 } } ] } ] boundingObject Box { size 1 1 1 } physics Physics { density -1 mass 3 } }\n"
)
FROM, TOWARD = [-5.0, 0.0, 0.5], [1.0, 0.0, 0.0]
"""A ray that meets the box."""


class Page:
    """A run, and a page that asks between its steps."""

    def __init__(self, runner: Runner, folder: Path, allowed: Allowed) -> None:
        self.runner, self.hub = runner, Hub()
        self.hub.watch(self, Watched(scene=True))
        hub = self.hub
        self.handler = SimulationHandler(runner, hub, hub.take, lambda handler: None, folder, allowed)

    def ask(self, what: str, **values: Any) -> None:
        """Ask as the server does, which checks the request."""
        assert self.hub.put(read_command({"do": what, **values}))
        self.handler.handle_requests()

    def message(self, key: str) -> Any:
        """The newest message of the scene."""
        self.handler.publish(self._later())
        assert self.hub.state.scene is not None
        return self.hub.state.scene["messages"].get(key)

    def _later(self) -> float:
        self._now = getattr(self, "_now", 1e6) + 10
        return self._now

    def node(self, name: str) -> int:
        """The number of a node with a DEF name."""
        found = self.runner.simulation.world.find(name)
        assert found is not None
        return self.runner.simulation.nodes.number(found)

    def said(self) -> list[str]:
        """The log."""
        return [one["text"] for one in self.hub.lines.read(0).items]


@pytest.fixture
def show(project: Project, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    opened: list[Runner] = []
    (tmp_path / "scene").mkdir()

    def make(saves: Path | None = None, world: str = WORLD, code: bool = False) -> Page:
        project.write(world, header=HEADER)
        runner = project.runner()
        opened.append(runner)
        return Page(runner, tmp_path / "scene", Allowed(saves, code))

    yield make
    for one in opened:
        one.close()


def steps(page: Page, count: int) -> None:
    """Make steps as the run does."""
    for _ in range(count):
        for actor in page.runner.actors:
            actor.before_step()
        page.runner.simulation.step()
        page.runner.steps += 1
        for actor in page.runner.actors:
            actor.after_step()


def test_a_click_selects_the_topmost_solid_and_then_its_parts(show: Callable[..., Page]):
    page = show()
    page.ask("pick", origin=FROM, toward=TOWARD, part=False, more=False)
    found = page.message("selected")
    assert (found["node"], found["path"]) == (page.node("BOX"), 'BOX "box"')
    assert (found["mass"], found["def_name"], found["asleep"]) == (3.0, "BOX", False)
    knob = {"origin": [-5.0, 0.0, 1.2], "toward": TOWARD}
    page.ask("pick", **knob, part=False, more=False)
    assert page.message("selected")["node"] == page.node("KNOB"), "a part of what is selected"
    page.ask("pick", origin=FROM, toward=[0.0, 0.0, 1.0], part=False, more=False)
    assert page.message("selected") is None, "nothing is there"
    page.ask("pick", **knob, part=True, more=False)
    assert page.message("selected")["node"] == page.node("KNOB"), "with Alt, at once"
    assert page.runner.simulation.selected is page.runner.simulation.world.find("KNOB")


def test_picking_changes_no_bit(show: Callable[..., Page]):
    page, other = show(), show()
    for _ in range(5):
        steps(page, 3)
        steps(other, 3)
        page.ask("pick", origin=FROM, toward=TOWARD, part=False, more=False)
    assert page.runner.simulation.hash() == other.runner.simulation.hash()


def test_a_pull_is_the_cube_of_its_length_times_mass_and_scale(show: Callable[..., Page]):
    """Judge: Webots' guide, chapter The 3D Window: F = dragForceScale * mass * d^3."""
    page = show(world=WORLD.replace("translation 0 0 0.5", "translation 0 0 5"))
    body = page.runner.simulation.node("BOX")
    page.ask("pull", kind="force", node=page.node("BOX"), point=[0, 0, 0], end=[0.2, 0.0, 5.0])
    steps(page, 1)
    step = page.runner.simulation.step_s
    assert body.linear_velocity[0] == pytest.approx(30 * 0.2**3 * step, rel=1e-9)
    (pull,) = page.message("pulls")
    assert (pull["kind"], pull["size"]) == ("force", pytest.approx(30 * 3 * 0.2**3))
    page.ask("drop", node=page.node("BOX"))
    speed = body.linear_velocity[0]
    steps(page, 3)
    assert body.linear_velocity[0] == pytest.approx(speed), "dropped: no force any more"
    page.ask("pull", kind="torque", node=page.node("BOX"), point=[0, 0, 0], end=[0, 0, 6])
    steps(page, 1)
    assert body.angular_velocity[2] > 0


def test_a_pull_of_what_has_no_physics_is_refused_once_for_each_drag(show: Callable[..., Page]):
    page = show()
    floor = page.node("FLOOR")
    for drag in (1, 2):
        for _ in range(3):  # pages renew a drag many times per second
            page.ask("pull", kind="force", node=floor, point=[0, 0, 0], end=[0, 0, 1])
        assert len([one for one in page.said() if "no Physics" in one]) == drag
        page.ask("drop", node=floor)
    page.ask("select", node=floor, more=False)
    assert page.message("selected")["is_dynamic"] is False
    page.ask("select", node=page.node("KNOB"), more=False)
    assert page.message("selected")["is_dynamic"] is True, "it is a part of the box"


def test_what_is_moved_stands_still_until_it_is_dropped(show: Callable[..., Page]):
    page = show()
    box = page.node("BOX")
    page.ask("move", node=box, begins=True, way=[0, 0, 0], turn=[0, 0, 0], factor=1)
    page.ask("move", node=box, begins=False, way=[1.0, 2.0, 3.0], turn=[0, 0, 0.5], factor=1)
    steps(page, 5)
    view = page.runner.simulation.node("BOX")
    assert view.translation == pytest.approx([1.0, 2.0, 3.5], abs=1e-9)
    assert view.rotation == pytest.approx([0, 0, 1, 0.5])
    page.ask("drop", node=box)
    steps(page, 5)
    assert view.translation[2] < 3.5, "it falls"
    page.ask("move", node=box, begins=False, way=[9.0, 0, 0], turn=[0, 0, 0], factor=1)
    steps(page, 1)
    assert view.translation[0] == pytest.approx(1.0, abs=0.01), "a move that has ended does not go on"


def test_a_drag_ends_when_its_page_is_silent(show: Callable[..., Page], monkeypatch: pytest.MonkeyPatch):
    page = show(world=WORLD.replace("translation 0 0 0.5", "translation 0 0 5"))
    now = [100.0]
    monkeypatch.setattr("wbridge.wbcore.windows.drags.monotonic", lambda: now[0])
    page.ask("pull", kind="force", node=page.node("BOX"), point=[0, 0, 0], end=[1.0, 0.0, 5.0])
    steps(page, 1)
    speed = page.runner.simulation.node("BOX").linear_velocity[0]
    now[0] += 2
    steps(page, 2)
    assert page.runner.simulation.node("BOX").linear_velocity[0] == pytest.approx(speed)


def test_a_field_is_set_live_and_a_wrong_value_is_told(show: Callable[..., Page]):
    page = show()
    page.ask("select", node=page.node("LOOK"), more=False)
    fields = {one["name"]: one for one in page.message("fields")}
    assert (fields["baseColor"]["value"], fields["baseColor"]["type"]) == ([1, 1, 1], "SFColor")
    assert fields["baseColorMap"]["locked"] and not fields["baseColor"]["locked"]
    page.ask("edit", node=page.node("LOOK"), field="baseColor", item=-1, value=[0, 1, 0], id=5)
    page.ask("edit", node=page.node("LOOK"), field="roughness", item=-1, value="x", id=6)
    page.ask("edit", node=page.node("LOOK"), field="rough", item=-1, value=1, id=7)
    page.ask("edit", node=page.node("LOOK"), field="roughness", item=-1, value=7, id=8)
    steps(page, 1)
    results = {one["id"]: one["problem"] for one in page.message("results")}
    assert results[5] == ""
    assert results[6] == "roughness: expected a number up to 1e+09"
    assert "no field" in results[7] and "roughness" in results[7]
    assert "cannot be 7" in results[8]
    assert {one["name"]: one["value"] for one in page.message("fields")}["baseColor"] == [0, 1, 0]


def test_programs_and_files_cannot_be_changed_by_pages(show: Callable[..., Page]):
    page = show(world='DEF BOT Robot { controller "<none>" }\n')
    for field in ("controller", "controllerArgs", "window", "remoteControl"):
        page.ask(
            "edit",
            node=page.node("BOT"),
            field=field,
            item=0 if field == "controllerArgs" else -1,
            value="x",
            id=1,
        )
    steps(page, 1)
    assert all("file" in one["problem"] for one in page.message("results"))
    assert page.runner.simulation.node("BOT").node.get("controller") == "<none>"


def test_an_edit_of_a_paused_world_is_seen_at_once(show: Callable[..., Page]):
    page = show()
    page.ask("pause")
    page.ask("edit", node=page.node("BOX"), field="translation", item=-1, value=[0, 0, 4], id=1)
    assert page.runner.simulation.node("BOX").translation.tolist() == [0, 0, 4]
    assert page.message("results")[-1] == {"id": 1, "problem": ""}


def test_the_tree_is_a_file_that_follows_changes(show: Callable[..., Page], tmp_path: Path):
    page = show()
    page.ask("tree")
    rows = json.loads((tmp_path / "scene" / page.message("tree")["file"]).read_text())
    by_def = {row[4]: row for row in rows if row[4]}
    assert by_def["KNOB"][1] == by_def["BOX"][0] and by_def["KNOB"][2] == "children"
    assert rows[0][3] == "WorldInfo"
    knob = page.runner.simulation.world.find("KNOB")
    assert knob is not None
    page.runner.simulation.edits.remove(knob)
    rows = json.loads((tmp_path / "scene" / page.message("tree")["file"]).read_text())
    assert "KNOB" not in {row[4] for row in rows}


def test_worlds_are_saved_only_where_it_is_allowed(show: Callable[..., Page], tmp_path: Path):
    page = show()
    page.ask("save", name="new.wbt", replace=False, id=1)
    assert "--save-worlds" in page.message("results")[-1]["problem"]
    saves = tmp_path / "saves"
    saves.mkdir()
    page = show(saves)
    steps(page, 3)
    original = page.runner.simulation.world.path
    before = Path(original).read_text()
    (saves / "old.wbt").write_text("old")
    (saves / "link.wbt").symlink_to(original)
    for name, replace in (
        ("../new.wbt", True),
        (original, True),
        ("a/b.wbt", False),
        ("x.py", True),
        (".wbt", True),
        ("..\\new.wbt", True),
        ("old.wbt", False),
        ("link.wbt", True),
    ):
        page.ask("save", name=name[:100], replace=replace, id=2)
        assert page.message("results")[-1]["problem"], name
    page.ask("save", name="new.wbt", replace=False, id=3)
    page.ask("save", name="old.wbt", replace=True, id=4)
    assert [one["problem"] for one in page.message("results")[-2:]] == ["", ""]
    assert sorted(one.name for one in saves.iterdir()) == ["link.wbt", "new.wbt", "old.wbt"]
    assert "linearVelocity" in (saves / "new.wbt").read_text()
    assert Path(original).read_text() == before and (saves / "old.wbt").read_text() != "old"


def test_requests_that_make_no_sense_harm_nobody(show: Callable[..., Page]):
    page = show()
    box, floor = page.node("BOX"), page.node("FLOOR")
    vectors: list[list[float]] = [[0, 0, 0], [1e12, -1e12, 1e12], [1e-300, 0, 0]]
    for node in (0, box, floor, page.node("LOOK"), 2**31 - 1):
        for vector in vectors:
            page.ask("pick", origin=vector, toward=vector, part=True, more=False)
            page.ask("select", node=node, more=False)
            page.ask("pull", kind="force", node=node, point=vector, end=vector)
            page.ask("pull", kind="torque", node=node, point=vector, end=vector)
            page.ask("move", node=node, begins=True, way=vector, turn=vector, factor=1)
            page.ask("drop", node=node)
            for value in (vector, [], vector[:2], 1e12, "x" * 10_000, True):
                page.ask("edit", node=node, field="translation", item=-1, value=value, id=1)
            steps(page, 1)
            page.message("selected")
    for bad in (
        {"do": "pick", "origin": [0, 0], "toward": [1, 0, 0], "part": True, "more": False},
        {"do": "pull", "kind": "bite", "node": 1, "point": [0, 0, 0], "end": [0, 0, 0]},
        {"do": "edit", "node": 1, "field": "x", "item": -2, "value": 1, "id": 1},
        {"do": "edit", "node": 1, "field": "x", "item": -1, "value": {}, "id": 1},
        {"do": "save", "name": "x" * 101, "replace": True, "id": 1},
    ):
        with pytest.raises(BadRequest):
            read_command(bad)
    assert abs(page.runner.simulation.node("BOX").translation).max() < 1e9


THREE = "".join(
    f'DEF {name} Solid {{ name "{name}" translation {x} 5 0.1 rotation 0 0 1 {turn} '
    "children [ Shape { geometry Box { } } ] }\n"
    for name, x, turn in (("A", 1, 0), ("B", 3, 0.5), ("C", 6, 0))
)


def test_several_nodes_are_selected_and_copied_and_deleted_as_one_change(show: Callable[..., Page]):
    page = show(world=WORLD + THREE)
    a, b, c = (page.node(name) for name in "ABC")
    for number, more in ((a, False), (b, True), (c, True)):
        page.ask("select", node=number, more=more)
    assert (page.message("selected")["node"], page.message("selected")["others"]) == (c, [b, a])
    page.ask("select", node=b, more=True)
    assert page.message("selected")["others"] == [a], "once more: it is selected no longer"
    page.ask("copy", node=a, id=1)
    steps(page, 1)
    names = [node.get("name") for node in page.runner.simulation.world.nodes if "name" in node.spec.fields]
    assert names[-5:] == ["A", "A(1)", "B", "C", "C(1)"]
    assert page.message("history")["undo"] == "Copy 2 nodes"
    page.ask("remove", node=page.message("selected")["node"], id=2)
    steps(page, 1)
    assert page.message("selected") is None and page.message("history")["undo"] == "Delete 2 nodes"
    page.ask("undo", id=3)
    steps(page, 1)
    names = [node.get("name") for node in page.runner.simulation.world.nodes if "name" in node.spec.fields]
    assert names[-5:] == ["A", "A(1)", "B", "C", "C(1)"]


def test_what_is_selected_moves_turns_and_grows_as_if_it_were_one_body(show: Callable[..., Page]):
    page = show(world=WORLD + THREE)
    a, b = page.node("A"), page.node("B")
    page.ask("select", node=b, more=False)
    page.ask("select", node=a, more=True)
    page.ask("move", node=a, begins=True, way=[0, 0, 1.0], turn=[0, 0, pi / 2], factor=2.0)
    steps(page, 1)
    page.ask("drop", node=a)
    simulation = page.runner.simulation
    assert simulation.node("A").translation == pytest.approx([1, 5, 1.1])
    assert simulation.node("A").rotation == pytest.approx([0, 0, 1, pi / 2])
    assert simulation.node("B").translation == pytest.approx([1, 9, 1.1]), "2 m to the right: now 4 m ahead"
    assert simulation.node("B").rotation == pytest.approx([0, 0, 1, 0.5 + pi / 2])
    assert [tuple(simulation.node(name).node.get("scale")) for name in "ABC"] == [
        (2, 2, 2),
        (2, 2, 2),
        (1, 1, 1),
    ]
    page.ask("undo", id=1)
    steps(page, 1)
    assert simulation.node("B").translation == pytest.approx([3, 5, 0.1])
    assert simulation.node("B").node.get("scale") == (1, 1, 1)
    assert page.message("history")["undo"] == ""


DOOR = """Solid { name "frame" translation 0 8 1 rotation 0 0 1 0.5 children [
  HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0.2 0 0 minStop -0.5 maxStop 1 }
    endPoint DEF DOOR Solid { name "door" children [ Shape { geometry Box { } } ] } }
  SliderJoint { jointParameters JointParameters { axis 1 0 0 }
    endPoint DEF DRAWER Solid { name "drawer" children [ Shape { geometry Box { } } ] } } ] }
"""


def test_what_a_joint_carries_is_dragged_along_it(show: Callable[..., Page]):
    """The position is the angle or the way along the axis, within the stops."""
    page = show(world=WORLD + DOOR)
    door, drawer = page.node("DOOR"), page.node("DRAWER")
    page.ask("select", node=door, more=False)
    joint = page.message("selected")["joint_axis"]
    assert (joint["kind"], joint["position"], joint["range"]) == ("hinge", 0.0, (-0.5, 1.0))
    across = [-sin(0.5), cos(0.5), 0.0]
    page.ask("move", node=door, begins=True, way=[0, 0, 0], turn=[0.3 * one for one in across], factor=1)
    steps(page, 1)
    assert page.message("selected")["joint_axis"]["position"] == pytest.approx(0.3)
    # The anchor stays: 0.2 m along x of the frame.
    center = [0.2 * (1 - cos(0.3)) * cos(0.5), 8 + 0.2 * (1 - cos(0.3)) * sin(0.5), 1 + 0.2 * sin(0.3)]
    assert page.message("selected")["position"] == pytest.approx(center, abs=1e-5)
    page.ask("move", node=door, begins=False, way=[0, 0, 0], turn=[2 * one for one in across], factor=1)
    steps(page, 1)
    assert page.message("selected")["joint_axis"]["position"] == pytest.approx(1.0), "its stop"
    page.ask("drop", node=door)
    page.ask("select", node=drawer, more=False)
    page.ask("move", node=drawer, begins=True, way=[0.5, 0.5, 9.0], turn=[0, 0, 0], factor=1)
    steps(page, 1)
    assert page.message("selected")["joint_axis"]["position"] == pytest.approx(
        0.5 * (cos(0.5) + sin(0.5)), abs=1e-6
    )
    page.ask("undo", id=1)
    page.ask("undo", id=2)
    steps(page, 1)
    assert page.message("selected")["joint_axis"]["position"] == 0.0
    assert page.message("history")["undo"] == ""
