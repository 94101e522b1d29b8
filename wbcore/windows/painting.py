"""Visual shapes seen from above, as colored polygons in plain lists."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.meshes import MeshError
from wbridge.wbcore.physics.pose import Pose, Vec3, times
from wbridge.wbcore.physics.tree import node_in, number
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.textures import find_asset
from wbridge.wbcore.visual.forms import form_of
from wbridge.wbcore.visual.images import Image, ImageError, read_image
from wbridge.wbcore.visual.texture import Color, texture
from wbridge.wbcore.windows.figures import Figure, figure_of
from wbridge.wbcore.windows.hulls import Point, hull

MOST_PICTURES = 8
LARGEST_PICTURE = 512
"""Maximum columns and rows; larger pictures are scaled down."""
FAINTEST = 0.1
"""Minimum opacity of drawn shapes."""
FLAT = 0.9
"""Minimum upward component of the normal for a drawn texture; other surfaces have its mean color."""
DIGITS = 4


class Painter:
    """Paints the shapes of one world.

    A polygon is `{"parts": [[[x, y], ...], ...], "color": "#rrggbb", "alpha": 0 to 1}`. A textured one also
    has `"picture": [index, a, b, c, d, e, f]`: the point (u, v) of picture `index`, from its left and top, 0
    to 1, is at x = a u + c v + e, y = b u + d v + f.
    """

    def __init__(self, world: World, flat: Callable[[Vec3], Point], up: Vec3) -> None:
        """
        Args:
            world: the world whose shapes are painted.
            flat: projects a point of the world (m) to the drawing.
            up: the upward direction of the world.
        """
        self._world, self._flat, self._up = world, flat, up
        self.pictures: list[str] = []
        """Data URLs."""
        self._numbers: dict[int, int] = {}

    def paint(self, shape: Node, pose: Pose) -> tuple[float, dict[str, object]] | None:
        """Return the maximum height (m) of a Shape and its polygon, or None if it is invisible.

        Args:
            shape: the node.
            pose: its pose in the world, with scale.
        """
        geometry, appearance = node_in(shape, "geometry"), node_in(shape, "appearance")
        opacity = _opacity(appearance)
        if geometry is None or opacity < FAINTEST:
            return None
        figure = _figure(self._world, geometry, pose.scale)
        if figure is None:
            return None
        place = pose.rigid
        points = [place.point(point) for point in figure.points]
        parts = self._parts(points, figure)
        if not parts:
            return None
        picture_of, pixels = _texture(self._world, appearance)
        color = _color(appearance, pixels is not None)
        painted: dict[str, object] = {"parts": parts, "alpha": round(opacity, 2)}
        if picture_of is not None and pixels is not None:
            picture = self._picture(geometry, figure, pose, picture_of, pixels)
            if picture is not None:
                painted["picture"] = picture
            color = times(color, _mean(pixels))
        painted["color"] = "#" + "".join(
            f"{round(255 * min(max(channel, 0.0), 1.0)):02x}" for channel in color
        )
        return max(sum(map(float.__mul__, self._up, point)) for point in points), painted

    def _parts(self, points: list[Vec3], figure: Figure) -> list[list[Point]]:
        """Return the outline, or each triangle that faces upward."""
        flat = [tuple(round(coordinate, DIGITS) for coordinate in self._flat(point)) for point in points]
        if figure.triangles is None:
            outline = hull((x, y) for x, y in flat)
            return [outline] if len(outline) > 2 else []
        parts = ([(flat[i][0], flat[i][1]) for i in corners] for corners in figure.triangles)
        return [part for part in parts if _area(part) > 0]

    def _picture(
        self, geometry: Node, figure: Figure, pose: Pose, texture: _engine.Texture, pixels: Image
    ) -> list[float | int] | None:
        """Return the picture on a level surface and its affine mapping."""
        form = form_of(self._world, geometry, pose.scale)
        place = pose.rigid
        corners = _level_corners(figure, place.local_direction(self._up))
        if form is None or corners is None:
            return None
        places = [form.mapping(corner) for corner in corners]
        if None in places:
            return None
        uv = [texture.transformed(place) for place in places if place is not None]
        rule = _affine(uv, [self._flat(place.point(corner)) for corner in corners])
        index = self._number(pixels) if rule is not None else None
        return None if rule is None or index is None else [index, *(round(number, 6) for number in rule)]

    def _number(self, pixels: Image) -> int | None:
        """Return the index of a picture on the page; None if there are too many."""
        known = self._numbers.get(id(pixels))
        if known is not None or len(self.pictures) >= MOST_PICTURES:
            return known
        self._numbers[id(pixels)] = len(self.pictures)
        self.pictures.append(_address(pixels))
        return len(self.pictures) - 1


def _figure(world: World, geometry: Node, scale: Vec3) -> Figure | None:
    try:
        return figure_of(world, geometry, scale)
    except (MeshError, ValueError):
        return None  # the builder of the shape reports it


def _opacity(appearance: Node | None) -> float:
    if appearance is None:
        return 1.0
    holder = appearance if appearance.is_a("PBRAppearance") else node_in(appearance, "material")
    return 1 - number(holder, "transparency")


def _color(appearance: Node | None, is_textured: bool) -> Color:
    """Return the color under a texture (manual, chapters Material and PBRAppearance)."""
    if appearance is not None and appearance.is_a("PBRAppearance"):
        return _color_of(appearance, "baseColor")
    material = node_in(appearance, "material") if appearance is not None else None
    return (1.0, 1.0, 1.0) if material is None or is_textured else _color_of(material, "diffuseColor")


def _color_of(node: Node, field: str) -> Color:
    red, green, blue = node.get(field)
    return (float(red), float(green), float(blue))


def _texture(world: World, appearance: Node | None) -> tuple[_engine.Texture, Image] | tuple[None, None]:
    """Return the texture of an appearance; None if it cannot be read, which is reported where it is used."""
    if appearance is None:
        return None, None
    field = "baseColorMap" if appearance.is_a("PBRAppearance") else "texture"
    node = (
        node_in(appearance, field)
        if appearance.is_a("PBRAppearance") or appearance.is_a("Appearance")
        else None
    )
    url = next(iter(node.get("url")), "") if node is not None else ""
    path = find_asset(world, node, url.replace("\\", "/")) if node is not None and url else None
    if node is None or path is None:
        return None, None
    try:
        pixels = read_image(path)
    except (ImageError, ModuleNotFoundError):  # a web page may have no package to read it
        return None, None
    return texture(pixels, node, node_in(appearance, "textureTransform")), pixels


def _mean(pixels: Image) -> Color:
    every = max(1, max(pixels.shape[:2]) // 256)
    red, green, blue = (pixels[::every, ::every, :3].reshape(-1, 3).mean(axis=0) / 255).tolist()
    return (red, green, blue)


def _address(pixels: Image) -> str:
    """Return a picture as a data URL."""
    import PIL.Image  # start-up: 14 ms, only for pictures

    picture = PIL.Image.fromarray(pixels)
    picture.thumbnail((LARGEST_PICTURE, LARGEST_PICTURE))
    out = io.BytesIO()
    picture.save(out, "PNG")
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode("ascii")


def _level_corners(figure: Figure, up: Vec3) -> tuple[Vec3, Vec3, Vec3] | None:
    """Return three points of the largest surface that faces `up`, away from its rim; None without one."""
    best, largest = None, 0.0
    for a, b, c in figure.faces:
        ab, ac = _minus(b, a), _minus(c, a)
        normal = (
            ab[1] * ac[2] - ab[2] * ac[1],
            ab[2] * ac[0] - ab[0] * ac[2],
            ab[0] * ac[1] - ab[1] * ac[0],
        )
        upward = sum(map(float.__mul__, normal, up))
        size = sum(component * component for component in normal) ** 0.5
        if upward > max(largest, FLAT * size):
            best, largest = (a, b, c), upward
    if best is None:
        return None
    center = tuple(sum(coordinates) / 3 for coordinates in zip(*best, strict=True))
    inner = [tuple(0.8 * p + 0.2 * q for p, q in zip(corner, center, strict=True)) for corner in best]
    first, second, third = ((x, y, z) for x, y, z in inner)
    return first, second, third


def _minus(a: Vec3, b: Vec3) -> Vec3:
    return (float(a[0] - b[0]), float(a[1] - b[1]), float(a[2] - b[2]))


def _area(points: list[Point]) -> float:
    """Return twice the area of a triangle; positive if counter-clockwise."""
    (ax, ay), (bx, by), (cx, cy) = points
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


def _affine(uv: list[Point], xy: list[Point]) -> tuple[float, ...] | None:
    """Return a, b, c, d, e, f of x = a u + c v + e, y = b u + d v + f, from three points."""
    (u0, v0), (u1, v1), (u2, v2) = uv
    du1, dv1, du2, dv2 = u1 - u0, v1 - v0, u2 - u0, v2 - v0
    area = du1 * dv2 - du2 * dv1
    if abs(area) < 1e-12:
        return None
    made = []
    for first, second, third in zip(*xy, strict=True):
        p, q = second - first, third - first
        made.append(((p * dv2 - q * dv1) / area, (q * du1 - p * du2) / area, first))
    (a, c, x), (b, d, y) = made
    return a, b, c, d, x - a * u0 - c * v0, y - b * u0 - d * v0
