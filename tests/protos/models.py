"""Loading the bundled models, and measuring where their parts are."""

from __future__ import annotations

import math
import re
from pathlib import Path

from tests.conftest import CHECKOUT
from wbridge.wbcore.scene.load import World, load_text
from wbridge.wbcore.scene.node import Node, walk

PROTOS = CHECKOUT / "protos"
FILES = {path.stem: path for path in sorted(PROTOS.rglob("*.proto"))}
_CONTROLLED = re.compile(r"^  field SFString +controller ", re.MULTILINE)
ROBOTS = [
    name
    for name, path in FILES.items()
    if "robots" in path.parts and path.parent.name != "abstract" and _CONTROLLED.search(path.read_text())
]
"""Models that are whole robots."""
SUPERVISORS = [name for name in ROBOTS if FILES[name].parent.name == "benchmarks"]
"""Those without a body, which observe projects that have their controllers and windows."""
CARS = [
    name
    for name, path in FILES.items()
    if "vehicles" in path.parts
    and path.parent.name != "abstract"
    and not name.endswith("Simple")
    and _CONTROLLED.search(path.read_text())
]
"""Models that are whole cars; those called Simple have no physics."""

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

IDENTITY: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def load(body: str) -> World:
    """A world of the newest release that declares the models named in `body`."""
    named = [name for name in FILES if re.search(rf"(?<![\w-]){re.escape(name)}\s*\{{", body)]
    lines = [f'EXTERNPROTO "{FILES[name].as_posix()}"' for name in named]
    return load_text(
        "\n".join(["#VRML_SIM R2025a utf8", *lines, body]), str(CHECKOUT / "worlds" / "none.wbt")
    )


def findings(world: World) -> list[str]:
    """Everything that was found wrong, and what templates printed."""
    return [str(found) for found in world.report] + list(world.report.notes)


def made(body: str) -> Node:
    """The built-in root node of the only node in `body`, which must load without findings."""
    world = load(body)
    assert findings(world) == []
    assert len(world.nodes) == 1
    return world.nodes[0].root


def parts(node: Node, kind: str) -> list[Node]:
    """All nodes of a built-in type below a node, itself included, in scene-tree order."""
    return [one for one in walk(node) if one.proto is None and one.type == kind]


def named(node: Node, name: str) -> Node:
    """The only node (devices and solids) with this name below a node."""
    found = [
        one
        for one in walk(node)
        if one.proto is None and "name" in one.spec.fields and one.get("name") == name
    ]
    assert len(found) == 1, f"{len(found)} nodes are named {name}"
    return found[0]


def bounding(solid: Node, kind: str) -> list[Node]:
    """The geometries of a type in a solid's bounding object; a USE counts as the node it names."""
    whole = solid.get("boundingObject").definition
    used = [one.definition for one in walk(whole) if one.use_of is not None]
    return [geometry for one in (whole, *used) for geometry in parts(one, kind)]


def rotation_matrix(rotation: tuple[float, float, float, float]) -> Matrix:
    """Matrix of an axis and an angle (Rodrigues' formula)."""
    x, y, z, angle = rotation
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    c, s = math.cos(angle), math.sin(angle)
    t = 1 - c
    return (
        (t * x * x + c, t * x * y - s * z, t * x * z + s * y),
        (t * x * y + s * z, t * y * y + c, t * y * z - s * x),
        (t * x * z - s * y, t * y * z + s * x, t * z * z + c),
    )


def apply(matrix: Matrix, vector: Vector) -> Vector:
    """Matrix times vector."""
    a, b, c = (sum(m * v for m, v in zip(line, vector, strict=True)) for line in matrix)
    return (a, b, c)


def pose(node: Node, root: Node) -> tuple[Vector, Matrix]:
    """Place and orientation of a node in the frame inside `root`."""
    place: Vector = (0, 0, 0)
    matrix = IDENTITY
    for one in chain(node, root):
        if "translation" not in one.spec.fields:
            continue
        turn = rotation_matrix(one.get("rotation"))
        moved = apply(turn, place)
        place = tuple(a + b for a, b in zip(moved, one.get("translation"), strict=True))
        matrix = tuple(zip(*[apply(turn, column) for column in zip(*matrix, strict=True)], strict=True))
    return place, matrix


def chain(node: Node, root: Node) -> list[Node]:
    """The built-in nodes from `node` up to, not including, `root`; instances count by their bodies."""
    found: list[Node] = []
    one: Node | None = node
    while one is not None and one is not root:
        if one.proto is None:
            found.append(one)
        one = one.parent
    return found


def table(node: Node) -> list[list[float]]:
    """A lookup table as lists of numbers."""
    return [list(entry) for entry in node.get("lookupTable")]


def texture_files() -> list[Path]:
    """All pictures below protos/."""
    return sorted(PROTOS.rglob("*.png"))
