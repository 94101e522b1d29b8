#!/usr/bin/env python3
"""Generate docs/gallery.md: each robot, vehicle and sample with its picture, devices and source of figures.

`python -m scripts.draw_gallery` draws the pictures before. `--check` only compares; it fails if a robot,
vehicle or sample has no picture.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.draw_gallery import ROBOTS, TURNTABLES, VEHICLES, WORLDS  # noqa: E402
from scripts.generate_models_doc import devices  # noqa: E402
from scripts.generated import write_or_compare  # noqa: E402
from wbridge.topics.bundled import description  # noqa: E402
from wbridge.wbcore.scene.load import load_proto, load_world  # noqa: E402

OUTPUT = ROOT / "docs" / "gallery.md"
INTRODUCTION = """# Gallery

<!-- Made by scripts/generate_gallery_doc.py from the files below protos/ and worlds/; change those. -->

Robots, vehicles and sample worlds that come with wbridge, as the 3D view, pictures and movies show them. Each
model turns once when its picture appears. [Bundled models](models.md) lists all models, with their masses;
`python -m scripts.draw_gallery` draws the pictures.
"""
COMPARED = """
## Before and after

In the upper rows, models and samples have plain bodies, as in early versions; white places are models that
were not there. In the lower rows they have the outlines of their originals and [fine
looks](pictures.md#fine-looks), as in all pictures of this page.

![Robots and vehicles, above as plain bodies, below as today](images/gallery_models_before_after.webp)

![Samples, above as they began in early versions, below as today](images/gallery_worlds_before_after.webp)
"""
MODELS = """
| picture | model | what it is, and where its figures come from | devices |
|---|---|---|---|
"""
SAMPLES = """
## Sample worlds

`wbridge samples` lists them; `wbridge demo` runs one.

| picture | world | what it shows |
|---|---|---|
"""


def model_row(path: Path) -> str:
    """Return the row of a robot or vehicle."""
    what, difference = description(path.read_text(encoding="utf-8"))
    link = path.relative_to(ROOT).as_posix()
    text = f"{what} Difference: {difference}." if difference else what
    parts = [picture(path.stem), f"[{path.stem}](../{link})", text, devices(load_proto(path).nodes[0].root)]
    return f"| {' | '.join(parts)} |"


def world_row(path: Path) -> str:
    """Return the row of a sample, with what its WorldInfo says."""
    info = load_world(path).first("WorldInfo")
    texts = [] if info is None else [str(info.get("title")), *map(str, info.get("info"))]
    shows = re.sub(r"\s+", " ", ". ".join(text.rstrip(".") for text in texts if text)).replace("|", "/")
    return f"| {picture(f'world_{path.stem}')} | [{path.stem}](../worlds/{path.name}) | {shows}. |"


def picture(stem: str) -> str:
    """Return the picture of a name.

    Raises:
        SystemExit: there is none.
    """
    path = TURNTABLES / f"{stem}.webp"
    if not path.is_file():
        raise SystemExit(f"{path.relative_to(ROOT)} is missing: run python -m scripts.draw_gallery")
    return f"![{stem.removeprefix('world_')}](images/gallery/{path.name})"


def section(title: str, paths: Iterable[Path]) -> str:
    """Return the table of some models."""
    return f"\n## {title}\n{MODELS}" + "\n".join(map(model_row, paths)) + "\n"


def generate() -> str:
    """Return the whole page."""
    parts = [INTRODUCTION, COMPARED, section("Robots", ROBOTS), section("Vehicles", VEHICLES)]
    return "".join([*parts, SAMPLES, "\n".join(map(world_row, WORLDS)), "\n"])


def main() -> int:
    """Write or check the page; return the exit code."""
    return write_or_compare("Make docs/gallery.md from protos/ and worlds/.", lambda: {OUTPUT: generate()})


if __name__ == "__main__":
    sys.exit(main())
