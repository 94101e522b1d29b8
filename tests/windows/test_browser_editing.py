"""Selecting, pulling, moving and editing in the 3D view, in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.windows.browser import ROOT, Run, run
from tests.windows.test_browser_worlds import SIZE, seen, start_paused
from tests.windows.visit import Visit, picture, until

pytestmark = pytest.mark.browser
WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 title "Things" }
Viewpoint { position -4 0 1.5 orientation 0 1 0 0.3 }
Background { skyColor [ 0.4 0.6 0.9 ] }
DirectionalLight { direction 1 1 -2 castShadows TRUE }
DEF FLOOR Solid { name "floor" children [ DEF GROUND Shape {
  appearance PBRAppearance { baseColor 0.6 0.6 0.6 metalness 0 }
  geometry Plane { size 20 20 } } ] boundingObject USE GROUND }
DEF BOX Robot { name "box" controller "<none>" translation 0 0 0.25 children [
    Shape { appearance DEF LOOK PBRAppearance { baseColor 0.9 0.2 0.1 metalness 0 }
      geometry DEF CUBE Box { size 0.5 0.5 0.5 } }
    GPS { }
    DistanceSensor { translation 0.25 0 0 lookupTable [ 0 0 0, 1 1 0 ] }
  ] boundingObject USE CUBE physics Physics { density -1 mass 5 } }
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    made = tmp_path / "project" / "worlds" / "things.wbt"
    made.parent.mkdir(parents=True)
    made.write_text(WORLD)
    return made


@contextmanager
def opened(visit: Visit, world: Path, *options: str, **size: int) -> Iterator[tuple[Run, Any]]:
    """A run, and its page with the view."""
    with run(world, "--mode", "realtime", *options) as on:
        page = visit.open(on.url)
        page.set_viewport_size(size or SIZE)
        until(page, "document.documentElement.dataset.ready")
        yield on, page


def show_tree(page: Any) -> None:
    page.get_by_label("Add a panel").click()
    page.get_by_role("menuitem", name="Scene tree").click()
    page.locator(".inspector").wait_for()


def place(page: Any, name: str) -> list[float]:
    """Where a thing is on the screen (CSS pixels of the page)."""
    found: list[float] = page.evaluate(
        """(name) => {
          const {view} = window.page.world;
          const body = view.world.bodies.get(view.world.description.robots[name]);
          const at = view.camera.position.clone().setFromMatrixPosition(body.matrix).project(view.camera);
          const box = view.canvas.getBoundingClientRect();
          return [box.left + (at.x + 1) / 2 * box.width, box.top + (1 - at.y) / 2 * box.height];
        }""",
        name,
    )
    return found


def selected(page: Any, what: str) -> Any:
    """A value that the run says about the selected node."""
    return page.evaluate(f"window.page.world.messages.get('selected')?.{what}")


def test_a_click_selects_and_the_panel_shows_it(visit: Visit, world: Path):
    with opened(visit, world, width=1100, height=700) as (_, page):
        show_tree(page)
        page.mouse.click(*place(page, "box"))
        until(page, "window.page.world.messages.get('selected')?.node")
        until(page, "document.querySelector('.selection h2').textContent === 'box'")
        text = page.locator(".selection").inner_text()
        assert 'BOX "box"' in text and "5.000 kg" in text and "translation" in text
        assert page.locator('.tree [aria-selected="true"]').inner_text().split() == ["▸BOX", "Robot"]
        picture(page, "view_selected")
        page.get_by_label("Search nodes").fill("shape")
        until(page, "document.querySelectorAll('.tree li').length === 3")
        page.locator(".tree li").first.click()
        until(page, "window.page.world.messages.get('selected')?.type === 'Shape'")


def test_alt_pulls_and_shift_moves(visit: Visit, world: Path):
    with opened(visit, world) as (_, page):
        x, y = place(page, "box")
        page.keyboard.down("Alt")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 220, y - 30, steps=4)
        until(
            page,
            "window.page.world.messages.get('pulls')?.length && !document.querySelector('.view-hint').hidden",
        )
        assert page.locator(".view-hint").inner_text().endswith(" N")
        until(page, "Math.abs(window.page.world.messages.get('selected')?.position[1]) > 0.05")
        page.mouse.up()
        page.keyboard.up("Alt")
        until(page, "!window.page.world.messages.get('pulls').length")
        page.locator("#play").click()
        until(page, "window.page.source.run.mode === 0")
        page.wait_for_timeout(300)
        before = selected(page, "position")
        x, y = place(page, "box")
        page.keyboard.down("Shift")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 120, y, steps=4)
        page.mouse.up()
        page.keyboard.up("Shift")
        until(page, f"Math.abs(window.page.world.messages.get('selected').position[1] - {before[1]}) > 0.2")
        assert selected(page, "position")[2] == pytest.approx(before[2], abs=1e-4), "parallel to the ground"


def test_a_pull_of_what_cannot_move_ends_and_says_why(visit: Visit, world: Path):
    robot = 'DEF POST Robot { name "post" controller "<none>" translation 0 1.2 0.5 children ['
    post = f"{robot} Shape {{ geometry Box {{ size 0.4 0.4 1 }} }} ] }}\n"
    world.write_text(WORLD + post)
    with opened(visit, world) as (_, page):
        x, y = page.evaluate(
            """() => {
              const {view} = window.page.world;
              const at = view.camera.position.clone().set(0, 1.2, 0.5).project(view.camera);
              const box = view.canvas.getBoundingClientRect();
              return [box.left + (at.x + 1) / 2 * box.width, box.top + (1 - at.y) / 2 * box.height];
            }"""
        )
        page.keyboard.down("Alt")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 40, y - 30, steps=4)
        until(page, "document.querySelector('.view-hint').textContent.includes('no Physics')")
        assert page.evaluate("!window.page.world.dragging.current")
        page.mouse.up()
        page.keyboard.up("Alt")


def test_views_come_near_and_cameras_without_a_picture_show_none(visit: Visit):
    with run(ROOT / "worlds" / "epuck_arena.wbt", "--mode", "realtime", "--no-controllers") as on:
        page = visit.open(on.url)
        until(page, "document.documentElement.dataset.ready")
        page.get_by_title("Where to look from").click()
        page.get_by_role("button", name="Top", exact=True).click()
        until(page, "!window.page.world.view.glide")
        # The diagonal of the arena, 1 m by 1 m, fits into the picture and takes most of its lower side.
        share = page.evaluate(
            """() => {
              const {camera} = window.page.world.view;
              return Math.SQRT1_2 / (camera.position.z * Math.tan((camera.fov * Math.PI) / 360));
            }"""
        )
        assert 0.7 < share < 1
        page.keyboard.press("Escape")
        page.get_by_title("Optional drawings").click()
        page.locator("[data-drawing=cameras]").check()
        until(page, "window.page.world.view.drawings.pictures.size")
        page.wait_for_timeout(300)
        assert page.evaluate(
            "[...window.page.world.view.drawings.pictures.values()].every((one) => !one.visible)"
        )
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Show the picture of camera").click()
        until(page, "[...window.page.world.view.drawings.pictures.values()].every((one) => one.visible)")


def test_what_was_done_can_be_repeated(visit: Visit, world: Path, tmp_path: Path):
    path = tmp_path / "mine.jsonl"
    with opened(visit, world, "--interventions", str(path)) as (_, page):
        page.evaluate("window.page.world.choose('pull')")
        x, y = place(page, "box")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 60, y, steps=3)
        until(page, "window.page.world.messages.get('pulls')?.length")
        page.mouse.up()
        until(page, "!window.page.world.messages.get('pulls').length")
    lines = [json.loads(one) for one in path.read_text().splitlines()]
    assert lines and {one["do"] for one in lines} == {"push"}


def test_a_field_is_changed_and_a_wrong_value_explained(visit: Visit, world: Path, tmp_path: Path):
    saves = tmp_path / "saves"
    saves.mkdir()
    with opened(visit, world, "--save-worlds", str(saves), width=1100, height=700) as (_, page):
        show_tree(page)
        start_paused(page)
        before = seen(page)
        page.get_by_label("Search nodes").fill("LOOK")
        page.locator(".tree li").first.click()
        color = page.get_by_label("baseColor", exact=True)
        color.fill("0 0.8 0.2")
        color.press("Enter")
        until(
            page, "window.page.world.messages.get('surface 1') || window.page.world.messages.get('surface 0')"
        )
        page.wait_for_timeout(300)
        after = seen(page)
        assert (after[..., 1] - before[..., 1]).max() > 60, "the box is green now"
        rough = page.get_by_label("roughness", exact=True)
        rough.fill("7")
        rough.press("Enter")
        until(page, "document.querySelector('[data-field=roughness] p').textContent.match('cannot be 7')")
        picture(page, "view_tree")
        page.get_by_placeholder("name.wbt").fill("green.wbt")
        page.get_by_role("button", name="Save world").click()
        until(page, "document.querySelector('.saving [role=status]').textContent === 'saved green.wbt'")
    assert "0 0.8 0.2" in (saves / "green.wbt").read_text()
    assert world.read_text() == WORLD


def test_drawings_views_and_pictures(visit: Visit, world: Path):
    with opened(visit, world) as (_, page):
        start_paused(page)
        plain = seen(page)
        page.get_by_title("Optional drawings").click()
        for kind in ("bounds", "masses", "frames", "rays", "tracks"):
            page.locator(f"[data-drawing={kind}]").check()
            until(page, f"window.page.world.view.drawings.kinds.get('{kind}')?.length")
        page.wait_for_timeout(300)
        drawn = seen(page)
        assert 50 < (abs(drawn - plain).max(axis=2) > 30).sum() < plain[..., 0].size / 10
        for kind in ("bounds", "masses", "frames", "rays", "tracks"):
            page.locator(f"[data-drawing={kind}]").uncheck()
        until(page, "!window.page.world.view.drawings.kinds.get('bounds').length")
        page.wait_for_timeout(300)
        assert abs(seen(page) - plain).mean() < 0.5, "as before"
        page.get_by_title("Where to look from").click()
        page.get_by_role("button", name="Top").click()
        until(page, "!window.page.world.view.glide && window.page.world.view.camera.position.z > 5")
        page.locator("#viewpoint").click()
        page.wait_for_timeout(300)
        assert abs(seen(page) - plain).mean() < 0.5
        page.keyboard.press("Escape")
        with page.expect_download() as started:
            page.locator("#screenshot").click()
        assert started.value.suggested_filename == "Things.png"


def test_the_view_follows_as_the_viewpoint_says(visit: Visit, world: Path):
    """Judge: the renderer's Viewpoint, which follows, too."""
    world.write_text(WORLD.replace("Viewpoint {", 'Viewpoint { follow "box" followType "Mounted Shot"'))
    with opened(visit, world) as (_, page):
        start_paused(page)
        before = page.evaluate("window.page.world.view.camera.position.toArray()")
        page.evaluate("window.page.world.view.select(null)")
        page.mouse.click(*place(page, "box"))
        until(page, "window.page.world.messages.get('selected')?.node")
        node = selected(page, "node")
        page.evaluate(
            "(node) => page.live.ask('move', {node, begins: true, way: [1, 2, 0],"
            " turn: [0, 0, Math.PI / 2], factor: 1})",
            node,
        )
        until(page, "Math.abs(window.page.world.messages.get('selected').position[1] - 2) < 0.01")
        page.wait_for_timeout(400)
        after = page.evaluate("window.page.world.view.camera.position.toArray()")
        # Turned by a quarter around the box, which went from (0, 0) to (1, 2).
        assert after[:2] == pytest.approx([1 - before[1], 2 + before[0]], abs=0.02)


def test_a_phone_shows_everything(chromium: Any, world: Path):
    visit = Visit(chromium, has_touch=True)
    with opened(visit, world, width=390, height=760) as (_, page):
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        for one in page.locator(".view-tools > *:visible").all():
            box = one.bounding_box()
            assert box and box["x"] >= 0 and box["x"] + box["width"] <= 391, box
        show_tree(page)
        page.touchscreen.tap(*place(page, "box"))
        picture(page, "view_phone")
    visit.context.close()
    assert not visit.errors
