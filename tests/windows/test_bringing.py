"""Models that a page brings from the user's computer: descriptions, meshes and PROTOs put into the world."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.windows.test_building import PLACE, Show, ask, history, pause, saved, selected
from tests.windows.test_scene_handler import Page, show, steps
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.windows.bringing import MOST_BYTES, MOST_FILES, MOST_PAGES

__all__ = ["show"]

ROVER = (Path(__file__).parents[1] / "importers" / "rover.urdf").read_text()
ARM = """<robot name="arm"><link name="base"><visual><geometry>
  <mesh filename="package://arm_description/meshes/base.stl"/></geometry></visual>
  <collision><geometry><mesh filename="MESH"/></geometry></collision>
  <inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
</link></robot>"""
PROTO = """#VRML_SIM R2025a utf8
PROTO Crate [ field SFVec3f translation 0 0 0 ]
{ Solid { translation IS translation name "crate" boundingObject Box { size 0.2 0.2 0.2 }
  physics Physics { density -1 mass 2 } } }
"""
PART = 45_000


def tetrahedron(size: float) -> str:
    """An STL file: a corner of a cube."""
    corners = [(0.0, 0.0, 0.0), (size, 0.0, 0.0), (0.0, size, 0.0), (0.0, 0.0, size)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    lines = ["solid part"]
    for face in faces:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x} {y} {z}" for x, y, z in (corners[i] for i in face)]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid part", ""])


def bring(page: Page, files: Mapping[str, str | bytes]) -> str:
    """Send files, and ask for them to be put beside the box; return what the page is told."""
    for name, text in files.items():
        data = text.encode() if isinstance(text, str) else text
        for start in range(0, max(len(data), 1), PART):
            part = b64encode(data[start : start + PART]).decode()
            if problem := ask(page, "bring", name=name, part=part, begins=start == 0):
                return problem
    return ask(page, "put", point=PLACE)


@pytest.fixture
def page(show: Show, tmp_path: Path) -> Page:
    made = show(tmp_path / "project" / "worlds")
    pause(made)
    return made


@pytest.mark.parametrize("name", ["rover.urdf", "rover_description/urdf/rover.urdf"])
def test_a_robot_description_becomes_a_robot_that_stands(page: Page, name: str):
    """Judge: a body that stands where it was put does not fall; devices are those of the file's joints."""
    assert bring(page, {name: ROVER}) == ""
    assert history(page)[0] == "Add Rover"
    (robot,) = page.runner.simulation.robots
    assert {device.name for device in robot.devices} >= {"left", "right"}
    before = page.message("selected")["position"]
    steps(page, 60)
    assert page.message("selected")["position"] == pytest.approx(before, abs=5e-3)


def test_a_saved_world_has_what_was_brought(page: Page, tmp_path: Path):
    assert bring(page, {"rover.urdf": ROVER}) == ""
    text = saved(page)
    assert 'EXTERNPROTO "protos/Rover.proto"' in text
    (tmp_path / "elsewhere").mkdir()
    assert ask(page, "save", name="mine.wbt", replace=False) == ""
    again = load_world(tmp_path / "project" / "worlds" / "mine.wbt")
    assert not again.report.errors
    assert any(node.type == "Rover" for node in again.nodes)


def test_it_is_taken_back_and_made_again(page: Page):
    before = saved(page)
    assert bring(page, {"rover.urdf": ROVER}) == ""
    after = saved(page)
    assert ask(page, "undo") == ""
    assert saved(page) == before
    assert ask(page, "redo") == ""
    assert saved(page) == after


@pytest.mark.parametrize(
    "names",
    [
        ("arm_description/urdf/arm.urdf", "arm_description/meshes/base.stl"),
        ("arm.urdf", "base.stl"),
    ],
)
@pytest.mark.parametrize("mesh", ["package://arm_description/meshes/base.stl", "../meshes/base.stl"])
def test_meshes_are_found_in_folders_and_by_their_names(page: Page, names: tuple[str, str], mesh: str):
    assert bring(page, {names[0]: ARM.replace("MESH", mesh), names[1]: tetrahedron(0.2)}) == ""
    assert page.message("selected")["mass"] == pytest.approx(1.0)


def test_missing_meshes_are_named(page: Page):
    problem = bring(page, {"arm.urdf": ARM.replace("MESH", "other.stl")})
    assert "'package://arm_description/meshes/base.stl' is missing" in problem
    assert "'other.stl' is missing" in problem


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_descriptions_read_no_files_of_this_computer(page: Page, tmp_path: Path, scheme: str):
    """Also not one that a link in an include leads to."""
    (tmp_path / "secret.stl").write_text(tetrahedron(0.1))
    mesh = f"{scheme}{tmp_path / 'secret.stl'}"
    problem = bring(page, {"arm.urdf": ARM.replace("MESH", mesh), "base.stl": tetrahedron(0.2)})
    assert "is missing" in problem
    (tmp_path / "secret.xml").write_text("<mujoco><worldbody><body/></worldbody></mujoco>")
    text = f'<mujoco><include file="{tmp_path / "secret.xml"}"/></mujoco>'
    assert "No such file" in bring(page, {"scene.xml": text})


def test_a_scene_of_several_files_is_one_model(page: Page):
    body = '<body name="b"><freejoint/><geom size="0.1" mass="2"/></body>'
    robot = f"<mujoco><worldbody>{body}</worldbody></mujoco>"
    files = {"a/scene.xml": '<mujoco model="ball"><include file="robot.xml"/></mujoco>', "a/robot.xml": robot}
    assert bring(page, files) == ""
    assert page.message("selected")["mass"] == pytest.approx(2.0)


@pytest.mark.parametrize(("size", "expected"), [(0.3, 0.3), (300.0, 0.3)])
def test_a_mesh_becomes_a_body_and_millimetres_are_noticed(page: Page, size: float, expected: float):
    """Judge: the mass of the box around it (m = density * volume), and where it comes to rest."""
    assert bring(page, {"My part.stl": tetrahedron(size)}) == ""
    shown = page.message("selected")
    assert shown["mass"] == pytest.approx(400 * expected**3)
    assert "MyPart" in shown["path"]
    before = shown["position"]
    steps(page, 60)
    assert page.message("selected")["position"] == pytest.approx(before, abs=4e-3)  # contacts are soft


def test_the_second_of_a_name_gets_another(page: Page):
    assert bring(page, {"part.stl": tetrahedron(0.1)}) == ""
    assert bring(page, {"part.stl": tetrahedron(0.2)}) == ""
    assert history(page)[0] == "Add Part2"


def test_a_proto_needs_the_right_to_start_programs(show: Show, tmp_path: Path):
    """The fields `controller` and `window` of a PROTO name programs."""
    page = show()
    assert "--edit-controllers" in bring(page, {"Crate.proto": PROTO})
    page = show(tmp_path / "project" / "worlds", code=True)
    pause(page)
    assert bring(page, {"Crate.proto": PROTO}) == ""
    assert page.message("selected")["mass"] == 2.0
    assert "named Crate already" in bring(page, {"Crate.proto": PROTO})


def test_without_a_place_for_worlds_it_stays_with_the_run(show: Show, tmp_path: Path):
    page = show()
    pause(page)
    assert bring(page, {"part.stl": tetrahedron(0.1)}) == ""
    assert selected(page)
    assert (tmp_path / "scene" / "protos" / "Part.proto").is_file()


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "no model"),
        ({"a.urdf": "<robot"}, "a.urdf: "),
        ({"a.urdf": "nothing"}, "no model"),
        ({"a.urdf": ROVER, "b.urdf": ROVER}, "one model at a time; these are 2: a.urdf, b.urdf"),
        ({"a.stl": "solid"}, "a.stl: "),
        ({"a.urdf": '<robot xmlns:xacro="http://ros.org/xacro"><xacro:x/></robot>'}, "xacro a.urdf"),
        ({"a.wbt": ""}, "no model consists of such files"),
        ({"a.sh": "x"}, "no model consists of such files"),
        ({"../a.stl": "x"}, "not a file's name"),
        ({"/a.stl": "x"}, "not a file's name"),
        ({"a//b.stl": "x"}, "not a file's name"),
        ({"a\\b.stl": "x"}, "not a file's name"),
        ({".a/b.stl": "x"}, "not a file's name"),
        ({"a/" * 9 + "b.stl": "x"}, "not a file's name"),
    ],
)
def test_what_cannot_be_put_says_why(page: Page, tmp_path: Path, files: dict[str, str], says: str):
    before = saved(page)
    assert says in bring(page, files)
    assert saved(page) == before
    assert not (tmp_path / "project" / "worlds" / "protos").exists() or not list(
        (tmp_path / "project" / "worlds" / "protos").iterdir()
    )


def test_parts_that_are_not_base64_are_refused(page: Page):
    assert "base64" in ask(page, "bring", name="a.stl", part="?", begins=True).lower()


def test_pages_cannot_fill_the_memory(page: Page, monkeypatch: pytest.MonkeyPatch):
    assert MOST_BYTES <= 2**26 and MOST_FILES <= 1000 and MOST_PAGES <= 8
    monkeypatch.setattr("wbridge.wbcore.windows.bringing.MOST_BYTES", 1000)
    assert "a model may have" in bring(page, {"a.stl": "x" * 1001})
    assert bring(page, {"part.stl": tetrahedron(0.1)[:900]}) == "", "it begins again"
