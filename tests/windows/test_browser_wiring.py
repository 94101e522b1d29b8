"""The hardware map as a form in a real browser; Python's form answers it as in a run inside of the page.

Judge: the map that the page downloads, read by `load_hardware`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.windows.browser import run
from tests.windows.test_browser_building import WORLD
from tests.windows.visit import Visit, picture, until
from wbridge.live.page_hardware import PageHardware
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.map.reading import load_hardware

pytestmark = pytest.mark.browser
ROBOT = Path(__file__).parents[2] / "worlds" / "two_wheels.wbt"
OPEN = """async () => {
  const {WiringPanel} = await import('/pages/live/wiring_panel.js');
  const inside = {mark: () => {}, ask: async (what, ...values) => {
    const [answer, problem] = await window.askPython(what, values);
    if (problem) throw new Error(problem);
    return answer;
  }};
  document.body.replaceChildren(new WiringPanel(inside).root);
  document.body.style.overflow = 'auto';
}"""
PANEL = "document.querySelector('.wiring-panel')"


@pytest.fixture
def page(visit: Visit, tmp_path: Path) -> Iterator[Any]:
    """A page with the form alone."""
    world = tmp_path / "empty.wbt"
    world.write_text(WORLD)
    with run(world) as on, Runner(load_world(ROBOT)) as runner:
        hardware = PageHardware(runner)

        def ask(what: str, values: list[Any]) -> tuple[str, str]:
            assert what == "form"
            try:
                return getattr(hardware, values[0])(*values[1:]), ""
            except ValueError as problem:
                return "", str(problem)

        opened = visit.open(on.url)
        opened.expose_function("askPython", ask)
        opened.evaluate(OPEN)
        until(opened, "document.querySelectorAll('#wiring-board option').length > 20")
        yield opened
        hardware.close()


def note(page: Any) -> str:
    return str(page.locator(".wiring-panel > .hint").inner_text())


def test_a_person_wires_a_robot(page: Any, tmp_path: Path) -> None:
    page.get_by_label("Board", exact=True).select_option("pico")
    until(page, f"{PANEL}.querySelectorAll('.wiring-device').length === 6")
    assert note(page) == "This map can be used."
    until(page, "document.querySelector('.wiring-picture').naturalWidth > 300")
    picture(page, "wiring_form", full_page=True)

    # a pin that another device has: both see it
    page.get_by_label("pin of status").select_option("GP2")
    until(page, f"{PANEL}.querySelectorAll('.wiring-problems .fault').length === 1")
    assert page.locator('[data-pin="GP2"]').get_attribute("data-use") == "twice"
    assert page.locator('[data-device="status"]').get_attribute("class") == "wiring-device wrong"
    assert page.locator("#save-program").is_disabled()
    picture(page, "wiring_conflict", full_page=True)

    # the field still has the focus, so that free pins can be chosen at the board
    page.get_by_label("pin of status").focus()
    assert page.locator(".wiring-pin.able").count() > 10
    page.locator('[data-pin="GP9"]').click()
    until(page, f"{PANEL}.querySelectorAll('.wiring-problems .fault').length === 0")
    assert page.get_by_label("pin of status").input_value() == '"GP9"'

    # another driver with parameters of its own
    page.get_by_label("Driver of front").select_option("ultrasonic")
    page.get_by_label("trigger of front").wait_for()
    page.get_by_label("counts of left wheel sensor").fill("720")
    page.get_by_label("counts of left wheel sensor").press("Enter")
    until(page, "document.querySelector('.wiring-text').value.includes('counts = 720')")
    with page.expect_download() as download:
        page.locator("#save-map").click()
    file = tmp_path / "hardware.toml"
    download.value.save_as(file)
    hardware = load_hardware(file, device_tables(load_world(ROBOT))[0], None, False)
    wirings = {wiring.device.name: wiring for wiring in hardware.wirings}
    assert wirings["status"].values["pin"] == "GP9"
    assert wirings["front"].driver.name == "ultrasonic"
    assert wirings["left wheel sensor"].values["counts"] == 720


def test_a_text_that_is_wrong_is_explained_at_its_place(page: Any) -> None:
    page.get_by_label("Board", exact=True).select_option("arduino-uno")
    until(page, f"{PANEL}.querySelectorAll('.wiring-device').length === 6")
    page.get_by_text("The map as text").click()
    area = page.locator(".wiring-text")
    area.fill(area.input_value().replace('driver = "gpio_led"', 'driver = "gpio_lad"'))
    page.locator("#use-map").click()
    until(page, f"{PANEL}.querySelectorAll('.wiring-problems .fault').length > 0")
    assert 'did you mean "gpio_led"' in page.locator(".wiring-problems").inner_text()
    page.locator('[data-pin="D2"]').click()
    assert note(page).startswith("Choose the field of a pin first")
