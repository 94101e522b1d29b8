"""Every page can be used by everybody: checked by axe-core, and with the keyboard alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import absent
from tests.windows.browser import ROOT, run
from tests.windows.visit import Visit, from_above, generic, until
from wbridge.main import main

pytestmark = pytest.mark.browser
AXE = ROOT / ".venv" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
ARENA = ROOT / "worlds" / "epuck_arena.wbt"
DESK, PHONE = (1240, 900), (390, 760)
READY = "document.documentElement.dataset.ready"


def problems(page: Any) -> list[str]:
    """What axe-core finds, by rule and place."""
    if not AXE.is_file():
        absent("axe-core is not installed: it checks the pages; make test-windows installs it")
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate(
        """async () => (await axe.run(document, {iframes: false})).violations.flatMap(
            (one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 99)}`))"""
    )
    return [str(one) for one in found]


def problems_of_each(page: Any, sizes: tuple[tuple[int, int], ...] = (DESK, PHONE)) -> list[str]:
    """What axe-core finds in light and dark, at a desk and on a phone."""
    found = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found += [f"{scheme}, {width} pixels: {one}" for one in problems(page)]
    return found


def test_the_workbench(visit: Visit):
    with run(ARENA) as on:
        page = visit.open(on.url)
        until(page, "window.page?.source?.robots[0].state && document.documentElement.dataset.ready")
        page.locator(".row .folder").first.click()
        names = [name for _, name in page.evaluate("window.page.bench.source.others()")]
        for name in ("Drive", "Scene tree", *(one for one in names if one.startswith("Window"))):
            page.get_by_label("Add a panel").click()
            page.get_by_role("menuitem", name=name, exact=True).click()
        page.wait_for_selector(".inspector")
        assert problems_of_each(page) == []
        page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
        from_above(page)
        page.get_by_label("Add a panel").click()
        assert problems_of_each(page, (DESK,)) == []


def test_each_panel_on_a_phone(visit: Visit):
    """There, one panel is shown at a time."""
    with run(ARENA) as on:
        page = visit.open(on.url)
        until(page, "window.page?.source?.robots[0].state && document.documentElement.dataset.ready")
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        page.wait_for_selector(".dock.narrow")
        tabs = page.get_by_role("tab").all_inner_texts()
        assert len(tabs) > 3
        for tab in tabs:
            page.get_by_role("tab", name=tab, exact=True).click()
            assert problems_of_each(page, (PHONE,)) == [], tab


def test_the_generic_window(visit: Visit):
    with run(ARENA) as on:
        page = generic(visit, on, "e-puck")
        assert problems_of_each(page) == []


def test_no_page_writes_an_error_to_the_console(visit: Visit, tmp_path: Path):
    said: list[str] = []

    def listen(page: Any) -> Any:
        page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
        return page

    file = tmp_path / "run.html"
    assert main(["run", str(ARENA), "--duration", "1", "--record", str(file), "--plot", "e-puck.ps*"]) == 0
    with run(ARENA) as on:
        page = listen(visit.open(on.url))
        until(page, READY)
        for _, name in page.evaluate("window.page.bench.source.others()"):
            page.get_by_label("Add a panel").click()
            entry = page.get_by_role("menuitem", name=name, exact=True)
            if entry.count():
                entry.click()
            else:
                page.keyboard.press("Escape")
        until(page, "document.querySelector('.inspector') && document.querySelector('.drive-panel')")
        window = listen(generic(visit, on, "e-puck"))
        for one in (page, window):
            one.reload()
        until(page, READY)
        until(window, "window.page?.now")
        recording = listen(visit.open(file.as_uri()))
        recording.reload()
        until(recording, READY)
    assert [one for one in said if "ERR_CONNECTION" not in one] == [], "apart from the end of the run"


def test_a_recording(visit: Visit, tmp_path: Path):
    file = tmp_path / "run.html"
    assert main(["run", str(ARENA), "--duration", "1", "--record", str(file), "--plot", "e-puck.ps*"]) == 0
    page = visit.open(file.as_uri())
    until(page, READY)
    assert problems_of_each(page) == []


def test_the_workbench_with_the_keyboard_alone(visit: Visit):
    """From the first press of Tab to a plotted sensor, and to a panel in another place."""
    with run(ARENA, "--no-controllers") as on:
        page = visit.open(on.url)
        until(page, "window.page?.source?.robots[0].state")
        keyboard = page.keyboard

        def go_to(label: str) -> None:
            for _ in range(150):
                keyboard.press("Tab")
                shown = page.evaluate(
                    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
                )
                if shown == label:
                    return
            raise AssertionError(f"{label} is not reached")

        go_to("Enable ps0")
        keyboard.press("Space")
        until(page, "window.page.source.robots[0].state.own.length === 1")
        go_to("Plot ps0")
        keyboard.press("Enter")
        until(page, "window.page.bench.panels.get('plot:1').signals.includes('e-puck/ps0.value')")
        go_to("3D view")
        keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.textContent") == "From above"
        go_to("Panel")
        keyboard.press("Enter")
        for entry in ("Enlarge", "Move to the left", "Move to the right"):
            assert page.evaluate("document.activeElement.textContent") == entry
            keyboard.press("ArrowDown")
        keyboard.press("Escape")
        assert page.locator(".pop-menu").count() == 0
