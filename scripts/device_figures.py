#!/usr/bin/env python3
"""Take figures of devices, joints and parts from downloaded PROTOs of Webots into a table of facts.

    python -m scripts.device_figures FOLDER

FOLDER holds the texts of PROTO files as X.proto, unchanged since Webots' release; the first line of each
file names it. Bundled models are expanded with their defaults; parts that the folder lacks are the bundled
ones. Of devices, every number that is not the default of its node is taken, of joints the friction and the
stops, of parts with a name of their own the mass. The texts are Webots' own and do not belong in the
project. Facts of other models and releases stay as they are.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.device_names import RELEASE  # noqa: E402
from wbridge.hal.catalogue import kind  # noqa: E402
from wbridge.wbcore.scene.load import LoadOptions, load_text  # noqa: E402
from wbridge.wbcore.scene.node import Node, values_equal, walk  # noqa: E402

FACTS = ROOT / "tests" / "protos" / "device_figures.json"
NUMBERS = ("SFBool", "SFInt32", "SFFloat", "MFFloat", "SFVec2f", "MFVec3f")
PLACES = ("translationStep", "rotationStep", "lensFlare", "centerOfMass", "centerOfThrust")
JOINTS = ("minStop", "maxStop", "dampingConstant", "staticFriction", "springConstant")

Figures = dict[str, dict[str, Any]]


def figures_of(root: Node) -> Figures:
    """Return the figures of a model, by name of the device or part and by field."""
    entries = [*_devices(root), *_joints(root), *_masses(root)]
    names = Counter((name, field) for name, field, _ in entries)
    figures: Figures = {}
    for name, field, value in entries:
        if names[name, field] == 1:
            figures.setdefault(name, {})[field] = value
    return {name: dict(sorted(figures[name].items())) for name in sorted(figures)}


def _devices(root: Node) -> Iterator[tuple[str, str, Any]]:
    for node in walk(root):
        if node.proto is not None or node.type == "Robot" or kind(node.type) is None:
            continue
        for field, spec in node.spec.fields.items():
            value = node.get(field) if spec.type in NUMBERS and field not in PLACES else spec.default
            if not values_equal(value, spec.default):
                yield str(node.get("name")), f"{node.type}.{field}", plain(value)


def _joints(root: Node) -> Iterator[tuple[str, str, Any]]:
    for node in walk(root):
        if node.proto is None and node.type in ("HingeJoint", "SliderJoint"):
            named = [one for one in node.get("device") if "name" in one.spec.fields]
            parameters = node.get("jointParameters")
            for field in JOINTS if named and parameters is not None else ():
                if parameters.get(field):
                    yield str(named[0].get("name")), f"joint.{field}", parameters.get(field)


def _masses(root: Node) -> Iterator[tuple[str, str, Any]]:
    for node in walk(root):
        if node.proto is None and "physics" in node.spec.fields and node.get("physics") is not None:
            mass = node.get("physics").get("mass")
            if mass > 0 and node.get("name") != "solid":
                yield str(node.get("name")), "mass", mass


def plain(value: Any) -> Any:
    """Return a value as numbers and lists of numbers, of six significant digits."""
    if isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return float(f"{value:.6g}")
    return [plain(one) for one in value]


def of_model(name: str, path: Path, release: str) -> Figures:
    """Return the figures of a model in a file, in a world of a release."""
    declared = f'EXTERNPROTO "{path.resolve().as_posix()}"\n'
    text = f"#VRML_SIM {release} utf8\n{declared}WorldInfo {{\n}}\n{name} {{\n}}\n"
    world = load_text(text, str(path.parent / "none.wbt"), LoadOptions(allow_missing=True))
    return figures_of(world.nodes[-1].root)


def main() -> int:
    """Write the facts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder with the PROTO files")
    facts = json.loads(FACTS.read_text()) if FACTS.exists() else {}
    bundled = {path.stem for path in (ROOT / "protos").rglob("*.proto")}
    for path in sorted(parser.parse_args().folder.glob("*.proto")):
        release = RELEASE.match(path.read_text())
        if path.stem in bundled and release is not None:
            figures = of_model(path.stem, path, release[1])
            facts.setdefault(path.stem, {})[release[1]] = figures
    rows = [f' "{name}": {json.dumps(dict(sorted(facts[name].items())))}' for name in sorted(facts)]
    FACTS.write_text("{\n" + ",\n".join(rows) + "\n}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
