#!/usr/bin/env python3
"""Take the names of devices from downloaded PROTOs of Webots into tests/protos/device_names.json.

    python -m scripts.device_names FOLDER

FOLDER holds the texts of PROTO files as X.proto; the first line of each file names its release. Models that
wbridge bundles are expanded with their defaults; the models that they need are taken from the same folder.
Facts of other models and releases stay as they are. Only the names are kept: the texts are Webots' own and
do not belong in the project.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from wbridge.hal.catalogue import kind  # noqa: E402
from wbridge.wbcore.scene.load import LoadOptions, load_text  # noqa: E402
from wbridge.wbcore.scene.node import Node, walk  # noqa: E402

FACTS = ROOT / "tests" / "protos" / "device_names.json"
RELEASE = re.compile(r"#VRML_SIM (R\d{4}\w+)")
DECLARED = re.compile(r'^(EXTERNPROTO +)"[^"]*?([\w.+-]+\.proto)"', re.M)

Names = dict[str, list[str]]


def localized(folder: Path, target: Path) -> None:
    """Copy the PROTOs of a folder; their declarations name the copies where the folder has the file."""
    files = {path.name for path in folder.glob("*.proto")}
    for path in sorted(folder.glob("*.proto")):
        text = DECLARED.sub(
            lambda match: f'{match[1]}"{match[2]}"' if match[2] in files else match[0], path.read_text()
        )
        (target / path.name).write_text(text)


def names_of(path: Path, release: str) -> Names:
    """Return the names of a model's devices with default fields, by kind.

    Raises:
        ValueError: the model does not load.
    """
    declared = f'EXTERNPROTO "{path.as_posix()}"\n'
    text = f"#VRML_SIM {release} utf8\n{declared}WorldInfo {{\n}}\n{path.stem} {{\n}}\n"
    world = load_text(text, str(path.parent / "none.wbt"), LoadOptions(allow_missing=True))
    if world.library.missing:
        raise ValueError(f"{path.name} needs {', '.join(sorted(world.library.missing))} in the same folder")
    names: defaultdict[str, list[str]] = defaultdict(list)
    for node in walk(world.nodes[-1].root):
        if _is_device(node):
            names[node.type].append(str(node.get("name")))
    return {type_: sorted(names[type_]) for type_ in sorted(names)}


def _is_device(node: Node) -> bool:
    return node.proto is None and node.type != "Robot" and kind(node.type) is not None


def merged(
    facts: dict[str, dict[str, Names]], folder: Path, bundled: set[str]
) -> dict[str, dict[str, Names]]:
    """Return the facts with those of the bundled models in a folder."""
    result = {model: dict(releases) for model, releases in facts.items()}
    with tempfile.TemporaryDirectory() as place:
        localized(folder, Path(place))
        for path in sorted(Path(place).glob("*.proto")):
            release = RELEASE.match(path.read_text())
            if path.stem not in bundled or release is None:
                continue
            names = names_of(path, release[1])
            if names:
                result.setdefault(path.stem, {})[release[1]] = names
    return {model: dict(sorted(result[model].items())) for model in sorted(result)}


def main() -> int:
    """Write the facts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder with the PROTO files")
    bundled = {path.stem for path in (ROOT / "protos").rglob("*.proto")}
    facts = merged(json.loads(FACTS.read_text()), parser.parse_args().folder, bundled)
    FACTS.write_text(json.dumps(facts, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
