"""Lights and their shadows in the page, beside those of cameras, whose formulas tests/render judges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.windows.test_browser_worlds import compared

pytestmark = pytest.mark.browser
LARGEST = 1.0
"""Mean difference, of 255."""
WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 32 }
Viewpoint { position -4 -3 3 orientation -0.25 0.3 0.92 0.75 }
Background { skyColor [ 0.2 0.3 0.4 ] luminosity 0.2 }
Solid { translation 0 0 0.5 children [ Shape {
  appearance PBRAppearance { baseColor 0.8 0.3 0.2 roughness 0.6 metalness 0 }
  geometry Box { size 1 0.2 1 } } ] }
Solid { translation 1 1 0.4 children [ Shape {
  appearance Appearance { material Material { diffuseColor 0.2 0.5 0.8 shininess 0.5 } }
  geometry Sphere { radius 0.4 subdivision 3 } } ] }
Solid { children [ Shape {
  appearance PBRAppearance { roughness 1 metalness 0 } geometry Box { size 8 8 0.02 } } ] }
"""
SUN = "DirectionalLight { direction 1 0.5 -1 castShadows TRUE intensity 0.5 } "
EVENING = "DirectionalLight { direction -0.3 1 -1 castShadows TRUE color 1 0.8 0.5 } "
BRIGHT = "intensity 6 radius 20 attenuation 0 0 1 castShadows"
FAR = "radius 20 attenuation 0 0 1 castShadows"
SPOT = f"SpotLight {{ location -1 -2 3 direction 0.4 0.8 -1.1 cutOffAngle 0.7 beamWidth 0.5 {BRIGHT} TRUE }} "
WIDE = (
    f"SpotLight {{ location 1 -2 3 direction -0.2 1 -1 cutOffAngle 1.2 intensity 3 color 1 0 0 {FAR} TRUE }} "
)
BULB = f"PointLight {{ location 0.5 -1 2 intensity 4 color 0.5 1 0.6 {FAR} TRUE }} "
BELOW = f"PointLight {{ location -1 1 0.5 intensity 2 {FAR} TRUE }} "
PLAIN = f"PointLight {{ location -2 2 1 intensity 2 color 0.5 0.5 1 {FAR} FALSE }} "
SCENES = {
    "sun": SUN,
    "two suns": SUN + EVENING,
    "spot": SPOT,
    "wide spot": WIDE,
    "bulb": BULB,
    "two bulbs": BULB + BELOW,
    "one with shadows, one without": PLAIN + BELOW,
    "of each": BULB + SUN + PLAIN + SPOT,
    "more than have shadows": 3 * (SUN + WIDE) + 5 * BELOW,
    "none": "",
}


@pytest.mark.parametrize("name", SCENES)
def test_lights_shine_as_in_cameras(chromium: Any, tmp_path: Path, name: str):
    world = tmp_path / "worlds" / f"{name.replace(' ', '_')}.wbt"
    world.parent.mkdir()
    world.write_text(WORLD + SCENES[name])
    assert compared(chromium, world) < LARGEST
