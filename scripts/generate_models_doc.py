#!/usr/bin/env python3
"""Generate docs/models.md, the list of the bundled PROTO models, from the files in protos/.

The description is the comment under the license line of a model; its part after "Difference:" gets a separate
column. `--check` only compares.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.generated import write_or_compare  # noqa: E402
from wbcore.scene.load import load_proto  # noqa: E402

OUTPUT = ROOT / "docs" / "models.md"
TITLES = {
    "animals": "Animals",
    "apartment_structure": "Walls, windows and doors",
    "appearances": "Appearances",
    "backgrounds": "Sky and light",
    "balls": "Balls",
    "bathroom": "Bathroom",
    "bounding_objects": "Bounding objects",
    "buildings": "Buildings",
    "chairs": "Chairs",
    "computers": "Computers and telephones",
    "drinks": "Drinks",
    "factory": "Factory",
    "floors": "Floors and arenas",
    "food": "Food",
    "furniture": "Furniture",
    "garden": "Garden",
    "geometries": "Geometries",
    "grippers": "Grippers",
    "humans": "People",
    "joints": "Joints",
    "kitchen": "Kitchen",
    "lights": "Lamps",
    "obstacles": "Obstacles",
    "panels": "Panels",
    "plants": "Plants",
    "roads": "Roads",
    "robots": "Robots",
    "school_furniture": "School furniture",
    "sensors": "Sensors",
    "shapes": "Shapes",
    "soccer": "Soccer fields",
    "solids": "Basic solids",
    "stairs": "Stairs",
    "street_furniture": "Street furniture",
    "toys": "Toys",
    "traffic": "Traffic",
    "vehicles": "Vehicles",
}
INTRODUCTION = """\
# Bundled models

<!-- Made by scripts/generate_models_doc.py from the files below protos/; change those. -->

These models come with wbridge, so worlds that use them load without a network, whatever URLs their
EXTERNPROTO lines contain: models are found by file name. They are original work under the Apache License
2.0. For controllers and the physics they are compatible with the models of the same name: fields, defaults,
sizes, masses, bounding objects, device names, positions and lookup tables. Their appearance is simpler:
shapes consist of boxes, cylinders, spheres and generated meshes, and `scripts/generate_textures.py` draws the
textures.

All models have z up and x forward. The last column lists other differences from the original.
"""


def description(text: str) -> tuple[str, str]:
    """Return description and differences of a model, from the comment lines under its license line."""
    words: list[str] = []
    for line in text.splitlines()[2:]:
        if not line.startswith("#") or line.startswith("# template language"):
            break
        words.append(line[1:].strip())
    what, _, difference = " ".join(" ".join(words).split()).partition("Difference: ")
    return what.strip(), difference.strip().rstrip(".")


def row(path: Path) -> str:
    """Return the table row of one model.

    Raises:
        SystemExit: the model does not load.
    """
    world = load_proto(path)
    if not world.nodes or world.report.errors:
        raise SystemExit("\n".join(map(str, world.report.errors)) or f"{path}: no model")
    what, difference = description(path.read_text(encoding="utf-8"))
    link = path.relative_to(ROOT).as_posix()
    return f"| [{path.stem}](../{link}) | {world.nodes[0].root.type} | {what} | {difference} |"


def generate() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for folder in sorted(path for path in (ROOT / "protos").iterdir() if path.is_dir()):
        rows = [row(path) for path in sorted(folder.rglob("*.proto"), key=lambda path: path.stem.lower())]
        head = f"## {TITLES[folder.name]}\n\n| model | base | description | difference |\n|---|---|---|---|\n"
        parts.append(head + "\n".join(rows) + "\n")
    return "\n".join(parts)


def main() -> int:
    """Write or check the page; return the exit code."""
    return write_or_compare("Make docs/models.md from the files below protos/.", lambda: {OUTPUT: generate()})


if __name__ == "__main__":
    sys.exit(main())
