"""Named values that controllers print (">name:value") are curves of the workbench, live and in recordings.

Judge: the controller's own formula for the values.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.controllers.project import Project, robot
from tests.windows.browser import run
from tests.windows.visit import Visit, until
from wbridge.main import main

pytestmark = pytest.mark.browser
PLOT = "window.page.bench.panels.get('plot:1')"
TELLER = """
from controller import Robot
from wbridge.telemetry import telemetry
robot = Robot()
print("hello")
print("a->b:1")
while robot.step(16) != -1:
    telemetry("clock", 2 * robot.getTime())
    telemetry("lost", float("nan"))
"""


def test_values_become_curves_while_a_controller_runs(visit: Visit, project: Project):
    project.write(robot("r", "teller"), robot("quiet", "<none>"), teller=TELLER)
    with run(project.world) as on:
        page = visit.open(on.url)
        key = "r/telemetry clock"
        until(page, f"window.page?.source?.store.column('{key}').filter((one) => one != null).length > 20")
        assert key in page.evaluate(f"{PLOT}.signals"), "nobody has chosen anything: they are plotted"
        until(page, f"{PLOT}.plot?.data[1].filter((one) => one != null).length > 20")
        store = "window.page.source.store"
        times, values = page.evaluate(f"[{store}.times, {store}.column('{key}')]")
        pairs = [(time, value) for time, value in zip(times, values, strict=True) if value is not None]
        late = [2 * time - value for time, value in pairs]
        assert max(late) < 1 and min(late) > -1, "a page is told the newest values a few times per second"
        branch = page.get_by_role("region", name="r", exact=True)
        assert branch.get_by_text("Telemetry").count() == 1
        lines = page.locator(".log li:visible").all_inner_texts()
        assert any("hello" in one for one in lines) and any("a->b:1" in one for one in lines)
        assert not any(">clock" in one for one in lines)
        assert page.evaluate(f"{PLOT}.source.label('{key}')") == "r clock"


def test_a_recording_has_the_curves(visit: Visit, project: Project, tmp_path: Any):
    project.write(robot("r", "teller"), teller=TELLER)
    place = tmp_path / "run.html"
    assert main(["-q", "run", str(project.world), "--duration", "2", "--record", str(place)]) == 0
    page = visit.open(place.as_uri())
    until(page, "document.documentElement.dataset.ready")
    store = "window.recording.bench.source.store"
    times, values = page.evaluate(f"[[...{store}.times], {store}.column('r/telemetry clock')]")
    known = [(time, value) for time, value in zip(times, values, strict=True) if value is not None]
    for (time, value), (_, later) in zip(known, known[1:], strict=False):
        assert value <= 2 * time + 1e-6, "lines come later than they were printed, never sooner"
        assert value / 0.032 == pytest.approx(round(value / 0.032)) and later >= value
    assert known[-1][1] > 1
    assert all(one is None for one in page.evaluate(f"{store}.column('r/telemetry lost')"))
