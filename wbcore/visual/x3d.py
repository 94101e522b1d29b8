"""Export of a world's visible nodes as X3D, in the form that Webots' viewers for browsers read.

Source: scenes that Webots has exported (see the samples in the tests' docstrings): an element per node with
`id='n<number>'`, fields that differ from their defaults as attributes, solids as `Transform type='solid'`,
joints left out but for their end points, textures with the field that they were in as `role`. A viewer gives
some absent attributes other values than the manual's defaults (Parser.js: shadows are off, cylinders have 32
sides), so those are always written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from xml.sax.saxutils import quoteattr

from wbridge.wbcore.physics.tree import is_frame, nodes_in
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Field, Node, values_equal, walk
from wbridge.wbcore.visual.cad_parts import parts_of

Number = Callable[[Node], int]
"""Returns the number of a node."""
Asset = Callable[[Node, str], str]
"""Returns the URL under which a viewer finds a file: the node that names it, and its URL in the world."""
Inner = Iterable[tuple[Node, dict[str, str]]]
"""Nodes inside an element, with further attributes."""
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
ALWAYS = {
    "WorldInfo": ("basicTimeStep", "coordinateSystem"),
    "Viewpoint": (
        *("orientation", "position", "exposure", "bloomThreshold", "near", "far"),
        *("followSmoothness", "ambientOcclusionRadius"),
    ),
    "Shape": ("castShadows",),
    "Capsule": ("subdivision",),
    "Cone": ("subdivision",),
    "Cylinder": ("subdivision",),
    "Sphere": ("subdivision", "ico"),
    "SpotLight": ("beamWidth", "cutOffAngle"),
}
"""Fields that are written with their defaults, too, because the defaults of viewers differ."""
POSE = ("translation", "rotation", "scale")
CHILDREN = ("children", "endPoint")
HELICES = ("fastHelix", "slowHelix")
"""In this order: viewers show the second one of a propeller that does not turn."""


def x3d_of(world: World, number: Number, asset: Asset = lambda node, url: url) -> str:
    """Return the scene as X3D.

    Args:
        world: the tree, with current poses.
        number: returns the numbers of nodes, which animations refer to.
        asset: returns the URL of a file.
    """
    writer = _Writer(world, number, asset)
    for node in world.nodes:
        writer.top(node.root)
    metas = (("generator", "Webots"), ("version", str(world.version)))
    head = "".join(f"<meta name={quoteattr(a)} content={quoteattr(b)} />\n" for a, b in metas)
    return f"{HEAD}<head>\n{head}</head>\n<Scene>\n{''.join(writer.parts)}</Scene>\n</X3D>\n"


class _Writer:
    def __init__(self, world: World, number: Number, asset: Asset) -> None:
        self.parts: list[str] = []
        self._world, self._number, self._asset = world, number, asset
        self._extra: dict[Node, str] = {}
        """Identifiers of shapes that are not in the tree."""
        self._known: dict[int, str] = {}
        """Identifiers of the nodes that were written, by the identity of their fields, which a USE shares."""

    def top(self, node: Node) -> None:
        """Write a node at the top of the world."""
        more = {}
        if node.is_a("Viewpoint"):
            followed = _solid_named(self._world, str(node.get("follow")))
            if followed is not None:
                more["followedId"] = self._id(followed.root)
        if node.root.type in TOP:
            self._element(node.root.type, self._id(node), self._fields(node.root) | more)
        else:
            self._node(node)
        if self.parts and not self.parts[-1].endswith("\n"):
            self.parts.append("\n")

    def _node(self, inner: Node, more: dict[str, str] | None = None) -> None:
        node = inner.root
        tag = _tag(node)
        if not tag:  # joints and slots: their end points stand for them
            for element, _ in self._inner(node):
                self._node(element)
            return
        known = self._known.get(id(node.fields))
        if known is not None:
            number = self._id(inner)
            own = number if number != known else f"{known}_use{len(self.parts)}"
            self._element(tag, own, {"USE": known} | (more or {}))
            return
        own = self._known[id(node.fields)] = self._id(node)
        self._element(tag, own, self._attributes(node) | (more or {}), self._inner(node))

    def _inner(self, node: Node) -> list[tuple[Node, dict[str, str]]]:
        """Return the nodes inside an element, with further attributes."""
        if node.is_a("CadShape"):
            return [(part, {}) for part in self._cad_parts(node)]
        names = node.spec.fields if node.type in PLAIN else HELICES if node.is_a("Propeller") else CHILDREN
        is_appearance = node.type == "PBRAppearance"
        return [
            (child, {"role": name} if is_appearance and child.root.type == "ImageTexture" else {})
            for name in names
            for child in nodes_in(node, name)
        ]

    def _cad_parts(self, node: Node) -> list[Node]:
        """Return the shapes of a CadShape, which only the newest viewers know."""
        parts = parts_of(self._world, node)
        inner = [node for part in parts for node in walk([part])]
        self._extra |= {child: f"{self._id(node)}_{i}" for i, child in enumerate(inner)}
        return parts

    def _element(self, tag: str, own: str, attributes: dict[str, str], inner: Inner = ()) -> None:
        words = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
        self.parts.append(f"<{tag} id='{own}'{words}>")
        for element, more in inner:
            self._node(element, more)
        self.parts.append(f"</{tag}>")

    def _id(self, node: Node) -> str:
        return self._extra.get(node) or f"n{self._number(node)}"

    # Attributes.

    def _attributes(self, node: Node) -> dict[str, str]:
        if node.type in PLAIN:
            return self._fields(node)
        if node.is_a("Solid") or is_frame(node):
            return self._frame(node)
        if node.is_a("TrackWheel"):
            return _wheel(node)
        return {"type": "propeller"} if node.is_a("Propeller") else {}

    def _frame(self, node: Node) -> dict[str, str]:
        values = dict(self._values(node, POSE))
        if node.is_a("Solid"):
            kind = "robot" if node.is_a("Robot") else "solid"
            values |= {"name": str(node.get("name")), "type": kind}
        return values

    def _fields(self, node: Node) -> dict[str, str]:
        names = SHOWN.get(node.type, tuple(node.spec.fields))
        return {RENAMED.get(name, name): text for name, text in self._values(node, names)}

    def _values(self, node: Node, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """Yield fields without nodes that differ from the built-in defaults; those of a PROTO may differ."""
        always = ALWAYS.get(node.type, ())
        for name in names:
            field = node.fields.get(name)
            if field is None and name in always and name in node.spec.fields:
                field = node.field(name)
            if field is None or field.spec.type in ("SFNode", "MFNode"):
                continue
            if name in always or not values_equal(field.value, node.spec.fields[name].default):
                yield name, self._text(node, field)

    def _text(self, node: Node, field: Field) -> str:
        value = field.value
        if field.spec.name.lower().endswith("url"):
            urls = list(value) if field.spec.is_list else [value]
            return " ".join(f'"{self._asset(node, str(url))}"' for url in urls)
        if field.spec.type == "MFString":
            return " ".join(f'"{item}"' for item in value)
        return _plain_text(value)


def _tag(node: Node) -> str:
    """Return the name of a node's element; "" if it has none."""
    if node.type in PLAIN:
        return node.type
    if node.is_a("Solid") or is_frame(node) or node.is_a("TrackWheel"):
        return "Transform"
    if node.is_a("Billboard"):
        return "Billboard"
    return "Group" if node.is_a("Group") or node.is_a("Propeller") or node.is_a("CadShape") else ""


def _wheel(node: Node) -> dict[str, str]:
    x, z = node.get("position")
    return {"translation": _plain_text((x, 0.0, z)), "rotation": _plain_text(node.get("rotation"))}


def _plain_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.8g}"
    if isinstance(value, str):
        return value
    return " ".join(_plain_text(item) for item in value)  # type: ignore[attr-defined]


def _solid_named(world: World, name: str) -> Node | None:
    if not name:
        return None
    solids = (node.root for node in world.walk() if node.root.is_a("Solid"))
    return next((solid for solid in solids if solid.get("name") == name), None)
