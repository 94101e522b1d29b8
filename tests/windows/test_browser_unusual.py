"""Pages of robots that are not as most are: names, number of devices, endless motors, long recordings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.controllers.project import Project, robot
from tests.windows.browser import ROOT, run, started
from tests.windows.visit import ABOVE, Visit, from_above, generic, is_drawn, state, until
from tests.windows.wire import WiredRobot

pytestmark = pytest.mark.browser

FOUR_WHEELS = ROOT / "worlds" / "four_wheel_robot.wbt"
SENSOR_NAMES = [
    "<b>bold</b><img src=x onerror=alert(1)>",
    'it\'s "quoted", & more',
    "Größe 数",
    "time",
    "x" * 90,
]
RGB = 'LED { name "rgb" gradual TRUE color [ ] } '
REACHES_FAR = """
HingeJoint {
  device [ RotationalMotor { name "wheel" } Brake { name "brake" } ]
  endPoint Solid { translation 7 0 0 boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } }
}
"""


def _device(kind: str, name: str) -> str:
    text = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'{kind} {{ name "{text}" }} '


def _unusual(project: Project) -> Path:
    sensors = [_device("DistanceSensor", one) for one in SENSOR_NAMES]
    sensors += [_device("TouchSensor", f"touch {number}") for number in range(100)]
    children = "".join(sensors) + _device("Emitter", "out") + _device("Receiver", "in") + RGB + REACHES_FAR
    return project.write(
        robot("many", "<none>", children=children),
        robot("twin", "<none>", "translation 1 0 0", _device("LED", "first")),
        robot("twin", "<none>", "translation 2 0 0", _device("LED", "second")),
    )


def test_robots_that_are_not_as_most_are(visit: Visit, project: Project):
    with run(_unusual(project)) as on:
        workbench = from_above(visit.open(on.url))
        left, bottom, right, top = workbench.evaluate(f"{ABOVE}.limits")
        assert left <= 0 and right >= 7.05  # all of the long arm is in sight
        assert right - left < 9 and top - bottom < 2
        until(workbench, f"!{ABOVE}.isDirty")
        assert is_drawn(workbench, "canvas.top-view")
        # Robots of one name have branches of their own.
        for place, device in enumerate(("first", "second"), 1):
            workbench.get_by_label("Find a device").fill(device)
            workbench.get_by_role("switch", name=device).click()
            until(workbench, f"window.page.source.robots[{place}].state?.acts[1].value === 1")
        page = visit.open(
            f"http://127.0.0.1:{on.port}/robot_windows/generic/generic.html?name={quote('many')}"
        )
        until(page, "window.page?.now")
        # Names are texts.
        told = page.locator("h2").all_inner_texts()
        assert set(SENSOR_NAMES) <= set(told)
        assert page.locator("main b b, main img").count() == 0
        assert page.locator("label:has-text('damping constant Nms')").count() == 1
        assert page.locator("text=Not shown here").count() == 0
        page.wait_for_selector("text=packets: see Messages")
        # A lamp of any color.
        page.locator("input[type=color]").fill("#ff8000")
        until(page, "window.page.now.acts[108].value === 0xff8000")
        page.wait_for_selector("#device-108 .dim:text-is('#ff8000')")
        assert page.locator("#device-108 .lamp").get_attribute("style") == "background: rgb(255, 128, 0);"
        # A hundred sensors; only those in sight are drawn, and nothing is old.
        page.click("#enable-all")
        until(page, "Object.keys(window.page.now.values).length > 100")
        last = "cards.find((one) => one.device.name === 'touch 99')"
        until(page, f"window.page.{last}.value !== undefined")
        assert not state(page, f"{last}.isInSight") and not state(page, f"{last}.plot.plot")
        page.wait_for_selector(
            "section:has(h2:text-is('touch 99')) .value b:text-is('0.000')", state="attached"
        )
        page.locator("h2:text-is('touch 99')").scroll_into_view_if_needed()
        until(page, f"window.page.{last}.isInSight && window.page.{last}.plot.plot")
        # The names of columns, too, are quoted where they must be.
        page.evaluate("scrollTo(0, 0)")
        page.click("#record")
        until(page, "window.page.recorder.rows.length > 5")
        page.click("#record")
        head, *rows, end = "".join(page.evaluate("window.page.recorder.lines()")).split("\n")
        assert end == "" and len(rows) > 5
        assert head.startswith("time,wheel.position") and '"it\'s ""quoted"", & more"' in head
        assert all(row.count(",") == rows[0].count(",") for row in rows)


def test_a_wheel_that_has_turned_far_is_set_from_where_it_is(visit: Visit):
    with run(FOUR_WHEELS, "--no-controllers") as on:
        page = generic(visit, on, "four-wheel robot")
        page.get_by_label("front left motor velocity").fill("20")
        until(page, "window.page.now.acts[1].at > 10")
        page.click("#stop")
        until(page, "window.page.now.acts[1].velocity === 0")
        slider = page.get_by_label("front left motor position")
        middle = "window.page.cards[0].middle"
        until(page, f"Math.abs({middle} - window.page.now.acts[1].at) < 0.1")
        low, high = (float(slider.get_attribute(one) or "nan") for one in ("min", "max"))
        at = state(page, "now.acts[1].at")
        assert low < at < high and high - low == pytest.approx(2 * 3.14159265)
        slider.focus()
        page.keyboard.press("End")
        until(page, f"Math.abs(window.page.now.acts[1].position - {high}) < 0.1")
        until(page, f"window.page.now.acts[1].at > {at} + 1")  # onwards, not back to where it began


def test_a_recording_is_full_before_the_memory_is(visit: Visit):
    with WiredRobot() as far, started("window", far.url) as on:
        page = visit.open(on.url)
        told: dict[str, Any] = page.evaluate(
            """async () => {
              const {Recorder} = await import('/pages/js/recorder.js');
              const few = new Recorder('a'), many = new Recorder('b');
              few.toggle();
              many.toggle();
              const columns = Array.from({length: 999}, (_, i) => [`c${i}`, i]);
              for (let i = 0; i < 200000; i++) few.add(i, i < 10 ? [] : [['c', i]]);
              for (let i = 0; i < 20000; i++) many.add(i, columns);
              for (const one of [few, many]) one.draw();
              const size = (one) => [one.rows.length, one.isOn, one.note.textContent, one.button.textContent];
              const lines = few.lines();
              return {few: size(few), many: size(many), first: lines.slice(2, 4), tenth: lines[12]};
            }"""
        )
    full = "rows: limit reached, recording stopped"
    assert told["few"] == [100_000, False, f"100000 {full}", "Record"]
    assert told["many"] == [5_000, False, f"5000 {full}", "Record"]
    assert (told["first"], told["tenth"]) == (["0,\n", "1,\n"], "10,10\n"), json.dumps(told)


def test_what_an_infrared_sensor_reads_is_shown_where_it_is(visit: Visit):
    """Too near, such a sensor reads less again: the value of a free way is no obstacle at the robot."""
    table = [[0, 0, 0], [0.1, 600, 0], [0.4, 150, 0], [0.8, 50, 0]]
    values = [50, 100, 150, 375, 600, 700, 40, 0]
    ways = [[[0, 0, 0], [2, 200, 0], [4, 200, 0]], [[0, 9, 0], [4, 150, 0], [5, 150, 0]], [[1, 7, 0]], []]
    with WiredRobot() as far, started("window", far.url) as on:
        told = visit.open(on.url).evaluate(
            """async ([table, values, ways]) => {
              const {distanceOf} = await import('/pages/js/instruments.js');
              const seen = values.map((one) => distanceOf(table, one));
              return [...seen, ...ways.map((one) => distanceOf(one, 150))];
            }""",
            [table, values, ways],
        )
    # Lines between the rows from the peak on; what is beyond their ends is there.
    assert told == pytest.approx([0.8, 0.6, 0.4, 0.25, 0.1, 0.1, 0.8, 0.8, 1.5, 5, 1, 150], abs=1e-9)


def test_vectors_without_a_value_are_no_vectors_of_zeros(visit: Visit):
    with WiredRobot() as far, started("window", far.url) as on:
        told = visit.open(on.url).evaluate(
            """async () => {
              const {SensorCard} = await import('/pages/js/sensors.js');
              const table = {devices: []};
              const kept = {direction: 'sense', period: 'p', shape: [], unit: ''};
              const channels = [{name: 'value', type: 'quaternion', ...kept}];
              const device = {tag: 1, name: 'imu', type: 'InertialUnit', constants: {}, channels};
              const card = new SensorCard(device, {robot: {table}, isYUp: false});
              return [[0, 0, 0, 1], [null, null, null, null]].map((value) => {
                card.show({periods: {1: 16}, own: [1], values: {1: {value}}}, 1, false);
                card.draw(1, 10, false);
                return card.texts.map((one) => one.textContent);
              });
            }"""
        )
    assert told == [["0.000"] * 3, ["–"] * 3]


def test_an_enlarged_page_leaves_room_for_what_it_shows(visit: Visit):
    with run(FOUR_WHEELS) as on:
        page = generic(visit, on, "four-wheel robot")
        page.set_viewport_size({"width": 640, "height": 450})  # 1280 x 900 at 200 %
        assert page.evaluate("document.documentElement.scrollWidth") <= 640
        page.locator("h2:text-is('ir left')").scroll_into_view_if_needed()
        assert page.locator(".top").bounding_box()["y"] < -100  # it has gone
        box = page.locator("#stop").bounding_box()
        assert box["y"] > 0 and box["y"] + box["height"] <= 450


SENDS = """
from controller import Robot
robot = Robot()
emitter = robot.getDevice('out')
print('hello from the controller', flush=True)
while robot.step(16) != -1:
    emitter.send(bytes(range(20)))
"""
ENDLESS = """HingeJoint { device RotationalMotor { name "wheel" maxVelocity 1e308 maxTorque 1e300 }
  endPoint Solid { boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } } }"""


def test_packets_do_not_drown_what_controllers_print(visit: Visit, project: Project):
    world = project.write(robot("a", "sends", children=_device("Emitter", "out")), sends=SENDS)
    with run(world) as on:
        page = generic(visit, on, "a")
        until(page, "window.page.log.packets > 30")
        assert page.locator(".log li:has-text('hello from the controller')").count() == 1
        assert page.locator(".log li.packet").count() == 0
        page.check("#packets")
        page.wait_for_selector(".log li.packet:has-text('20 bytes')")


def test_huge_limits_fit_into_their_cards(visit: Visit, project: Project):
    with run(project.write(robot("a", "<none>", children=ENDLESS))) as on:
        page = generic(visit, on, "a")
        until(page, "window.page.cards[0].state")
        card = page.locator("#device-1")
        assert card.evaluate("(one) => one.scrollWidth <= one.clientWidth")
        texts = card.locator("output").all_inner_texts()
        assert max(len(one) for one in texts) < 16
        assert card.locator("input[type=range]").first.get_attribute("max") == "1000000"
