"""Films the workbench for the README, and takes a picture for docs/recordings.md.

Both show a recording of a sample world in Chromium.

Run `python -m scripts.film_workbench`; it needs what `make test-windows` installs.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from wbridge.main import main as wbridge

ROOT = Path(__file__).resolve().parents[1]
FILM = ROOT / "docs" / "images" / "workbench.webp"
PICTURE, PICTURE_FRAME = FILM.with_name("recording.png"), 13
"""Of one frame, in full size."""
WORLD, DURATION_S = ROOT / "worlds" / "epuck_arena.wbt", 24.0
PLOTS = ("e-puck.ps[0167]", "e-puck.*motor.set_velocity")
WIDTH, HEIGHT = 1280, 800
SIZE = (960, 600)
"""Of the film (pixels)."""
FRAMES, FRAME_MS = 80, 110
MOST_BYTES = 1_000_000
SHOWN = """async (time) => {
  const {player, view, recording} = window.recording;
  view.view.sharpness.begin = () => view.view.sharpness.most;  // all pixels, however slow
  await view.show(await recording.at(time));
  player.seek(time);
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
}"""


def main() -> None:
    """Write the film and the picture."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        file = Path(name) / "run.html"
        plots = [word for one in PLOTS for word in ("--plot", one)]
        if wbridge(["run", str(WORLD), "--duration", f"{DURATION_S}", "--record", str(file), *plots]):
            sys.exit("the run failed")
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(file.as_uri())
        page.wait_for_selector("html[data-ready]")
        pictures = []
        for frame in range(FRAMES):
            page.evaluate(SHOWN, frame / FRAMES * DURATION_S)
            shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            if frame == PICTURE_FRAME:
                shot.save(PICTURE, optimize=True)
            pictures.append(shot.resize(SIZE, Image.Resampling.LANCZOS))
        browser.close()
    options: dict[str, Any] = {"save_all": True, "duration": FRAME_MS, "loop": 0, "quality": 60, "method": 6}
    pictures[0].save(FILM, append_images=pictures[1:], **options)
    size = FILM.stat().st_size
    print(f"{FILM}: {size} bytes")
    if size > MOST_BYTES:
        sys.exit(f"more than {MOST_BYTES} bytes")


if __name__ == "__main__":
    main()
