"""Materials, forms and air in the page, beside those of cameras, whose formulas tests/render judges.

With the arrangements of test_browser_lights these are forty scenes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.windows.browser import ROOT
from tests.windows.test_browser_lights import BELOW, BULB, EVENING, SPOT, SUN
from tests.windows.test_browser_worlds import compared

pytestmark = pytest.mark.browser
LARGEST = 1.0
"""Mean difference, of 255."""
TEXTURES = ROOT / "protos" / "appearances" / "textures"
FRAME = """#VRML_SIM R2025a utf8
EXTERNPROTO "%(protos)s/backgrounds/TexturedBackground.proto"
EXTERNPROTO "%(protos)s/geometries/Prism.proto"
WorldInfo { basicTimeStep 32 }
Viewpoint { position -3 -2.4 2 orientation -0.25 0.3 0.92 0.75 %(viewpoint)s }
%(sky)s
%(lights)s
Solid { translation 0 0 0.5 children [ Shape { appearance %(look)s geometry %(form)s } ] }
Solid { translation 0.9 -0.9 0.3 children [ Shape { appearance %(look)s geometry Sphere { radius 0.3 } } ] }
Solid { children [ Shape {
  appearance PBRAppearance { baseColor 0.7 0.7 0.7 roughness 1 metalness 0 }
  geometry Box { size 8 8 0.02 } } ] }
%(more)s
"""
PLAIN = {
    "protos": str(ROOT / "protos"),
    "viewpoint": "",
    "sky": "Background { skyColor [ 0.4 0.5 0.6 ] luminosity 0.5 }",
    "lights": SUN,
    "look": "PBRAppearance { baseColor 0.8 0.3 0.2 roughness 0.6 metalness 0 }",
    "form": "Box { size 0.8 0.8 1 }",
    "more": "",
}


def _coated(fields: str) -> dict[str, str]:
    return {"look": f"PBRAppearance {{ {fields} }}"}


def _painted(fields: str) -> dict[str, str]:
    return {"look": f"Appearance {{ material Material {{ {fields} }} }}"}


def _textured(name: str, more: str = "") -> dict[str, str]:
    url = f'ImageTexture {{ url "{TEXTURES / name}" }}'
    return _coated(f"baseColorMap {url} roughness 1 metalness 0 {more}")


def _sky(fields: str) -> dict[str, str]:
    return {"sky": f"Background {{ {fields} }}"}


def _named_sky(name: str) -> dict[str, str]:
    return {"sky": f'TexturedBackground {{ texture "{name}" }}', "viewpoint": "fieldOfView 1.2"}


def _fog(kind: str) -> dict[str, str]:
    return {"more": f'Fog {{ color 0.6 0.6 0.7 fogType "{kind}" visibilityRange 9 }}'}


FACES = "coord Coordinate { point [ 0 0 0.6, 0.5 0 -0.5, -0.5 0.4 -0.5, -0.5 -0.4 -0.5 ] }"
SCENES = {
    "mirror": _coated("baseColor 0.9 0.8 0.5 roughness 0.05 metalness 1"),
    "rough metal": _coated("baseColor 0.7 0.7 0.75 roughness 0.7 metalness 1"),
    "plastic": _coated("baseColor 0.1 0.2 0.8 roughness 0.2 metalness 0"),
    "glowing": _coated("baseColor 0 0 0 emissiveColor 1 0.5 0.1 roughness 1 metalness 0"),
    "glass": _coated("baseColor 0.4 0.7 0.9 transparency 0.6 roughness 0.1 metalness 0"),
    "bricks": _textured("red_bricks.png"),
    "turned wood": _textured("pine.png", "textureTransform TextureTransform { rotation 0.6 scale 3 2 }"),
    "old paint": _painted("diffuseColor 0.2 0.7 0.3 ambientIntensity 0.8"),
    "old gloss": _painted("diffuseColor 0.5 0.1 0.1 specularColor 1 1 1 shininess 0.7"),
    "old picture": {"look": f'Appearance {{ texture ImageTexture {{ url "{TEXTURES / "grass.png"}" }} }}'},
    "cylinder": {"form": "Cylinder { radius 0.4 height 1 }"},
    "cone": {"form": "Cone { bottomRadius 0.5 height 1 }"},
    "capsule": {"form": "Capsule { radius 0.25 height 0.5 }"},
    "faces": {"form": f"IndexedFaceSet {{ {FACES} coordIndex [ 0 1 2 -1 0 2 3 -1 0 3 1 -1 1 3 2 -1 ] }}"},
    "prism": {"form": "Prism { outline [ -0.4 -0.4, 0.4 -0.4, 0 0.4 ] height 1 taper 0.5 0.5 }"},
    "hills": {"form": "ElevationGrid { xDimension 3 yDimension 3 xSpacing 0.4 ySpacing 0.4 height "
              "[ 0 0.2 0 0.3 0.5 0.1 0 0.2 0 ] }"},
    "evening": {"lights": EVENING + BULB},
    "lamp over metal": {"lights": SPOT, **_coated("baseColor 0.9 0.6 0.4 roughness 0.3 metalness 1")},
    "bulb behind glass": {"lights": BELOW, **_coated("baseColor 1 1 1 transparency 0.4 roughness 0.4")},
    "black sky": _sky("skyColor [ 0 0 0 ]"),
    "bright sky": _sky("skyColor [ 0.9 0.95 1 ] luminosity 1.5"),
    "no background": {"sky": ""},
    "exposed for long": {"viewpoint": "exposure 2.5"},
    "exposed briefly": {"viewpoint": "exposure 0.4"},
    "mist": _fog("LINEAR"),
    "thick mist": _fog("EXPONENTIAL"),
    "thickest mist": _fog("EXPONENTIAL2"),
    "sunny noon": _named_sky("noon_sunny_empty"),
    "mountains": _named_sky("mountains"),
    "hall": _named_sky("empty_office"),
}  # fmt: skip


FINE = (
    "bricks",
    "turned wood",
    "evening",
    "lamp over metal",
    "glass",
    "mist",
    "sunny noon",
    "bulb behind glass",
)


@pytest.mark.parametrize("name", SCENES)
def test_scenes_look_as_in_cameras(chromium: Any, tmp_path: Path, name: str):
    assert compared(chromium, _written(tmp_path, name)) < LARGEST


@pytest.mark.parametrize("name", FINE)
def test_fine_scenes_look_as_in_cameras(chromium: Any, tmp_path: Path, name: str):
    """Soft shadows, the tone map as of film, and light from the sky."""
    assert compared(chromium, _written(tmp_path, name), "--looks", "fine") < LARGEST


def _written(folder: Path, name: str) -> Path:
    world = folder / "worlds" / f"{name.replace(' ', '_')}.wbt"
    world.parent.mkdir()
    world.write_text(FRAME % {**PLAIN, **SCENES[name]})
    return world
