"""The materials of a COLLADA file: colors and textures of its effects."""

from __future__ import annotations

from urllib.parse import unquote
from xml.etree.ElementTree import Element

from wbridge.wbcore.physics.meshes._materials import (
    GREY,
    Color,
    MeshMaterial,
    color_of,
    numbers,
    roughness_of,
)

SHADINGS = ("phong", "blinn", "lambert", "constant")
WHITE: Color = (1.0, 1.0, 1.0)
BLACK: Color = (0.0, 0.0, 0.0)
USUAL_SHININESS = 10.0
LUMINANCE = (0.212671, 0.715160, 0.072169)
"""Shares of red, green and blue in an opacity that is given as a color (COLLADA 1.4.1, chapter 7)."""
MAPS = {"diffuse": "baseColorMap", "emission": "emissiveColorMap", "bump": "normalMap"}


def palette_of(root: Element, by_id: dict[str, Element]) -> dict[str, MeshMaterial]:
    """Return the materials by their ids, in the order in which Webots numbers them: that of the ids."""
    found: dict[str, MeshMaterial] = {}
    for material in root.iter("material"):
        key = material.get("id", "")
        instance = material.find("instance_effect")
        effect = None if instance is None else by_id.get(instance.get("url", "").lstrip("#"))
        found.setdefault(key, _material(material.get("name") or key, effect, by_id))
    return dict(sorted(found.items()))


def _material(name: str, effect: Element | None, by_id: dict[str, Element]) -> MeshMaterial:
    shading = (
        next((element for element in effect.iter() if element.tag in SHADINGS), None)
        if effect is not None
        else None
    )
    if effect is None or shading is None:
        return MeshMaterial(name, roughness=roughness_of(USUAL_SHININESS))
    files = _files(effect, by_id)
    maps: dict[str, str] = {}
    for tag, field in MAPS.items():
        part = next(effect.iter(tag), None)
        texture = None if part is None else part.find("texture")
        file = "" if texture is None else files.get(texture.get("texture", ""), "")
        if file:
            maps[field] = file
    return MeshMaterial(
        name,
        _color(shading.find("diffuse"), GREY),
        _color(shading.find("emission"), BLACK),
        _opacity(shading),
        roughness_of(_value(shading.find("shininess"), USUAL_SHININESS)),
        maps,
    )


def _color(part: Element | None, default: Color) -> Color:
    """Return a color; white for a texture, which is multiplied by it."""
    if part is None:
        return default
    if part.find("texture") is not None:
        return WHITE
    return color_of(numbers(part.findtext("color", "")), default)


def _value(part: Element | None, default: float) -> float:
    found = [] if part is None else numbers(part.findtext("float", ""))
    return found[0] if found else default


def _opacity(shading: Element) -> float:
    """Return the opacity; files that exchange transparent and opaque state so by `opaque`."""
    transparent = shading.find("transparent")
    found = _value(shading.find("transparency"), 1.0)
    mode = "A_ONE"
    if transparent is not None:
        mode = transparent.get("opaque", mode)
        color = [*numbers(transparent.findtext("color", "")), 1.0, 1.0, 1.0, 1.0][:4]
        if mode.startswith("RGB"):
            found *= sum(share * number for share, number in zip(LUMINANCE, color, strict=False))
        else:
            found *= color[3]
    if mode.endswith("ZERO"):
        found = 1.0 - found
    return min(max(found, 0.0), 1.0)


def _files(effect: Element, by_id: dict[str, Element]) -> dict[str, str]:
    """Return the names of image files by the parameters, or ids of images, through which effects name
    them."""
    images = {key: _image_name(element) for key, element in by_id.items() if element.tag == "image"}
    found = dict(images)
    parameters = list(effect.iter("newparam"))
    for _ in range(2):  # a sampler names a surface, a surface names an image
        for parameter in parameters:
            for kind in ("surface/init_from", "sampler2D/source", "sampler2D/instance_image"):
                named = parameter.find(kind)
                if named is not None:
                    key = (named.text or named.get("url") or "").strip().lstrip("#")
                    found[parameter.get("sid", "")] = found.get(key, "")
    return found


def _image_name(image: Element) -> str:
    """Return the file of an image; COLLADA 1.5 nests it once more."""
    start = image.find("init_from")
    ref = None if start is None else start.find("ref")
    named = ref if ref is not None else start
    text = (named.text if named is not None else None) or ""
    return unquote(text.strip()).removeprefix("file://")
