#!/usr/bin/env python3
"""Generate docs/models.md, the list of the bundled PROTO models, from the files in protos/.

The description is the comment under the license line of a model; its part after "Difference:" gets a separate
column. Masses and devices are those of the model with its default fields. `--check` only compares.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.generated import write_or_compare  # noqa: E402
from wbridge.topics.bundled import description  # noqa: E402
from wbridge.wbcore.scene.load import load_proto  # noqa: E402
from wbridge.wbcore.scene.node import Node, walk  # noqa: E402

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
    "hospital": "Hospitals",
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

Where Webots renamed devices, a model follows the release in the URL that declares it, such as `R2023a`, else
the one in the world's header. Fields that only Webots' own model uses are accepted without effect;
`wbridge check` names those that a world sets.

All models have z up and x forward. The last column lists other differences from the original.
"""

DEVICES = """\
## Masses and devices of the robots

With the default fields; masses in kg, without static bases, compared with their sources by
`tests/protos/test_masses.py`.

| robot | mass | devices |
|---|---|---|
"""


def rows(path: Path) -> tuple[str, str]:
    """Return the table row of a model, and its row in the table of devices ("" for all but robots).

    Raises:
        SystemExit: the model does not load.
    """
    world = load_proto(path)
    if not world.nodes or world.report.errors:
        raise SystemExit("\n".join(map(str, world.report.errors)) or f"{path}: no model")
    what, difference = description(path.read_text(encoding="utf-8"))
    link = path.relative_to(ROOT).as_posix()
    root = world.nodes[0].root
    return f"| [{path.stem}](../{link}) | {root.type} | {what} | {difference} |", robot_row(path, root)


def shortened(names: list[str]) -> str:
    """Join names; runs of names that only differ in consecutive numbers become "so0 ... so15"."""
    split = [re.fullmatch(r"(\D*)(\d+)(\D*)", name) for name in names]
    keys = [
        (found[1], found[3], int(found[2]) - at) if found else (name, at)
        for at, (name, found) in enumerate(zip(names, split, strict=True))
    ]
    runs = [
        [name for _, name in run] for _, run in groupby(zip(keys, names, strict=True), key=lambda one: one[0])
    ]
    return ", ".join(f"{run[0]} ... {run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def devices(root: Node) -> str:
    """Names of the devices of a robot by their types, in the order of the scene tree."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for node in walk(root):
        if node.proto is None and node is not root and node.is_a("Device"):
            found[node.type].append(str(node.get("name")))
    return "; ".join(f"{kind}: {shortened(names)}" for kind, names in found.items())


def robot_row(path: Path, root: Node) -> str:
    """Return the row of a robot in the table of devices; "" for parts of robots and for other models."""
    inside = path.is_relative_to(ROOT / "protos" / "robots")
    is_whole = inside and root.is_a("Robot") and path.parent.name != "abstract"
    if not is_whole:
        return ""
    physics = [node for node in walk(root) if node.proto is None and node.type == "Physics"]
    known = all(node.get("density") < 0 for node in physics)
    mass = f"{sum(node.get('mass') for node in physics):.4g}" if known else "by density"
    return f"| {path.stem} | {mass} | {devices(root)} |"


def files(folder: Path) -> list[Path]:
    """The models in a folder, in the order of their names."""
    return sorted(folder.rglob("*.proto"), key=lambda path: path.stem.lower())


def generate() -> str:
    """The whole page."""
    parts, robots = [INTRODUCTION], []
    for folder in sorted(path for path in (ROOT / "protos").iterdir() if path.is_dir()):
        head = f"## {TITLES[folder.name]}\n\n| model | base | description | difference |\n|---|---|---|---|\n"
        loaded = [rows(path) for path in files(folder)]  # a model is loaded once for both tables
        parts.append(head + "\n".join(model for model, _ in loaded) + "\n")
        robots += [robot for _, robot in loaded if robot]
    return "\n".join([*parts, DEVICES + "\n".join(robots) + "\n"])


def main() -> int:
    """Write or check the page; return the exit code."""
    return write_or_compare("Make docs/models.md from the files below protos/.", lambda: {OUTPUT: generate()})


if __name__ == "__main__":
    sys.exit(main())
