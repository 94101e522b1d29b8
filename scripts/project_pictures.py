"""Draws docs/images/projects.jpg: public projects with cameras and a lidar, after their runs.

The projects are those that `make projects` fetches. Look at the result; it is not compared in tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.corpus import corpus_folder

__all__ = ["main"]

GOAL = Path(__file__).parents[1] / "docs" / "images" / "projects.jpg"
HEIGHT, GAP = 300, 4
"""In pixels."""
RUNS = {
    # World below the folder of projects: seconds.
    "lukicdarkoo/worlds/visual_tracking.wbt": 10,
    "victorhu3/worlds/debris.wbt": 22,
    "ammar-balti/worlds/kitchen.wbt": 40,
}
SAVE_FIGURES = """
import os
try:
    from matplotlib import pyplot
except ImportError:
    pass
else:
    pyplot.show = lambda *_, **__: pyplot.savefig(os.environ["FIGURE"], dpi=60)
"""


def pictures(world: Path, seconds: int, folder: Path) -> list[Path]:
    """Run a world; return a picture of it and, if its controller shows a figure, that."""
    seen, figure = folder / f"{world.stem}.png", folder / f"{world.stem} figure.png"
    (folder / "sitecustomize.py").write_text(SAVE_FIGURES)
    environment = {"PYTHONPATH": str(folder), "MPLBACKEND": "Agg", "FIGURE": str(figure)}
    size = f"{HEIGHT * 5 // 4}x{HEIGHT}"
    options = ["--duration", str(seconds), "--picture", str(seen), "--view-size", size]
    command = [sys.executable, "-m", "wbridge", "run", str(world), *options]
    subprocess.run(command, env=os.environ | environment, check=True)
    return [one for one in (seen, figure) if one.is_file()]


def main() -> None:
    """Run the projects and draw the picture."""
    import PIL.Image

    with tempfile.TemporaryDirectory() as folder:
        files = [
            file
            for world, seconds in RUNS.items()
            for file in pictures(corpus_folder() / "projects" / world, seconds, Path(folder))
        ]
        parts = [PIL.Image.open(file).convert("RGB") for file in files]
    parts = [one.resize((one.width * HEIGHT // one.height, HEIGHT)) for one in parts]
    made = PIL.Image.new("RGB", (sum(one.width + GAP for one in parts) - GAP, HEIGHT), "white")
    at = 0
    for one in parts:
        made.paste(one, (at, 0))
        at += one.width + GAP
    made.save(GOAL, quality=85)
    print(GOAL)


if __name__ == "__main__":
    main()
