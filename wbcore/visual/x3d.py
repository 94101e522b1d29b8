"""Export of a world's visible nodes as X3D, in the form that Webots' viewers for browsers read.

Source: scenes that Webots has exported (see the samples in the tests' docstrings): an element per node with
`id='n<number>'`, fields that differ from their defaults as attributes, solids as `Transform type='solid'`,
joints left out but for their end points, textures with the field that they were in as `role`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from xml.sax.saxutils import quoteattr

from wbcore.physics.tree import is_frame, nodes_in
from wbcore.scene.load import World
from wbcore.scene.node import Field, Node, values_equal

__all__ = ["Number", "x3d_of"]

Number = Callable[[Node], int]
"""Returns the number of a node."""
Asset = Callable[[Node, str], str]
"""Returns the URL under which a viewer finds a file: the node that names it, and its URL in the world."""
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE X3D PUBLIC "ISO//Web3D//DTD X3D 3.0//EN" "http://www.web3d.org/specifications/x3d-3.0.dtd">\n'
    '<X3D version="3.0" profile="Immersive" xmlns:xsd="http://www.w3.org/2001/XMLSchema-instance" '
    'xsd:noNamespaceSchemaLocation="http://www.web3d.org/specifications/x3d-3.0.xsd">\n'
)
TOP = ("WorldInfo", "Viewpoint", "Background", "Fog")
PLAIN = frozenset(
    "Appearance Box Capsule Color Cone Coordinate Cylinder DirectionalLight ElevationGrid ImageTexture "
    "IndexedFaceSet IndexedLineSet Material Mesh Normal PBRAppearance Plane PointLight PointSet Shape Sphere "
    "SpotLight TextureCoordinate TextureTransform".split()
)
"""Nodes that are elements of their own name."""
RENAMED = {"near": "zNear", "far": "zFar"}
SHOWN = {
    "WorldInfo": ("title", "info", "basicTimeStep", "coordinateSystem", "lineScale"),
    "Viewpoint": (
        *("fieldOfView", "orientation", "position", "exposure", "bloomThreshold", "near", "far"),
        *("followSmoothness", "followType", "ambientOcclusionRadius"),
    ),
}
"""Fields of nodes of which not all are exported."""
ALWAYS = frozenset(
    "orientation position exposure bloomThreshold near far basicTimeStep coordinateSystem".split()
)
"""Fields that are written with their defaults, too."""
POSE = ("translation", "rotation", "scale")
CHILDREN = ("children", "endPoint")


def x3d_of(world: World, number: Number, asset: Asset = lambda node, url: url) -> str:
    """Return the scene as X3D.

    Args:
        world: the tree, with current poses.
        number: returns the numbers of nodes, which animations refer to.
        asset: returns the URL of a file.
    """
    writer = _Writer(number, asset)
    for node in world.nodes:
        writer.top(node.root, world)
    metas = (("generator", "Webots"), ("version", str(world.version)))
    head = "".join(f"<meta name={quoteattr(a)} content={quoteattr(b)} />\n" for a, b in metas)
    return f"{HEAD}<head>\n{head}</head>\n<Scene>\n{''.join(writer.parts)}</Scene>\n</X3D>\n"


class _Writer:
    def __init__(self, number: Number, asset: Asset) -> None:
        self.parts: list[str] = []
        self._number, self._asset = number, asset
        self._known: dict[int, str] = {}
        """Identifiers of the nodes that were written, by the identity of their fields, which a USE shares."""

    def top(self, node: Node, world: World) -> None:
        """Write a node at the top of the world."""
        more = {}
        if node.is_a("Viewpoint"):
            followed = _solid_named(world, str(node.get("follow")))
            if followed is not None:
                more["followedId"] = self._id(followed)
        if node.type in TOP:
            self._element(node.type, node, self._fields(node) | more, [])
        else:
            self._node(node)
        if self.parts and not self.parts[-1].endswith("\n"):
            self.parts.append("\n")

    def _node(self, node: Node, more: dict[str, str] | None = None) -> None:
        node = node.root
        below = [one for name in CHILDREN for one in nodes_in(node, name)]
        if node.type in PLAIN:
            self._plain(node, more or {})
        elif node.is_a("Solid") or is_frame(node):
            self._element("Transform", node, self._frame(node), below)
        elif node.is_a("Group"):
            self._element("Group", node, {}, below)
        else:  # joints and slots: their end points stand for them
            for one in below:
                self._node(one)

    def _plain(self, node: Node, more: dict[str, str]) -> None:
        known = self._known.get(id(node.fields))
        if known is not None and node.type != "Shape":
            self._element(node.type, node, {"USE": known} | more, [])
            return
        self._known[id(node.fields)] = self._id(node)
        inner = [
            (one, {"role": name} if one.root.type == "ImageTexture" and node.type == "PBRAppearance" else {})
            for name in node.spec.fields
            for one in nodes_in(node, name)
        ]
        self._open(node.type, node, self._fields(node) | more)
        for one, role in inner:
            self._node(one, role)
        self.parts.append(f"</{node.type}>")

    def _element(self, tag: str, node: Node, attributes: dict[str, str], below: list[Node]) -> None:
        self._open(tag, node, attributes)
        for one in below:
            self._node(one)
        self.parts.append(f"</{tag}>")

    def _open(self, tag: str, node: Node, attributes: dict[str, str]) -> None:
        words = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
        self.parts.append(f"<{tag} id='{self._id(node)}'{words}>")

    def _id(self, node: Node) -> str:
        return f"n{self._number(node)}"

    # Attributes.

    def _frame(self, node: Node) -> dict[str, str]:
        found = dict(self._values(node, POSE))
        if node.is_a("Solid"):
            kind = "robot" if node.is_a("Robot") else "solid"
            found |= {"name": str(node.get("name")), "type": kind}
        return found

    def _fields(self, node: Node) -> dict[str, str]:
        names = SHOWN.get(node.type, tuple(node.spec.fields))
        return {RENAMED.get(name, name): text for name, text in self._values(node, names)}

    def _values(self, node: Node, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """Yield fields without nodes that differ from their defaults."""
        for name in names:
            field = node.fields.get(name)
            if field is None and name in ALWAYS and name in node.spec.fields:
                field = node.field(name)
            if field is None or field.spec.type in ("SFNode", "MFNode"):
                continue
            if name in ALWAYS or not values_equal(field.value, field.spec.default):
                yield name, self._text(node, field)

    def _text(self, node: Node, field: Field) -> str:
        value = field.value
        if field.spec.name.lower().endswith("url"):
            urls = list(value) if field.spec.is_list else [value]
            return " ".join(f'"{self._asset(node, str(one))}"' for one in urls)
        if field.spec.type == "MFString":
            return " ".join(f'"{one}"' for one in value)
        return _plain_text(value)


def _plain_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.8g}"
    if isinstance(value, str):
        return value
    return " ".join(_plain_text(one) for one in value)  # type: ignore[attr-defined]


def _solid_named(world: World, name: str) -> Node | None:
    if not name:
        return None
    solids = (one.root for one in world.walk() if one.root.is_a("Solid"))
    return next((one for one in solids if one.get("name") == name), None)
