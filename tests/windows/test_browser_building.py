"""Building a robot from the shelf by gestures, taking it back, and saving it, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import degrees, radians
from pathlib import Path
from typing import Any

import pytest

from tests.windows.browser import Run, run
from tests.windows.test_browser_worlds import start_paused
from tests.windows.visit import Visit, picture, until
from wbridge.wbcore.scene.load import load_world

pytestmark = pytest.mark.browser
WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 title "Empty" }
Viewpoint { position -0.55 0 0.45 orientation 0 1 0 0.65 }
Background { skyColor [ 0.4 0.6 0.9 ] }
DirectionalLight { direction 1 1 -2 castShadows TRUE }
DEF FLOOR Solid { name "floor" children [ DEF GROUND Shape {
  appearance PBRAppearance { baseColor 0.6 0.6 0.6 metalness 0 }
  geometry Plane { size 20 20 } } ] boundingObject USE GROUND }
"""
HISTORY = "window.page.world.messages.get('history')"
SELECTED = "window.page.world.messages.get('selected')"
NODE = "window.page.world.messages.get('selected')?.node"


@contextmanager
def opened(visit: Visit, folder: Path) -> Iterator[tuple[Run, Any]]:
    """A run of the empty world that may be saved, paused at its start, with the shelf and the tree."""
    world = folder / "project" / "worlds" / "empty.wbt"
    world.parent.mkdir(parents=True)
    world.write_text(WORLD)
    with run(world, "--mode", "realtime", "--save-worlds", str(folder)) as on:
        page = visit.open(on.url)
        page.set_viewport_size({"width": 1400, "height": 860})
        start_paused(page)
        for name in ("Shelf", "Scene tree"):
            page.get_by_label("Add a panel").click()
            page.get_by_role("menuitem", name=name).click()
        page.locator(".shelf-item").first.wait_for()
        yield on, page


def on_screen(page: Any, point: list[float]) -> dict[str, float]:
    """Where a point of the world is in the picture, for `drag_to`."""
    found: dict[str, float] = page.evaluate(
        """(point) => {
          const {view} = window.page.world;
          const at = view.camera.position.clone().set(...point).project(view.camera);
          return {x: (at.x + 1) / 2 * view.canvas.clientWidth, y: (1 - at.y) / 2 * view.canvas.clientHeight};
        }""",
        point,
    )
    return found


def drop(page: Any, name: str, point: list[float], title: str) -> None:
    """Drag an entry of the shelf to where a point of the world is shown."""
    until(page, "!window.page.world.isBusy && !window.page.world.isNew")
    page.get_by_label("Find in the shelf").fill(name)
    entry = page.locator(f'[data-model="{name}"]')
    before = page.evaluate(f"{HISTORY}.count")
    entry.drag_to(page.locator(".stage canvas"), target_position=on_screen(page, point))
    until(page, f"{HISTORY}.count === {before + 1} && {HISTORY}.undo === {title!r}")


def drawn(page: Any) -> int:
    """How many things the view shows."""
    return int(page.evaluate("window.page.world.view.world.meshes.length"))


def test_a_robot_is_built_from_the_shelf_taken_back_and_saved(visit: Visit, tmp_path: Path):
    with opened(visit, tmp_path) as (_, page):
        empty = drawn(page)
        drop(page, "Robot", [0.0, 0.0, 0.0], "Add Robot")
        until(page, f"window.page.world.view.world.meshes.length > {empty}")
        drop(page, "Wheel with motor", [0.02, 0.045, 0.05], "Add Wheel with motor")
        drop(page, "Wheel with motor", [0.02, -0.045, 0.05], "Add Wheel with motor")
        drop(page, "DistanceSensor", [0.07, 0.0, 0.05], "Add DistanceSensor")
        for device in ("left wheel motor", "right wheel sensor", "DistanceSensor"):
            page.get_by_title(device).or_(page.get_by_text(device, exact=True)).first.wait_for()
        picture(page, "view_building")
        page.keyboard.press("Escape")
        page.locator(".stage canvas").click(position={"x": 40, "y": 400})
        for count in (3, 2, 1, 0):
            page.keyboard.press("Control+z")
            until(page, f"{HISTORY}.count === {count}")
        until(page, f"window.page.world.view.world.meshes.length === {empty}")
        for _ in range(4):
            page.keyboard.press("Control+Shift+Z")
        until(page, f"{HISTORY}.undo === 'Add DistanceSensor' && {HISTORY}.redo === ''")
        page.get_by_label("Name of the new world").fill("built.wbt")
        page.get_by_role("button", name="Save world").click()
        until(page, "document.querySelector('.saving p').textContent === 'saved built.wbt'")
    world = load_world(tmp_path / "built.wbt")
    assert not world.report.errors
    robot = next(node for node in world.nodes if node.type == "Robot")
    kinds = [child.type for child in robot.get("children")]
    assert kinds.count("HingeJoint") == 2 and kinds[-1] == "DistanceSensor"


def test_the_shelf_shows_what_it_offers(visit: Visit, tmp_path: Path):
    """Judge: the colors of the picture: a box of the shelf is red, its surroundings are light."""
    pixels = """(name) => {
      const image = document.querySelector(`[data-model="${name}"] img`);
      const canvas = Object.assign(document.createElement('canvas'), {width: 40, height: 30});
      const pen = canvas.getContext('2d');
      pen.drawImage(image, 0, 0, 40, 30);
      return [[...pen.getImageData(20, 15, 1, 1).data], [...pen.getImageData(1, 1, 1, 1).data]];
    }"""
    with opened(visit, tmp_path) as (_, page):
        for name in ("Box", "Robot", "Wheel with motor"):
            until(
                page,
                f"document.querySelector('[data-model=\"{name}\"] img')?.complete && "
                f"!document.querySelector('[data-model=\"{name}\"] img').hidden",
            )
        (red, green, blue, _), around = page.evaluate(pixels, "Box")
        assert red > 1.5 * green and red > 1.5 * blue
        assert min(around[:3]) > 200
        page.get_by_label("Find in the shelf").fill("E-puck")
        until(page, "document.querySelector('[data-model=\"E-puck\"] img').naturalWidth > 100")
        picture(page, "view_shelf")
        page.get_by_label("Find in the shelf").fill("GPS")
        page.locator('[data-model="GPS"]').wait_for()
        assert page.locator('[data-model="GPS"] img').is_hidden()


def test_copy_and_delete_by_keys(visit: Visit, tmp_path: Path):
    with opened(visit, tmp_path) as (_, page):
        page.get_by_label("Find in the shelf").fill("box")
        page.locator('[data-model="Box"]').click()  # adds it in the middle of the view
        until(page, f"{HISTORY}.undo === 'Add Box' && {NODE}")
        assert page.evaluate("Math.hypot(...window.page.world.messages.get('selected').position)") < 0.3
        page.locator('[data-model="Box"]').blur()
        page.keyboard.press("Control+d")
        until(page, f"{HISTORY}.undo === 'Copy box'")
        until(page, "document.querySelector('.selection h2').textContent === 'box(1)'")
        page.keyboard.press("Delete")
        until(page, f"{HISTORY}.undo === 'Delete box(1)'")
        page.locator('[data-building="undo"]').click()
        until(page, f"{HISTORY}.redo === 'Delete box(1)'")
        assert page.locator('[data-building="redo"]').get_attribute("title").startswith("Redo: Delete box(1)")


def test_boxes_are_grouped_by_keys_and_the_menu(visit: Visit, tmp_path: Path):
    count = f"({SELECTED}.others.length + 1)"
    with opened(visit, tmp_path) as (_, page):
        page.get_by_label("Find in the shelf").fill("box")
        page.locator('[data-model="Box"]').click()
        until(page, f"{HISTORY}.undo === 'Add Box' && {NODE}")
        page.locator('[data-model="Box"]').blur()
        page.keyboard.press("Control+d")
        until(page, f"{HISTORY}.undo === 'Copy box' && {SELECTED}.name === 'box(1)'")
        page.locator('[role="treeitem"]', has_text="box").first.click(modifiers=["Control"])
        until(page, f"{count} === 2")
        page.locator(".stage canvas").focus()
        page.keyboard.press("Control+g")
        until(page, f"{HISTORY}.undo === 'Group 2 nodes' && {count} === 2 && {SELECTED}.group !== null")
        page.keyboard.press("Shift+F10")
        page.get_by_role("menuitem", name="Ungroup").click()
        until(page, f"{HISTORY}.undo === 'Ungroup Group' && {SELECTED}.group === null")
        page.keyboard.press("Control+z")
        until(page, f"{HISTORY}.redo === 'Ungroup Group'")


def test_why_something_cannot_be_added_is_said_at_the_pointer(visit: Visit, tmp_path: Path):
    with opened(visit, tmp_path) as (_, page):
        page.get_by_label("Find in the shelf").fill("GPS")
        entry = page.locator('[data-model="GPS"]')
        entry.drag_to(page.locator(".stage canvas"), target_position={"x": 200, "y": 600})  # the floor
        until(page, "!document.querySelector('.view-hint').hidden")
        assert "drop the GPS on a robot" in page.locator(".view-hint").inner_text()


def test_the_time_line_shows_the_past_and_branches(visit: Visit, tmp_path: Path):
    line = "window.page.world.messages.get('timeLine')"
    with opened(visit, tmp_path) as (_, page):
        page.get_by_label("Find in the shelf").fill("sphere")
        page.locator('[data-model="Sphere"]').click()
        until(page, f"{HISTORY}.undo === 'Add Sphere'")
        page.locator("#speed").select_option("5")
        until(page, f"{line}.last > 5")
        slider = page.get_by_label("Moment of the run")
        slider.fill("2.5")
        until(page, f"{line}.looking !== null && {line}.looking <= 2.5 && window.page.source.run.mode === 0")
        until(page, f"Math.abs(window.page.source.run.time - {line}.looking) < 1e-9")
        page.get_by_role("button", name="Now").click()
        until(page, f"{line}.looking === null && window.page.source.run.time > 5")
        slider.fill("3")
        until(page, f"{line}.looking > 1")
        moment = page.evaluate(f"{line}.looking")
        page.get_by_role("button", name="Branch from here").click()
        until(page, f"{line}.looking === null && {line}.target === null && window.page.source.run.mode === 0")
        until(page, f"Math.abs(window.page.source.run.time - {moment}) < 1e-6")
        assert page.evaluate(HISTORY + ".undo") == "Add Sphere"
        picture(page, "view_time_line")


def test_moves_on_the_grid_and_the_list_of_keys(visit: Visit, tmp_path: Path):
    with opened(visit, tmp_path) as (_, page):
        drop(page, "Box", [0.0, 0.0, 0.0], "Add Box")
        until(page, NODE)
        before = page.evaluate("window.page.world.messages.get('selected').position")
        at, box = on_screen(page, before), page.locator(".stage canvas").bounding_box()
        x, y = box["x"] + at["x"], box["y"] + at["y"]
        page.keyboard.down("Shift")
        page.keyboard.down("Control")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 70, y + 10, steps=3)
        page.mouse.up()
        page.keyboard.up("Control")
        page.keyboard.up("Shift")
        position = "window.page.world.messages.get('selected').position"
        until(page, f"{HISTORY}.undo === 'Move box' && Math.abs({position}[1] - {before[1]}) > 0.02")
        page.wait_for_timeout(300)  # the last move is on its way
        after = page.evaluate("window.page.world.messages.get('selected').position")
        steps = [(new - old) / 0.05 for old, new in zip(before, after, strict=True)]
        assert steps == pytest.approx([round(step) for step in steps], abs=1e-3)
        page.locator(".stage canvas").focus()
        page.keyboard.press("?")
        page.get_by_role("dialog", name="Mouse and keys").wait_for()
        assert "Ctrl + D" in page.locator(".key-list").inner_text()
        page.keyboard.press("Escape")
        until(page, "!document.querySelector('.key-list').open")


def handle(page: Any, kind: str, key: str) -> tuple[float, float]:
    """Where a handle is on the page: the tip of an arrow, or a corner of a ring."""
    x, y = page.evaluate(
        """([kind, key]) => {
          const {view, handles} = window.page.world.dragging;
          const one = handles.named(key, kind === 'ring');
          const [matrix, point] = [handles.matrix(), () => view.camera.position.clone()];
          const points = one.line.map((at) => handles.onScreen(point().set(...at).applyMatrix4(matrix)));
          const [cx, cy] = handles.onScreen(point().setFromMatrixPosition(matrix));
          // The corner of a ring that is farthest from all other handles.
          const far = ([x, y]) => Math.hypot(x - cx, y - cy);
          return points.filter(([x, y]) => handles.at(x, y) === one).sort((a, b) => far(b) - far(a))[0];
        }""",
        [kind, key],
    )
    box = page.locator(".stage canvas").bounding_box()
    return box["x"] + x, box["y"] + y


def drag_handle(page: Any, kind: str, key: str, way: tuple[float, float]) -> float:
    """Drag a handle by pixels; returns how far the page says that it came."""
    x, y = handle(page, kind, key)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + way[0] / 2, y + way[1] / 2)
    page.mouse.move(x + way[0], y + way[1])
    text = page.locator(".view-hint").inner_text()
    page.mouse.up()
    return float(text.removeprefix(f"{key} ").rstrip(" m°"))


def test_handles_move_turn_and_scale_by_pointer_and_keys(visit: Visit, tmp_path: Path):
    field = "window.page.world.messages.get('fields').find((one) => one.name === '{}').value"
    translation, rotation = field.format("translation"), field.format("rotation")
    radius = "window.page.world.view.sphere().radius"
    with opened(visit, tmp_path) as (_, page):
        drop(page, "Box", [0.0, 0.0, 0.0], "Add Box")
        until(page, NODE)
        page.get_by_role("button", name="Move", exact=True).click()
        until(page, "window.page.world.view.drawings.kinds.get('handles')?.length === 7")
        before, unturned = page.evaluate(translation), page.evaluate(radius)
        y = before[1] + drag_handle(page, "arrow", "y", (-60, 0))
        assert y > before[1] + 0.01
        center = "window.page.world.dragging.handles.matrix().elements[13]"
        until(page, f"Math.abs({translation}[1] - {y}) < 1e-3 && Math.abs({center} - {y}) < 1e-3")
        assert page.evaluate(HISTORY)["undo"] == "Move box"
        after = page.evaluate(translation)
        assert [after[0], after[2]] == pytest.approx([before[0], before[2]], abs=1e-9), "along y alone"
        picture(page, "view_handles")
        turn = radians(drag_handle(page, "ring", "z", (40, 12)))
        assert abs(turn) > 0.05
        until(page, f"Math.abs({rotation}[2] * {rotation}[3] - {turn}) < 1e-3")
        assert page.evaluate(rotation)[:2] == pytest.approx([0, 0], abs=1e-9)
        page.locator(".stage canvas").focus()
        place = page.evaluate(translation)
        page.keyboard.type("x-0.25")
        until(page, "document.querySelector('.view-hint').textContent === 'x -0.25 m'")
        page.keyboard.press("Enter")
        until(page, f"Math.abs({translation}[0] - {place[0] - 0.25}) < 1e-6")
        size = page.evaluate(radius)
        page.keyboard.type("s2")
        page.keyboard.press("Enter")
        until(page, f"Math.abs({radius} - {2 * size}) < 1e-3")
        page.keyboard.type("z3")
        until(page, f"Math.abs({translation}[2] - {place[2] + 3}) < 1e-6")
        page.keyboard.press("Escape")
        until(page, f"Math.abs({translation}[2] - {place[2]}) < 1e-6")
        until(page, f"{HISTORY}.count === 6")  # the box, and five moves
        for left in range(5, 0, -1):
            page.keyboard.press("Control+z")
            until(page, f"{HISTORY}.count === {left}")
        until(page, f"Math.hypot(...{translation}.map((one, i) => one - {before}[i])) < 1e-9")
        until(page, f"Math.abs({radius} - {unturned}) < 1e-6 && Math.abs({rotation}[3]) < 1e-9")


HINGE = """Solid { name "frame" translation 0 0 0.1 children [ HingeJoint {
  jointParameters HingeJointParameters { axis 0 0 1 minStop -0.5 maxStop 0.6 }
  endPoint DEF DOOR Solid { name "door" children [ Shape {
    appearance PBRAppearance { baseColor 0.8 0.5 0.2 } geometry Box { size 0.02 0.2 0.2 } } ] } } ] }
"""


def test_a_door_turns_about_its_hinge_alone(visit: Visit, tmp_path: Path):
    world = tmp_path / "door.wbt"
    world.write_text(WORLD + HINGE)
    joint = "window.page.world.messages.get('selected')?.joint_axis"
    kinds = "window.page.world.view.drawings.kinds"
    with run(world, "--mode", "realtime") as on:
        page = visit.open(on.url)
        start_paused(page)
        page.get_by_label("Add a panel").click()
        page.get_by_role("menuitem", name="Scene tree").click()
        page.get_by_label("Search nodes").fill("DOOR")
        page.locator('[role="treeitem"]').first.click()
        until(page, f"{joint}?.kind === 'hinge'")
        page.get_by_role("button", name="Move", exact=True).click()
        until(page, f"{kinds}.get('handles')?.length === 1 && {kinds}.get('limits')?.length === 2")
        picture(page, "view_hinge")
        page.locator(".stage canvas").focus()
        for text, position in (("z20", 20), ("z90", degrees(0.6))):
            page.keyboard.type(text)
            page.keyboard.press("Enter")
            until(page, f"Math.abs({joint}.position * 180 / Math.PI - {position}) < 1e-3")


def test_several_are_selected_copied_and_deleted(visit: Visit, tmp_path: Path):
    selected = "window.page.world.messages.get('selected')"
    with opened(visit, tmp_path) as (_, page):
        drop(page, "Box", [0.0, 0.1, 0.0], "Add Box")
        drop(page, "Sphere", [0.0, -0.15, 0.0], "Add Sphere")
        until(page, f"{selected}?.name === 'sphere'")
        page.locator('[role="treeitem"]', has_text="box").first.click(modifiers=["Control"])
        until(page, f"{selected}.name === 'box' && {selected}.others.length === 1")
        until(page, "window.page.world.view.drawings.kinds.get('selected').length === 2")
        assert page.locator('[role="treeitem"][aria-selected="true"]').count() == 2
        assert page.locator(".selection").inner_text().find("and 1 other node") > 0
        page.locator(".stage canvas").focus()
        page.keyboard.press("Control+d")
        until(page, f"{HISTORY}.undo === 'Copy 2 nodes' && {selected}.others.length === 1")
        page.keyboard.press("Delete")
        until(page, f"{HISTORY}.undo === 'Delete 2 nodes' && !{selected}")


def test_a_menu_at_the_pointer_copies_what_is_there(visit: Visit, tmp_path: Path):
    with opened(visit, tmp_path) as (_, page):
        drop(page, "Box", [0.0, 0.1, 0.0], "Add Box")
        drop(page, "Sphere", [0.0, -0.15, 0.0], "Add Sphere")
        until(page, "!window.page.world.isBusy && !window.page.world.isNew")
        canvas = page.locator(".stage canvas")
        canvas.click(button="right", position=on_screen(page, [0.0, 0.1, 0.05]))
        until(page, "window.page.world.messages.get('selected')?.name === 'box'")
        page.get_by_role("menuitem", name="Copy beside it").click()
        until(page, f"{HISTORY}.undo === 'Copy box'")
        until(page, "window.page.world.messages.get('selected')?.name === 'box(1)'")
        canvas.focus()
        page.keyboard.press("Shift+F10")
        page.get_by_role("menuitem", name="Remember").press("Enter")
        canvas.click(button="right", position={"x": 5, "y": 700})
        page.get_by_role("menuitem", name="Paste", exact=True).click()
        until(page, f"{HISTORY}.undo === 'Copy box(1)'")
        page.keyboard.press("Control+v")
        until(page, f"{HISTORY}.count === 5")


CRASHING = """from controller import Robot
robot = Robot()
while robot.step(16) != -1:
    if robot.getTime() > LIMIT:
        raise RuntimeError("no such gear")
"""


def test_a_failed_controller_is_mended_and_its_last_seconds_repeated(visit: Visit, tmp_path: Path):
    """The way of a person: see why it failed, mend the file, rewind, go on."""
    world = tmp_path / "project" / "worlds" / "gear.wbt"
    program = tmp_path / "project" / "controllers" / "gear" / "gear.py"
    for folder in (world.parent, program.parent):
        folder.mkdir(parents=True)
    world.write_text(WORLD + 'Robot { name "cart" controller "gear" children [ GPS { } ] }')
    program.write_text(CRASHING.replace("LIMIT", "4"))
    with run(world, "--mode", "realtime", "--windows", "--view") as on:
        page = visit.open(on.url)
        until(page, "window.page?.source?.run")
        page.locator("#speed").select_option("5")
        page.locator(".failure").wait_for()
        text = page.locator(".failure").inner_text()
        assert "cart" in text and "ended with exit code 1" in text and "RuntimeError: no such gear" in text
        picture(page, "workbench_failure")
        program.write_text(CRASHING.replace("LIMIT", "400"))
        page.get_by_role("button", name="Rewind 2 s").click()
        until(page, "window.page.source.run.mode === 0 && window.page.source.run.time < 4")
        until(page, "!document.querySelector('.failure')")
        page.locator("#play").click()
        until(page, "window.page.source.run.time > 5")
        assert page.locator(".failure").count() == 0


def test_what_is_hidden_is_out_of_the_way(visit: Visit, tmp_path: Path):
    """A click goes through it, the world keeps it, and it stays hidden when the world changes."""
    shown = "window.page.world.view.world.meshes.filter((one) => one && !one.userData.isHidden).length"
    with opened(visit, tmp_path) as (_, page):
        before = drawn(page) + 1
        drop(page, "Box", [0.0, 0.0, 0.0], "Add Box")
        until(page, f"{NODE} != null && {shown} === {before}")
        box = page.evaluate(NODE)
        page.locator("body").press("h")
        until(page, f"{NODE} === undefined && {shown} === {before - 1}")
        place = on_screen(page, [0.0, 0.0, 0.05])
        page.locator(".stage canvas").click(position=place)
        until(page, f"{NODE} != null && {NODE} !== {box}")  # the floor behind it
        drop(page, "Sphere", [0.0, 0.15, 0.0], "Add Sphere")
        until(page, f"{shown} === {before}")
        page.locator("body").press("Shift+H")
        until(page, f"{shown} === {before + 1}")
        page.locator(".stage canvas").click(position=place)
        until(page, f"{NODE} === {box}")


def test_a_model_of_this_computer_is_dropped_into_the_view_or_chosen(visit: Visit, tmp_path: Path):
    """A robot with a mesh of several parts by a drop, another mesh by the dialog of the browser."""
    corners = [f"v {x} {y} {z}" for x in (0, 0.1) for y in (0, 0.1) for z in (0, 0.1)]
    faces = ["f 1 2 4 3", "f 5 7 8 6", "f 1 5 6 2", "f 3 4 8 7", "f 1 3 7 5", "f 2 6 8 4"]
    mesh = "\n".join([*corners, *faces, *["# a long file"] * 10_000, ""])
    robot = """<robot name="lamp"><link name="base">
      <visual><geometry><mesh filename="package://lamp/base.obj"/></geometry></visual>
      <collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>
      <inertial><mass value="1"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial>
      </link></robot>"""
    with opened(visit, tmp_path) as (_, page):
        page.evaluate(
            """({files, at}) => {
              const dataTransfer = new DataTransfer();
              for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
              const canvas = document.querySelector('.stage canvas');
              const {left, top} = canvas.getBoundingClientRect();
              const place = {clientX: left + at.x, clientY: top + at.y, bubbles: true, cancelable: true};
              for (const kind of ['dragover', 'drop'])
                canvas.dispatchEvent(new DragEvent(kind, {dataTransfer, ...place}));
            }""",
            {
                "files": [["lamp.urdf", robot], ["base.obj", mesh], ["README.md", "not needed"]],
                "at": on_screen(page, [0.0, 0.1, 0.0]),
            },
        )
        until(page, f"{HISTORY}.undo === 'Add Lamp'")
        until(page, "window.page.world.messages.get('selected')?.position[1].toFixed(2) === '0.10'")
        (tmp_path / "block.obj").write_text(mesh)
        with page.expect_file_chooser() as asked:
            page.get_by_role("button", name="From a file").click()
        asked.value.set_files(tmp_path / "block.obj")
        until(page, f"{HISTORY}.undo === 'Add Block'")
        with page.expect_file_chooser() as asked:
            page.get_by_role("button", name="From a file").click()
        asked.value.set_files([{"name": "x.urdf", "mimeType": "", "buffer": b"<robot"}])
        page.get_by_text("x.urdf: ").wait_for()
        picture(page, "workbench_own_models")
    assert (tmp_path / "protos" / "Lamp.proto").is_file()
