"""Draws docs/images/pictures.png: one picture per feature of the renderer, with its name.

Run it after a change of the renderer, and look at the result. It is not compared in tests, because another
driver may round differently.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from wbcore.devices.camera import Camera
from wbcore.scene.load import load_text
from wbcore.simulation import Simulation

__all__ = ["main"]

GOAL = Path(__file__).parents[1] / "docs" / "images" / "pictures.png"
WIDTH, HEIGHT, COLUMNS, LABEL = 240, 160, 4, 14
SUN = "DirectionalLight { direction 0.5 -0.3 -1 ambientIntensity 0.5 castShadows TRUE }"
PAINT = "appearance Appearance { material Material { diffuseColor %s } }"
COATED = "appearance PBRAppearance { baseColor %s roughness %s metalness %s }"
THINGS = [
    ("0 0 0", PAINT % "0.7 0.7 0.7", "Plane { size 20 20 }"),
    ("3 0 0.5", PAINT % "1 0 0", "Sphere { radius 0.5 }"),
    ("3 1.5 0.5", COATED % ("0 1 0", 0.3, 0), "Cylinder { radius 0.4 height 1 }"),
    ("3 -1.5 0.5", COATED % ("0 0.2 1", "0.5 transparency 0.4", 1), "Cone { bottomRadius 0.4 height 1 }"),
    ("4.5 -0.8 0.8", COATED % ("1 0.8 0", "0.5 emissiveColor 1 0.8 0", 0), "Capsule { radius 0.3 height 1 }"),
    ("-3 0 0.5", PAINT % "1 0 1", "Box { size 0.3 1 1 }"),
    ("0 3 0.5", PAINT % "0 1 1", "Box { size 1 0.3 1 }"),
]
PICTURES = {
    # Name: lights and other nodes, fields of the camera.
    "planar, 70 degrees": (SUN, "fieldOfView 1.2"),
    "cylindrical, 360 degrees": (SUN, 'fieldOfView 6.28 projection "cylindrical"'),
    "spherical, 180 degrees": (SUN, 'fieldOfView 3.14 projection "spherical"'),
    "antiAliasing": (SUN, "fieldOfView 1.2 antiAliasing TRUE"),
    "lens": (SUN, "fieldOfView 1.2 lens Lens { radialCoefficients 0.5 0.1 }"),
    "focus": (SUN, "fieldOfView 1.2 focus Focus { focalDistance 2.5 focalLength 0.7 }"),
    "bloomThreshold": (SUN.replace("}", "intensity 6 }"), "fieldOfView 1.2 bloomThreshold 3"),
    "ambientOcclusionRadius": (SUN, "fieldOfView 1.2 ambientOcclusionRadius 1"),
    "exposure": (SUN, "fieldOfView 1.2 exposure 2.5"),
    "noise": (SUN, "fieldOfView 1.2 noise 0.1"),
    "Fog": (SUN + "Fog { color 0.7 0.8 0.9 visibilityRange 8 }", "fieldOfView 1.2"),
    "SpotLight": (
        "SpotLight { location 2 0 4 direction 0.3 0 -1 intensity 3 cutOffAngle 0.4 beamWidth 0.3 "
        "castShadows TRUE }",
        "fieldOfView 1.2",
    ),
}  # fmt: skip


def taken(nodes: str, camera: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return a picture (HEIGHT, WIDTH, 3), red, green, blue."""
    shapes = "".join(
        f'Solid {{ name "{i}" translation {place} children [ Shape {{ {look} geometry {geometry} }} ] }}\n'
        for i, (place, look, geometry) in enumerate(THINGS)
    )
    text = (
        "#VRML_SIM R2023b utf8\nWorldInfo { }\nViewpoint { }\nBackground { skyColor [ 0.4 0.7 1 ] }\n"
        f"{nodes}\n{shapes}Robot {{ translation 0 0 0.6 children [ Camera {{ width {WIDTH} height {HEIGHT} "
        f"{camera} }} ] }}\n"
    )
    device = Simulation(load_text(text, "sheet.wbt")).robots.list[0].devices[0]
    assert isinstance(device, Camera)
    pixels = np.zeros(WIDTH * HEIGHT * 4, dtype=np.uint8)
    device.capture(pixels, 0.032)
    return pixels.reshape(HEIGHT, WIDTH, 4)[:, :, 2::-1]


def main() -> None:
    """Draw the sheet."""
    import PIL.Image
    import PIL.ImageDraw

    rows = -(-len(PICTURES) // COLUMNS)
    sheet = PIL.Image.new("RGB", (COLUMNS * WIDTH, rows * (HEIGHT + LABEL)), "white")
    pen = PIL.ImageDraw.Draw(sheet)
    for i, (name, (nodes, camera)) in enumerate(PICTURES.items()):
        x, y = i % COLUMNS * WIDTH, i // COLUMNS * (HEIGHT + LABEL)
        pen.text((x + 4, y + 1), name, fill="black")
        sheet.paste(PIL.Image.fromarray(np.ascontiguousarray(taken(nodes, camera))), (x, y + LABEL))
    GOAL.parent.mkdir(exist_ok=True)
    sheet.save(GOAL, optimize=True)
    print(GOAL)


if __name__ == "__main__":
    main()
