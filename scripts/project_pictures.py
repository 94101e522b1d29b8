"""Draws docs/images/projects.jpg: public projects with cameras and a lidar, after their runs.

The projects are those that `make projects` fetches. Look at the result; it is not compared in tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from scripts.corpus import corpus_folder

__all__ = ["main"]

GOAL = Path(__file__).parents[1] / "docs" / "images" / "projects.jpg"
HEIGHT, GAP = 300, 4
"""In pixels."""
Part = tuple[float, float, float, float]
RUNS: dict[str, tuple[int, Part]] = {
    # World below the folder of projects: seconds, and the part that is shown (left, top, right, bottom).
    "lukicdarkoo/worlds/visual_tracking.wbt": (10, (0.1, 0.18, 0.8, 0.9)),
    "victorhu3/worlds/debris.wbt": (22, (0.05, 0.33, 0.6, 0.98)),
    "ammar-balti/worlds/kitchen.wbt": (90, (0.2, 0.0, 0.95, 1.0)),
}
SIZE = (1000, 800)
SAVE_FIGURES = """
import os
try:
    from matplotlib import pyplot
except ImportError:
    pass
else:
    def show(*_, **__):
        if not os.path.exists(os.environ["FIGURE"]):
            pyplot.savefig(os.environ["FIGURE"], dpi=60)

    pyplot.show = show
"""


def pictures(world: Path, seconds: int, part: Part, folder: Path) -> list[Image.Image]:
    """Run a world; return a part of its picture and, if its controller shows a figure, that."""
    seen, figure = folder / f"{world.stem}.png", folder / f"{world.stem} figure.png"
    (folder / "sitecustomize.py").write_text(SAVE_FIGURES)
    environment = {"PYTHONPATH": str(folder), "MPLBACKEND": "Agg", "FIGURE": str(figure)}
    options = ["--duration", str(seconds), "--picture", str(seen), "--view-size", "x".join(map(str, SIZE))]
    command = [sys.executable, "-m", "wbridge", "run", str(world), *options]
    subprocess.run(command, env=os.environ | environment, check=True)
    (across, down), (left, top, right, bottom) = SIZE, part
    box = (left * across, top * down, right * across, bottom * down)
    found = [Image.open(seen).crop(box)]
    if figure.is_file():
        found.append(Image.open(figure))
    return [one.convert("RGB") for one in found]


def main() -> None:
    """Run the projects and draw the picture."""
    with tempfile.TemporaryDirectory() as folder:
        parts = [
            one
            for world, (seconds, part) in RUNS.items()
            for one in pictures(corpus_folder() / "projects" / world, seconds, part, Path(folder))
        ]
    parts = [one.resize((one.width * HEIGHT // one.height, HEIGHT)) for one in parts]
    made = Image.new("RGB", (sum(one.width + GAP for one in parts) - GAP, HEIGHT), "white")
    at = 0
    for one in parts:
        made.paste(one, (at, 0))
        at += one.width + GAP
    made.save(GOAL, quality=85)
    print(GOAL)


if __name__ == "__main__":
    main()
