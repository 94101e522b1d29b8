"""Materials of mesh files, converted to the fields of a PBRAppearance as Webots converts them."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain

Color = tuple[float, float, float]
GREY: Color = (0.6, 0.6, 0.6)
"""The color of a material that states none."""
FULL_SHINE = 255.0
"""The exponent of a perfectly smooth surface."""
MAPS = {
    # Keyword of a material library: field of a PBRAppearance.
    "map_kd": "baseColorMap",
    "map_ke": "emissiveColorMap",
    "map_emissive": "emissiveColorMap",
    "map_pr": "roughnessMap",
    "map_pm": "metalnessMap",
    "map_kn": "normalMap",
    "norm": "normalMap",
}
OPTIONS = {
    # Options before the name of a texture: how many values follow at most.
    "-blendu": 1, "-blendv": 1, "-boost": 1, "-mm": 2, "-o": 3, "-s": 3, "-t": 3, "-texres": 1,
    "-clamp": 1, "-bm": 1, "-imfchan": 1, "-type": 1, "-cc": 1,
}  # fmt: skip


@dataclass(frozen=True)
class MeshMaterial:
    """Colors are sRGB, 0 to 1; `opacity` and `roughness` are 0 to 1."""

    name: str
    color: Color = GREY
    emissive: Color = (0.0, 0.0, 0.0)
    opacity: float = 1.0
    roughness: float = 1.0
    maps: dict[str, str] = field(default_factory=dict)
    """Names of texture files by the field of a PBRAppearance."""


def roughness_of(shininess: float) -> float:
    """Return the roughness for the exponent of a highlight."""
    return min(max(1.0 - shininess / FULL_SHINE, 0.0), 1.0)


def read_materials(data: bytes) -> dict[str, MeshMaterial]:
    """Return the materials of a library (.mtl) by name; lines that cannot be read have no effect.

    Source: Wavefront's material library format; the defaults and the conversion are those of Webots.
    """
    found: dict[str, MeshMaterial] = {}
    values: dict[str, list[float]] = {}
    maps: dict[str, str] = {}
    name: str | None = None
    # One line at a time, as all of them would take many times the size of the file.
    for line in chain(BytesIO(data.replace(b"\r", b"\n")), [b"newmtl"]):
        key, _, rest = line.decode("utf-8", "replace").strip().partition(" ")
        key, rest = key.lower(), rest.strip()
        if key == "newmtl":
            if name is not None:
                found.setdefault(name, _material(name, values, maps))
            name, values, maps = rest, {}, {}
        elif key in MAPS:
            maps.setdefault(MAPS[key], _file_name(rest))
        elif key in ("kd", "ke", "ns", "d", "tr"):
            values[key] = numbers(rest)
    return found


def _material(name: str, values: dict[str, list[float]], maps: dict[str, str]) -> MeshMaterial:
    opacity = values.get("d") or [1 - share for share in values.get("tr", [])] or [1.0]
    return MeshMaterial(
        name,
        color_of(values.get("kd", []), GREY),
        color_of(values.get("ke", []), (0.0, 0.0, 0.0)),
        min(max(opacity[0], 0.0), 1.0),
        roughness_of((values.get("ns") or [0.0])[0]),
        {field: file for field, file in maps.items() if file},
    )


def color_of(values: list[float], default: Color) -> Color:
    """Return a color within 0 to 1 from three or more numbers; the default from fewer."""
    if len(values) < 3:
        return default
    r, g, b = (min(max(channel, 0.0), 1.0) for channel in values[:3])
    return r, g, b


def numbers(text: str) -> list[float]:
    """Return the numbers; none if one of them is not a finite number."""
    try:
        found = [float(word) for word in text.split()]
    except ValueError:
        return []
    return found if all(abs(number) < 1e30 for number in found) else []


def _file_name(text: str) -> str:
    """Return the name of a texture after the options; it may contain spaces."""
    words = text.split(" ")
    while words and words[0].lower() in OPTIONS:
        most = OPTIONS[words.pop(0).lower()]
        while most and len(words) > 1 and (numbers(words[0]) or words[0].lower() in ("on", "off")):
            words.pop(0)
            most -= 1
    return " ".join(words).strip().strip('"')
