"""The workbench in a real browser: panels, devices, plots, controls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.controllers.project import Project, robot
from tests.windows.browser import ROOT, run
from tests.windows.visit import Visit, picture, until, until_drawn

pytestmark = pytest.mark.browser
FOUR_WHEELS = ROOT / "worlds" / "four_wheel_robot.wbt"
PLOT = "window.page.bench.panels.get('plot:1')"
STATES = "window.page?.source?.robots"


def opened(visit: Visit, url: str) -> Any:
    page = visit.open(url)
    until(page, f"{STATES}?.[0]?.state")
    return page


def titles(page: Any) -> list[list[str]]:
    """The tabs of each place."""
    bars = page.locator(".bar").all()
    return [bar.get_by_role("tab").all_inner_texts() for bar in bars]


def test_it_shows_the_world_and_runs_it(visit: Visit):
    with run(FOUR_WHEELS) as on:
        page = opened(visit, on.url)
        assert "token" not in page.url
        until(page, "document.documentElement.dataset.ready")
        assert page.locator(".stage canvas").bounding_box()["width"] > 600
        page.wait_for_selector(".log li:has-text('four_wheel_avoider.py')")
        until(page, f"{PLOT}.plot?.data[0].length > 20")
        until_drawn(page, ".curves canvas")
        picture(page, "workbench")
        page.click("#play")
        until(page, "window.page.source.run.mode === 0")
        stopped = page.evaluate("window.page.source.run.time")
        page.click("#step")
        until(page, f"window.page.source.run.time > {stopped}")
        assert page.evaluate("window.page.source.run.time") == pytest.approx(stopped + 0.016)
        page.select_option("#speed", "null")
        until(page, "window.page.source.run.factor > 1.5")
        page.click("#reset")
        until(page, "window.page.source.run.time < 1 || window.page.source.run.steps > 100")


def test_signals_of_several_robots_in_one_plot(visit: Visit, tmp_path: Path):
    with run(ROOT / "worlds" / "two_robots.wbt", "--no-controllers") as on:
        page = opened(visit, on.url)
        page.evaluate(f"{PLOT}.toggle([...{PLOT}.signals])")
        for one in ("leader", "follower"):
            branch = page.get_by_role("region", name=one, exact=True)
            branch.get_by_role("checkbox", name="Enable ps0").check()
            branch.get_by_role("button", name="Plot ps0").click()
            until(
                page, f"{STATES}.every((one) => !one.state || one.name !== '{one}' || one.state.own.length)"
            )
        assert page.evaluate(f"{PLOT}.signals") == ["leader/ps0.value", "follower/ps0.value"]
        until(page, f"{PLOT}.plot?.data[1].filter((one) => one != null).length > 30")
        page.click("#play")
        until(page, "window.page.source.run.mode === 0")
        over = page.locator(".curves .u-over")
        box = over.bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + 20)
        row = page.evaluate(f"{PLOT}.plot.cursor.idx")
        shown = float(page.locator(".signal b").first.inner_text())
        kept = page.evaluate(f"window.page.source.store.column('leader/ps0.value')[{row}]")
        assert shown == pytest.approx(kept, rel=1e-3), "the value under the cursor"
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.95, box["y"] + 20, steps=3)
        page.mouse.up()
        until(page, f"{PLOT}.held && {PLOT}.held[1] - {PLOT}.held[0] < 1.5")
        page.get_by_role("button", name="Follow", exact=True).click()
        assert page.evaluate(f"{PLOT}.held") is None
        with page.expect_download() as download:
            page.get_by_role("button", name="Save as CSV").click()
        header, *rows = Path(download.value.path()).read_text("utf-8").splitlines()
        assert header == "time,leader/ps0.value,follower/ps0.value"
        assert len(rows) > 30


def many_devices() -> str:
    """A robot with 60 sensors."""
    return "".join(
        f'TouchSensor {{ name "touch {n}" translation 0 0 {n / 10} boundingObject Box {{ size .1 .1 .1 }} '
        f"physics Physics {{ }} }}"
        for n in range(60)
    )


def test_sixty_devices_fit(visit: Visit, project: Project):
    """The cards of the generic window take 5,500 pixels for them."""
    project.write(robot("many", "<none>", children=many_devices()))
    with run(project.world) as on:
        page = opened(visit, on.url)
        page.get_by_role("button", name="More about many").click()
        page.get_by_role("menuitem", name="Enable all sensors").click()
        until(page, f"{STATES}[0].state.own.length === 60")
        page.wait_for_selector(".row-value:has-text('0')")
        assert page.evaluate("document.querySelector('.device-tree').scrollHeight") < 1600
        page.get_by_label("Find a device").fill("touch 17")
        assert page.locator(".row:visible").count() == 1
        page.get_by_label("Find a device").fill("")
        fold = page.get_by_role("button", name="Sensors 60")
        fold.click()
        assert page.locator(".row:visible").count() == 0
        page.reload()
        until(page, f"{STATES}?.[0]?.state")
        assert fold.get_attribute("aria-expanded") == "false", "what is folded stays so"


def test_panels_move_and_stay_where_they_are_put(visit: Visit):
    with run(FOUR_WHEELS, "--no-controllers") as on:
        page = opened(visit, on.url)
        world, whole = page.locator("#panel-view").bounding_box(), page.viewport_size
        share = world["width"] * world["height"] / (whole["width"] * whole["height"])
        assert share > 0.6, "what people look at"
        assert titles(page) == [["Devices"], ["Plot"], ["Console"], ["3D view", "From above"]]
        console = page.get_by_role("tab", name="Console").bounding_box()
        plot = page.locator("[id='panel-plot:1']").bounding_box()
        page.mouse.move(console["x"] + 20, console["y"] + 10)
        page.mouse.down()
        page.mouse.move(plot["x"] + plot["width"] / 2, plot["y"] + plot["height"] / 2, steps=5)
        page.mouse.up()
        assert titles(page) == [["Devices"], ["Plot", "Console"], ["3D view", "From above"]]
        border = page.locator("[role=separator][aria-orientation=vertical]").first
        before = page.locator("#panel-devices").bounding_box()["width"]
        border.focus()
        page.keyboard.press("ArrowRight")
        wider = page.locator("#panel-devices").bounding_box()["width"]
        assert wider > before + 10
        page.get_by_role("tab", name="Plot").dblclick()
        assert titles(page) == [["Plot"]], "alone"
        page.get_by_role("button", name="Panel", exact=True).click()
        page.get_by_role("menuitem", name="Show all panels").click()
        page.get_by_role("tab", name="From above").click()
        page.get_by_role("button", name="Panel", exact=True).last.click()
        page.get_by_role("menuitem", name="Move to the right").click()
        kept = [["Devices"], ["3D view"], ["Plot", "Console"], ["From above"]]
        assert sorted(titles(page)) == sorted(kept)
        page.reload()
        until(page, f"{STATES}?.[0]?.state")
        assert sorted(titles(page)) == sorted(kept)
        assert page.locator("#panel-devices").bounding_box()["width"] < wider, "there is less room"
        # Anything may be stored under this name.
        for text in ('{"tree": {"tabs": ["?", 1]}}', '{"tree": {"axis": "row", "parts": [[]]}}', "[", "7"):
            page.evaluate("(text) => localStorage.setItem(window.page.bench.key, text)", text)
            page.reload()
            until(page, f"{STATES}?.[0]?.state")
            assert titles(page) == [["Devices"], ["Plot"], ["Console"], ["3D view", "From above"]]


def test_a_pad_drives_wheels_and_a_toggle_lights_a_lamp(visit: Visit):
    with run(ROOT / "worlds" / "epuck_arena.wbt") as on:
        page = opened(visit, on.url)
        page.get_by_label("Add a panel").click()
        page.get_by_role("menuitem", name="Drive").click()
        pad = page.get_by_role("application")
        page.locator(".drive-panel").get_by_role("button", name="Take control").click()
        until(page, f"{STATES}[0].state.driver === 'window'")
        box = pad.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 2, steps=3)
        motors = f"{STATES}[0].devices.filter((one) => one.kind === 'motor').map((one) => one.tag)"
        speeds = f"{motors}.map((tag) => {STATES}[0].state.acts[tag].velocity)"
        until(page, f"{speeds}.every((one) => Math.abs(one - 3.14) < 0.1)")  # half of the largest velocity
        page.mouse.up()
        until(page, f"{speeds}.every((one) => one === 0)")
        pad.focus()
        page.keyboard.down("ArrowLeft")
        until(page, f"{speeds}[0] < 0 && {speeds}[1] > 0")
        page.keyboard.up("ArrowLeft")
        until(page, f"{speeds}.every((one) => one === 0)")
        lamp = page.get_by_role("switch", name="led0")
        lamp.click()
        until(page, "document.querySelector('[role=switch]').getAttribute('aria-checked') === 'true'")
        picture(page, "workbench_drive")


def test_pictures_are_panels(visit: Visit):
    with run(ROOT / "worlds" / "ball_seeker.wbt") as on:
        page = opened(visit, on.url)
        page.get_by_role("button", name="Show the picture of camera").click()
        page.wait_for_selector(".picture-panel img:visible")
        until(page, "document.querySelector('.picture-panel img').naturalWidth > 10")
        picture(page, "workbench_camera")


def test_a_run_that_has_ended_shows_its_result(visit: Visit):
    with run(FOUR_WHEELS, "--duration", "2") as on:
        page = opened(visit, on.url)
        page.wait_for_selector(".status:has-text('run ended: ')")
        assert "exit code 0" in page.locator(".status").inner_text()
        assert page.get_by_role("button", name="Add a panel").is_enabled()
        assert page.locator("#play").is_disabled()


def test_all_tools_of_a_plot_are_in_sight(visit: Visit):
    """Also in a column of 340 pixels, as in a new layout."""
    inside = """() => {
      const tools = [...document.querySelectorAll('.panel-tools')].find((one) => one.querySelector('.pick'));
      const {left, right} = tools.getBoundingClientRect();
      return [...tools.querySelectorAll('input, select, button:not([hidden])')].map((one) => {
        const box = one.getBoundingClientRect();
        return box.left >= left - 1 && box.right <= right + 1 && box.width >= 24;
      });
    }"""
    with run(FOUR_WHEELS) as on:
        page = opened(visit, on.url)
        page.set_viewport_size({"width": 1240, "height": 900})
        page.wait_for_selector(".panel-tools .pick")
        assert page.evaluate(inside) == [True] * 4


def test_a_phone_shows_one_panel_at_a_time(chromium: Any):
    visit = Visit(chromium, is_mobile=True, has_touch=True)
    with run(FOUR_WHEELS) as on:
        page = opened(visit, on.url)
        page.set_viewport_size({"width": 390, "height": 780})
        page.get_by_role("tab", name="Devices").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.locator("[role=tabpanel]:visible").count() == 1
        assert page.locator("[role=tabpanel]:visible").bounding_box()["height"] > 500
        assert page.locator(".row:visible").count() > 5
        picture(page, "workbench_phone")
    visit.context.close()
    assert not visit.errors


def test_a_layout_is_saved_and_loaded_as_a_file(visit: Visit, tmp_path: Path):
    panels = "[...window.page.bench.dock.panels.keys()].sort().join()"
    with run(ROOT / "worlds" / "epuck_arena.wbt", "--no-controllers") as on:
        page = opened(visit, on.url)
        page.get_by_label("Add a panel").click()
        page.get_by_role("menuitem", name="Drive").click()
        own = page.evaluate(panels)
        assert "drive:" in own
        page.get_by_label("Add a panel").click()
        with page.expect_download() as saving:
            page.get_by_role("menuitem", name="Save the layout as a file").click()
        file = tmp_path / saving.value.suggested_filename
        saving.value.save_as(file)
        page.get_by_label("Add a panel").click()
        page.get_by_role("menuitem", name="Reset the layout").click()
        until(page, f"!{panels}.includes('drive:')")
        wrong = tmp_path / "wrong.json"
        wrong.write_text('{"tree": {"tabs": [7]}, "panels": 1}')
        said: list[str] = []
        page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.accept()))
        for name in (wrong, file):
            page.get_by_label("Add a panel").click()
            with page.expect_file_chooser() as choosing:
                page.get_by_role("menuitem", name="Load a layout").click()
            choosing.value.set_files(name)
        until(page, f"{panels} === '{own}'")
        assert said == ["This file is not a layout of the workbench."]


def test_a_gamepad_drives_wheels(visit: Visit):
    """The stick is pushed to half of its way forward; a real one rests a little beside its middle."""
    visit.context.add_init_script(
        "window.axes = [0.05, 0.02]; navigator.getGamepads = () => [null, {axes: window.axes}];"
    )
    with run(ROOT / "worlds" / "epuck_arena.wbt", "--no-controllers") as on:
        page = opened(visit, on.url)
        page.get_by_label("Add a panel").click()
        page.get_by_role("menuitem", name="Drive").click()
        page.get_by_label("Gamepad").check()
        motors = f"{STATES}[0].devices.filter((one) => one.kind === 'motor').map((one) => one.tag)"
        speeds = f"{motors}.map((tag) => {STATES}[0].state.acts[tag].velocity)"
        page.evaluate("window.axes = [0, -0.5]")
        until(page, f"{speeds}.every((one) => one === 1.57)")  # half of the largest speed, 3.14 rad/s
        page.evaluate("window.axes = [0.05, 0.02]")
        until(page, f"{speeds}.every((one) => one === 0)")


def test_a_plot_shows_its_signals_against_each_other_their_values_and_frequencies(
    visit: Visit, project: Project
):
    project.write(robot("r", "<none>", children='GPS { } Gyro { } DistanceSensor { name "eye" }'))
    with run(project.world, "--mode", "realtime") as on:
        page = opened(visit, on.url)
        page.evaluate(
            f"""() => {{
              const {{source}} = window.page;
              const store = new source.store.constructor();
              for (let i = 0; i < 400; i += 1) {{
                store.add(i / 50, [['r/one', Math.sin(i / 10)], ['r/two', Math.cos(i / 10)]]);
              }}
              {PLOT}.source = Object.create(source, {{store: {{value: store}}, time: {{value: 8}}}});
              {PLOT}.toggle([...{PLOT}.signals]);
              {PLOT}.toggle(['r/one', 'r/two']);
            }}"""
        )
        kind = page.get_by_label("Kind of Plot")
        for name, length in (("xy", 400), ("histogram", 5), ("spectrum", 200)):
            kind.select_option(name)
            until(page, f"{PLOT}.plot?.data.at(-1).flat().length >= {length}")
            until_drawn(page, ".curves canvas")
            picture(page, f"plot_{name}")
        page.reload()
        until(page, f"{STATES}?.[0]?.state")
        assert kind.input_value() == "spectrum", "what is chosen stays"
