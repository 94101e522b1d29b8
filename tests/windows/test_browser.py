"""Windows in a real browser: made from worlds of the package, and of projects written for Webots."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.controllers.project import Project, robot
from tests.windows.browser import ROOT, run
from tests.windows.test_simulation_handler import KEYS
from tests.windows.visit import ABOVE, Visit, from_above, generic, is_drawn, picture, state, until

pytestmark = pytest.mark.browser
BOSS = """
from controller import Supervisor
boss = Supervisor()
while boss.step(16) != -1:
    if boss.getCustomData() == 'now':
        boss.setCustomData('')
        children = boss.getRoot().getField('children')
        children.importMFNodeFromString(-1, 'Robot { name "late" controller "<none>" }')
"""

FOUR_WHEELS = ROOT / "worlds" / "four_wheel_robot.wbt"
EPUCK = ROOT / "worlds" / "epuck_arena.wbt"


def test_the_window_of_the_four_wheeled_robot(visit: Visit):
    """A sensor and its plot, a motor and the robot that moves, stop, recording."""
    with run(FOUR_WHEELS) as on:
        page = generic(visit, on, "four-wheel robot")
        page.check("#enable-2")
        page.wait_for_selector("#device-2 canvas")
        assert state(page, "now.own") == [2]
        page.locator("#device-2 .plot").scroll_into_view_if_needed()
        card = "cards.find((one) => one.device.tag === 2)"
        until(page, f"window.page.{card}.plot.plot?.data[0].length > 20")
        first = state(page, f"{card}.plot.plot.data[1].at(-1)")
        until(page, f"Math.abs(window.page.{card}.plot.plot.data[1].at(-1) - {first}) > 0.2")
        assert is_drawn(page, "#device-2 canvas")
        assert page.locator("#device-1 input[type=range]").first.is_disabled()
        page.click("#control")
        until(page, "window.page.now.driver === 'window'")
        page.click("#stop")
        until(page, "window.page.now.acts[1].velocity === 0")
        page.click("#record")
        start = state(page, "now.acts[1].at")
        page.locator("#device-1 input[type=range]").first.fill("8")
        until(page, f"window.page.now.acts[1].at > {start} + 2")
        page.click("#stop")
        until(page, "window.page.now.acts[1].velocity === 0")
        until(page, "!document.querySelector('#download').disabled")
        with page.expect_download() as download:
            page.click("#download")
        header, *rows = Path(download.value.path()).read_text("utf-8").splitlines()
        assert header.startswith("time,front left motor.position")
        at = [float(row.split(",")[1]) for row in rows]
        assert len(rows) > 10 and max(at) > at[0] + 2
        page.evaluate("scrollTo(0, 0)")
        picture(page, "window_four_wheels")
        page.click("#control")
        until(page, "window.page.now.driver === 'controller'")


def test_the_robot_moves_in_the_world_when_a_slider_is_moved(visit: Visit):
    with run(EPUCK, "--no-controllers") as on:
        page = generic(visit, on, "e-puck")
        above = from_above(visit.open(on.url))
        before = above.evaluate(f"{ABOVE}.places.robots[0]")
        assert state(page, "now.driver") == "nobody"
        page.bring_to_front()
        for name in ("left", "right"):
            page.get_by_label(f"{name} wheel motor velocity").fill("3.14")
        until(
            above,
            f"Math.hypot({ABOVE}.places.robots[0][0] - {before[0]}, "
            f"{ABOVE}.places.robots[0][1] - {before[1]}) > 0.01 || "
            f"Math.abs({ABOVE}.places.robots[0][2] - {before[2]}) > 0.3",
        )


def test_the_window_of_the_epuck_in_two_pages(visit: Visit):
    with run(EPUCK) as on:
        one, two = (generic(visit, on, "e-puck") for _ in range(2))
        one.click("#enable-all")
        until(two, "window.page.now.own.length > 5")
        two.click("#control")
        until(one, "window.page.now.driver === 'window'")
        two.close()
        one.wait_for_selector("#driver:has-text('You drive')")
        until(one, "window.page.run.time > 2")
        assert is_drawn(one, "canvas.square")
        one.locator("h2:text-is('accelerometer')").scroll_into_view_if_needed()
        one.wait_for_selector(".u-wrap canvas")
        one.evaluate("scrollTo(0, 0)")
        until(one, "window.page.cards.some((card) => card.plot?.plot)")
        one.locator("h2:text-is('accelerometer')").scroll_into_view_if_needed()
        until(one, "window.page.cards.filter((card) => card.plot?.plot).length >= 6")
        picture(one, "window_plots")


def test_plots_stand_still_and_show_all_when_they_go_on(visit: Visit):
    with run(EPUCK) as on:
        page = generic(visit, on, "e-puck")
        plot = "window.page.cards.find((one) => one.device.name === 'ps0').plot"
        until(page, plot)
        page.evaluate(f"{plot}.holder.scrollIntoView({{block: 'center'}})")
        until(page, f"{plot}.plot && {plot}.data[0].length > 10")
        page.click("#freeze")
        axis, count = page.evaluate(f"[{plot}.plot.scales.x.max, {plot}.data[0].length]")
        until(page, f"{plot}.data[0].length > {count} + 10")
        assert page.evaluate(f"{plot}.plot.scales.x.max") == axis
        page.select_option("#span", "5")  # what stands still can be looked at more closely, also in a pause
        page.click("#play")
        until(page, f"{plot}.plot.scales.x.min === Math.max(0, {axis} - 5)")
        full = page.evaluate(f"{plot}.plot.scales.y.max")
        page.select_option("#scale", "fit")
        until(page, f"{plot}.plot.scales.y.max < {full} / 2")
        page.click("#freeze")
        until(page, f"{plot}.plot.scales.x.max > {axis}")
        times = page.evaluate(f"{plot}.data[0]")
        assert max(later - one for one, later in zip(times, times[1:], strict=False)) < 1


def test_a_curve_ends_where_values_are_missing(visit: Visit):
    with run(EPUCK) as on:
        page = generic(visit, on, "e-puck")
        card = "window.page.cards.find((one) => one.device.name === 'accelerometer')"
        missing = f"{card}.plot.data[1].filter((one) => one === null).length"
        page.evaluate(f"{card}.enable(true)")
        until(page, f"{card}.plot?.data[0].length > 5")
        assert page.evaluate(missing) == 0
        page.evaluate(f"{card}.enable(false)")
        until(page, f"{card}.value === undefined")
        page.evaluate(f"{card}.enable(true)")
        until(page, f"{missing} === 1")
        page.evaluate("window.page.live.socket.close()")
        until(page, f"{missing} === 2 && {card}.plot.data[1].at(-1) !== null")
        times = page.evaluate(f"{card}.plot.data[0]")
        assert times == sorted(times)


def test_a_page_of_a_robot_that_is_not_there_leads_to_those_that_are(visit: Visit):
    with run(ROOT / "worlds" / "two_robots.wbt") as on:
        visit.open(on.url)
        page = visit.open(on.window("generic", "nobody"))
        page.wait_for_selector("h1:text-is('Robot “nobody” not found')")
        page = visit.open(on.window("generic", "folower"))
        page.wait_for_selector(".robot")
        names = page.locator(".robot b").all_text_contents()
        assert names[0] == "follower" and len(names) == 2
        page.click(".robot a")
        page.wait_for_selector("h1:text-is('follower')")
        until(page, "window.page?.now")
        page.goto(on.window("generic", ""))
        page.wait_for_selector("h1:text-is('Choose a robot')")
    with run(FOUR_WHEELS) as on:
        visit.open(on.url)
        page = visit.open(on.window("generic", "nobody"))
        page.wait_for_selector("h1:text-is('Robot “nobody” not found')")
        page = visit.open(on.window("generic", ""))  # there is only one that can be meant
        page.wait_for_selector("h1:text-is('four-wheel robot')")


def test_keys_pressed_in_the_page_reach_the_controller(visit: Visit, tmp_path: Path):
    project = Project(tmp_path / "project")
    with run(project.write(robot("a", "keys"), keys=KEYS)) as on:
        page = generic(visit, on, "a")
        page.check("#keys")
        page.keyboard.down("ArrowLeft")
        until(page, "window.page.now.customData === '314'")
        page.keyboard.up("ArrowLeft")
        page.keyboard.down("w")
        until(page, "window.page.now.customData === '87'")


def test_a_page_finds_back_after_a_restart(visit: Visit):
    with run(FOUR_WHEELS) as on:
        page = generic(visit, on, "four-wheel robot")
        until(page, "window.page.run.time > 1")
    page.wait_for_selector(".status[data-state=ended]:has-text('run ended: ended by SIGTERM')")
    page.evaluate("window.page.run = null; window.isTheSame = true")
    with run(FOUR_WHEELS, "--port-windows", str(on.port)):
        page.wait_for_selector("[data-state=connected]")
        assert page.locator("#play").is_enabled()
        until(page, "window.page.run?.time > 0")
        assert page.evaluate("window.isTheSame")  # it was not loaded again


def test_the_page_fits_a_phone_and_needs_few_requests(chromium: Any):
    phone = Visit(chromium, color_scheme="dark", is_mobile=True)
    with run(EPUCK) as on:
        page = generic(phone, on, "e-puck")
        page.set_viewport_size({"width": 390, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.reload()
        until(page, "window.page?.now && document.querySelector('.time').textContent.includes(' s')")
        sizes = page.evaluate("performance.getEntriesByType('resource').map((file) => file.encodedBodySize)")
        assert len(sizes) <= 8 and sum(sizes) < 60_000
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)"
        picture(page, "window_phone")
    phone.context.close()


def test_two_fingers_zoom_the_world_and_one_moves_it(chromium: Any):
    phone = Visit(chromium, is_mobile=True, has_touch=True)
    with run(FOUR_WHEELS) as on:
        page = from_above(phone.open(on.url))
        box = page.locator("canvas.top-view").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        wire = phone.context.new_cdp_session(page)

        def touch(kind: str, *places: tuple[float, float]) -> None:
            points = [{"x": a, "y": b, "id": i} for i, (a, b) in enumerate(places)]
            wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", (x - 30, y), (x + 30, y))
        for apart in (45, 60, 75, 90):
            touch("touchMove", (x - apart, y), (x + apart, y))
        touch("touchEnd")
        until(page, f"Math.abs({ABOVE}.zoom - 3) < 0.01 && {ABOVE}.fingers.size === 0")
        before = page.evaluate(f"{ABOVE}.shift")
        touch("touchStart", (x, y))
        touch("touchMove", (x + 40, y + 20))
        touch("touchEnd")
        until(page, f"{ABOVE}.shift[0] === {before[0]} + 40")
        assert page.evaluate(f"{ABOVE}.shift") == [before[0] + 40, before[1] + 20]
    assert not phone.errors
    phone.context.close()


def test_all_can_be_reached_by_the_keyboard(visit: Visit):
    with run(FOUR_WHEELS) as on:
        page = generic(visit, on, "four-wheel robot")
        page.focus("#control")
        page.keyboard.press("Enter")
        until(page, "window.page.now.driver === 'window'")
        page.locator("#device-1 input[type=range]").first.focus()
        page.keyboard.press("Home")
        until(page, "window.page.now.acts[1].velocity === -20")
        nameless = page.evaluate(
            "[...document.querySelectorAll('button, input, select')].filter((one) => "
            "!one.textContent.trim() && !one.ariaLabel && !one.labels?.length && !one.title).length"
        )
        assert nameless == 0


# Windows made for Webots.

WWI = """
from controller import Robot
robot = Robot()
robot.wwiSendText('said before')
while robot.step(16) != -1:
    text = robot.wwiReceiveText()
    while text:
        robot.wwiSendText('got ' + text)
        text = robot.wwiReceiveText()
"""
NEW_PAGE = """<!DOCTYPE html>
<html><head><script type="module">
import RobotWindow from 'https://cyberbotics.com/wwi/R2023b/RobotWindow.js';
window.robotWindow = new RobotWindow();
window.robotWindow.setTitle('My window');
window.robotWindow.receive = function(message, robot) {
  document.querySelector('#out').innerHTML += robot + ': ' + message + '<br>';
};
</script></head><body><p id="out"></p>
<button onclick="window.robotWindow.send('a &quot;b&quot; \\\\ c')">send</button></body></html>
"""
OLD_PAGE = """<html><body><p id="out"></p>
<script src="qwebchannel.js"></script>
<script>
window.onload = function() {
  window.robotWindow = webots.window('old');
  window.robotWindow.setTitle('My window', 'tab');
  window.robotWindow.receive = function(message, robot) {
    document.querySelector('#out').innerHTML += robot + ': ' + message + '<br>';
  };
  window.robotWindow.send('loaded', 'a');
};
</script><button onclick="window.robotWindow.send('a &quot;b&quot; \\\\ c')">send</button></body></html>
"""


@pytest.mark.parametrize(("name", "text"), [("new", NEW_PAGE), ("old", OLD_PAGE)])
def test_windows_made_for_webots_work_as_they_are(visit: Visit, tmp_path: Path, name: str, text: str):
    project = Project(tmp_path / "project")
    world = project.write(robot("a", "wwi", f'window "{name}"'), wwi=WWI)
    folder = project.folder / "plugins" / "robot_windows" / name
    folder.mkdir(parents=True)
    (folder / f"{name}.html").write_text(text)
    with run(world) as on:
        workbench = visit.open(on.url)
        workbench.get_by_role("button", name="More about a").click()
        workbench.get_by_role("menuitem", name=f"Window “{name}”").click()
        panel = workbench.frame_locator("iframe.window-panel")
        panel.locator("#out:has-text('a: said before')").wait_for()
        panel.locator("button").click()
        panel.locator("#out:has-text('a: got a \"b\" \\\\ c')").wait_for()
        other = visit.open(on.window(name, "a"))
        other.wait_for_function("document.title === 'My window'")
        other.click("button")
        until(other, "document.querySelector('#out').textContent.split('got a').length >= 2")


def test_a_class_of_robots(visit: Visit, project: Project):
    """The world stays in sight beside the list, each button says whose it is; a robot may have nothing."""
    robots = [robot(f"robot {number}", "<none>", f"translation {number} 0 0") for number in range(30)]
    project.write(
        *robots,
        robot("", "<none>"),
        robot("long " * 30, "<none>", children="HingeJoint { device Brake { } endPoint Solid { } }"),
    )
    with run(project.world) as on:
        page = from_above(visit.open(on.url))
        assert page.locator("canvas.top-view").bounding_box()["y"] < 700
        assert page.get_by_role("button", name="More about robot 3", exact=True).count() == 1
        page.get_by_label("Find a device").fill("(no")
        page.wait_for_selector("text=No device has this name.")
        page.get_by_label("Find a device").fill("")
        assert page.locator("text=no devices").last.is_visible()
        assert page.get_by_role("button", name="Stop all motors of (no name)").count() == 0
        page.get_by_label("Find a device").fill("brake")
        assert page.locator(".branch:visible").count() == 1
        page = visit.open(on.window("generic", quote("long " * 30)))
        page.wait_for_selector("text=damping constant")
        assert page.locator("h1").bounding_box()["height"] < 70
        assert page.locator("#stop").is_visible()


def test_a_robot_that_comes_is_shown_and_takes_nothing_from_the_others(visit: Visit, project: Project):
    """The workbench has it; the page of another robot goes on with what it has recorded."""
    project.write(robot("boss", "boss", "supervisor TRUE"), boss=BOSS)
    with run(project.world) as on:
        workbench = visit.open(on.url)
        page = generic(visit, on, "boss")
        page.evaluate("window.kept = true")
        workbench.evaluate("window.kept = true")
        page.fill("#custom", "now")
        page.press("#custom", "Enter")
        workbench.get_by_role("button", name="late", exact=True).wait_for()
        assert workbench.evaluate("window.kept")
        passed = state(page, "run.time")
        until(page, f"window.page.run.time > {passed}")
        assert page.evaluate("window.kept")


def test_the_view_from_above_follows_a_robot_that_drives_away(visit: Visit):
    """The road of the car's world is larger than what is shown at first."""
    with run(ROOT / "worlds" / "car.wbt") as on:
        page = from_above(visit.open(on.url))
        follow = page.get_by_label("Follow a robot from above")
        assert follow.input_value() == "-1"
        until(page, f"{ABOVE}.followed === 0")
        assert follow.input_value() == "0"
        until(page, f"{ABOVE}.trails[0].length > 20")
        assert is_drawn(page, "canvas.top-view")
        picture(page, "overview_car")
        follow.select_option("-1")
        until(page, f"{ABOVE}.places.robots[0][0] > {ABOVE}.limits[2]")
        assert page.evaluate(f"{ABOVE}.followed") == -1  # as was chosen
        page.click("#play")
        page.click("#reset")
        until(page, f"{ABOVE}.trails[0].length <= 1")


def test_the_view_from_above_shows_the_line_on_the_floor(visit: Visit):
    """Black on white: pixels of the floor's texture are seen in the page."""
    with run(ROOT / "worlds" / "line_following.wbt", "--no-controllers") as on:
        page = from_above(visit.open(on.url))
        until(page, f"{ABOVE}.painting.pictures[0].naturalWidth > 0 && !{ABOVE}.isDirty")
        colors = page.evaluate(
            """() => {
              const {canvas, limits: [left, bottom, right, top]} = window.page.bench.panels.get('above').view;
              const scale = Math.min(canvas.width / (right - left), canvas.height / (top - bottom));
              const at = (x, y) => [...canvas.getContext('2d').getImageData(
                canvas.width / 2 + (x - (left + right) / 2) * scale,
                canvas.height / 2 - (y - (bottom + top) / 2) * scale, 1, 1).data.slice(0, 3)];
              return [at(0, 0), at(0.3, 0.44)];
            }"""
        )
        floor, line = (sum(one) for one in colors)
        assert floor > 700 and line < 120


def test_a_page_tells_how_the_run_has_ended(visit: Visit):
    with run(EPUCK, "--duration", "3") as on:
        page = generic(visit, on, "e-puck")
        page.wait_for_selector(".status:has-text('run ended: ')")
        status = page.locator(".status").inner_text()
        assert "(exit code 0)" in status
        assert page.locator(".status").get_attribute("data-state") == "ended"
        for selector in ("#play", "#step", "#reset", "#control", "#stop", "#enable-all"):
            assert page.locator(selector).is_disabled(), selector
        assert page.locator("#freeze").is_enabled()
        assert page.get_by_title("Dark or light").is_enabled()


def test_a_page_tells_that_the_run_was_killed(visit: Visit):
    with run(EPUCK) as on:
        page = generic(visit, on, "e-puck")
        on.process.kill()
        page.wait_for_selector(".status:has-text('run ended: wbridge ended unexpectedly')")
        on.process.wait()


def test_readings_from_before_a_reset_are_gone(visit: Visit):
    """The world is paused: no new reading takes their place."""
    with run(EPUCK, "--no-controllers") as on:
        page = generic(visit, on, "e-puck")
        page.click("#enable-all")
        until(page, "window.page.rays.some((one) => one.value !== null)")
        page.click("#play")
        until(page, "window.page.run.mode === 0")
        page.click("#reset")
        until(page, "window.page.run.time === 0 && window.page.rays.every((one) => one.value === null)")
