"""Reads scenes that Webots has exported for browsers (.x3d, .w3d) as worlds.

Source: resources/web/wwi/Parser.js of Webots R2021b to R2025a for elements and attributes. Each element
becomes the node of its name, frames become Transforms, and each node is named (DEF) by its identifier.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from wbridge.wbcore.scene.schema import schema
from wbridge.wbcore.scene.version import Version

DEFAULT_RELEASE = "R2023b"
LIMIT = 64 << 20
"""Largest file, in bytes."""
DEEPEST = 200
RENAMED = {"zNear": "near", "zFar": "far"}
PLAIN = frozenset(
    "Appearance Background Box Capsule Color Cone Coordinate Cylinder DirectionalLight ElevationGrid Fog "
    "ImageTexture IndexedFaceSet IndexedLineSet Material Mesh Normal PBRAppearance Plane PointLight "
    "PointSet Shape Sphere SpotLight TextureCoordinate TextureTransform Viewpoint WorldInfo".split()
)
"""Elements that are nodes of their own name; all others group what is in them."""
PLACES = {
    "Material": "material",
    "TextureTransform": "textureTransform",
    "Coordinate": "coord",
    "TextureCoordinate": "texCoord",
    "Normal": "normal",
    "Color": "color",
    "Appearance": "appearance",
    "PBRAppearance": "appearance",
}
"""Fields of the nodes above them that elements belong into; geometries belong into `geometry`."""
SKY = "[ 0.6 0.7 0.8 ]"
"""The color of the sky, and its light, where the pictures of the sky box are not at hand."""
FRAME = ("translation", "rotation", "scale")


class SceneError(ValueError):
    """A scene cannot be read; the message says why."""


def world_text(data: bytes) -> str:
    """Return the world of a scene.

    Raises:
        SceneError: it is not a scene of Webots.
    """
    if len(data) > LIMIT:
        raise SceneError(f"it is larger than {LIMIT >> 20} MB")
    if b"<!ENTITY" in data:
        raise SceneError("it defines entities, which scenes of Webots do not")
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as problem:
        raise SceneError(f"it is not XML: {problem}") from None
    scene = root.find("Scene")
    if scene is None:
        raise SceneError("it has no element Scene")
    releases = [
        element.get("content", "") for element in root.iter("meta") if element.get("name") == "version"
    ]
    release = releases[0] if releases and releases[0].startswith("R20") else DEFAULT_RELEASE
    lines = [line for element in scene for line in _Writer(release).node(element, 0)]
    return "\n".join([f"#VRML_SIM {release} utf8", *lines, ""])


class _Writer:
    def __init__(self, release: str) -> None:
        try:
            self._schema = schema(Version.parse(release))
        except ValueError:
            raise SceneError(f'"{release[:40]}" is not a release of Webots') from None

    def node(self, element: ElementTree.Element, depth: int) -> Iterator[str]:
        """Yield the lines of a node; none for what is not drawn."""
        if depth > DEEPEST:
            raise SceneError(f"more than {DEEPEST} elements are inside of each other")
        if element.get("role") == "boundingObject":
            return
        use = element.get("USE")
        if use is not None:
            yield f"USE {_name(use)}"
            return
        identifier = element.get("id")
        yield f"DEF {_name(identifier)}" if identifier else ""
        if element.tag in PLAIN:
            yield from self._plain(element, depth)
            return
        yield "Transform {"
        yield from self._fields(element, "Transform", FRAME)
        yield "children ["
        inner = list(element)
        if element.get("type") == "propeller" or element.tag == "Propeller":
            inner = inner[-1:]  # the slow helix: the viewer shows one of the two
        for child in inner:
            yield from self.node(child, depth + 1)
        yield "] }"

    def _plain(self, element: ElementTree.Element, depth: int) -> Iterator[str]:
        yield f"{element.tag} {{"
        if element.tag == "Background" and "skyColor" not in element.attrib:
            yield f"skyColor {SKY}"
        yield from self._fields(element, element.tag)
        for child in element:
            yield _place(element, child)
            yield from self.node(child, depth + 1)
        yield "}"

    def _fields(
        self, element: ElementTree.Element, kind: str, names: tuple[str, ...] | None = None
    ) -> Iterator[str]:
        spec = self._schema.node(kind)
        if spec is None:
            raise SceneError(f"it has an element {kind} that its release does not know")
        for given, text in element.attrib.items():
            name = RENAMED.get(given, given)
            if name in spec.fields and (names is None or name in names) and name != "follow":
                yield f"{name} {_value(spec.fields[name].type, text, name)}"


def _name(identifier: str) -> str:
    """Return an identifier as a DEF name; references also come without the leading n."""
    plain = identifier if identifier.startswith("n") else f"n{identifier}"
    if not plain.replace("_", "").replace("-", "").isalnum():
        raise SceneError(f'"{identifier[:40]}" is not an identifier')
    return plain


def _place(above: ElementTree.Element, element: ElementTree.Element) -> str:
    if element.tag == "ImageTexture":
        return element.get("role", "texture") if above.tag == "PBRAppearance" else "texture"
    return PLACES.get(element.tag, "geometry")


def _value(kind: str, text: str, name: str) -> str:
    """Return an attribute as in worlds; URLs only if they lead to files below the scene's folder."""
    if kind.endswith("String"):
        parts = [word for word in text.split('"') if word.strip()] if kind == "MFString" else [text]
        if name.lower().endswith("url"):
            parts = [part for part in parts if _is_near(part)]
        quoted = " ".join('"' + part.replace("\\", "/").replace('"', "'") + '"' for part in parts)
        return f"[ {quoted} ]" if kind == "MFString" else quoted or '""'
    if kind.endswith("Bool"):
        return "TRUE" if text.lower() in ("true", "1") else "FALSE"
    words = text.replace(",", " ").split()
    try:
        numbers = [f"{float(word):.9g}" for word in words]
    except ValueError:
        raise SceneError(f'{name} "{text[:40]}" is not made of numbers') from None
    if kind == "SFInt32":
        numbers = [str(int(float(number))) for number in numbers[:1]]
    elif kind == "MFInt32":
        numbers = [str(int(float(number))) for number in numbers]
    return f"[ {' '.join(numbers)} ]" if kind.startswith("MF") else " ".join(numbers)


def _is_near(url: str) -> bool:
    if url.startswith(("https://", "http://", "webots://")):
        return True
    return "://" not in url and not url.startswith(("/", "\\")) and ".." not in url and ":" not in url[:3]
