"""The 3D view of many worlds in a real browser, beside the renderer's pictures of the same Viewpoint."""

from __future__ import annotations

import base64
import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.windows.browser import ROOT, run
from tests.windows.visit import PATIENCE_MS, Visit, until
from wbridge.wbcore.scene.load import LoadOptions
from wbridge.wbcore.simulation import Simulation

pytestmark = pytest.mark.browser
SIZE = {"width": 1000, "height": 720}
LARGEST = 3.5
"""Mean difference of all pixels, of 255: edges and textures are smoothed differently."""
INPUTS = Path(os.environ.get("WBRIDGE_INPUTS", ROOT.parent / "shared" / "inputs"))
SAMPLES = sorted(one.stem for one in (ROOT / "worlds").glob("*.wbt"))
PUBLIC = (
    "crazyflie/simulator_files/webots/worlds/crazyflie_apartement.wbt",
    "crazyflie/simulator_files/webots/worlds/crazyflie_world.wbt",
    "epuck-line-following/Lab2/Webots_world/worlds/e-puck_botstudio_with_floor_sensors.wbt",
    "pit-escape/worlds/pit_escape.wbt",
    "visual-tracking/worlds/visual_tracking.wbt",
    "wall-following/worlds/wall_following.wbt",
)
PICTURE = """async () => {
  const view = window.page.world.view;
  const bytes = new Uint8Array(await (await view.picture()).arrayBuffer());
  let text = '';
  for (const one of bytes) text += String.fromCharCode(one);
  return btoa(text);
}"""


def seen(page: Any) -> NDArray[np.float64]:
    """The picture that the page would save."""
    data = base64.b64decode(page.evaluate(PICTURE))
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), float)


def start_paused(page: Any) -> None:
    """Bring the world to its start, and wait until it is shown."""
    until(page, "document.documentElement.dataset.ready")
    page.evaluate("window.page.source.bar.play.click()")
    until(page, "window.page.source.run.mode === 0")
    page.evaluate("window.page.source.bar.reset.click()")
    until(page, "window.page.source.run.time === 0 && !window.page.world.isBusy && !window.page.world.isNew")
    page.wait_for_timeout(200)  # the last pose is on its way


def compared(chromium: Any, world: Path, *options: str) -> float:
    """Return the mean difference of both pictures, of 255; the page must not report an error."""
    visit = Visit(chromium)
    said: list[str] = []
    with run(world, "--no-controllers", *options) as on:
        page = visit.context.new_page()
        page.set_viewport_size(SIZE)
        page.on("pageerror", lambda error: visit.errors.append(str(error)))
        page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
        page.set_default_timeout(PATIENCE_MS)
        page.goto(on.url)
        start_paused(page)
        shown = seen(page)
        visit.context.close()
    assert not visit.errors and not said, (visit.errors, said)
    height, width = shown.shape[:2]
    simulation = Simulation(world, options=LoadOptions(allow_missing="--allow-missing" in options))
    simulation.has_fine_looks = "fine" in options
    viewpoint = simulation.world.first("Viewpoint")
    if viewpoint is not None and "ambientOcclusionRadius" in viewpoint.spec.fields:
        simulation.set_field(viewpoint, "ambientOcclusionRadius", 0.0)  # the page draws no ambient occlusion
    drawn = simulation.main_view.picture((width, height))[..., 2::-1].astype(float)
    if folder := os.environ.get("WBRIDGE_SCREENSHOTS"):
        both = np.concatenate([shown, drawn], axis=1).astype(np.uint8)
        Image.fromarray(both).save(Path(folder) / f"world_{world.stem}.png")
    difference = float(np.abs(shown - drawn).mean())
    print(f"{world.stem}: {difference:.2f}")
    return difference


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_worlds_look_as_the_renderer_draws_them(chromium: Any, name: str):
    assert compared(chromium, ROOT / "worlds" / f"{name}.wbt") < LARGEST


@pytest.mark.parametrize("path", PUBLIC)
def test_public_worlds_look_as_the_renderer_draws_them(chromium: Any, path: str):
    world = INPUTS / path
    if not world.is_file():
        pytest.skip("the public worlds are absent")
    assert compared(chromium, world, "--allow-missing") < LARGEST
