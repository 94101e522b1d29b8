"""Draws docs/images/pictures.png: one picture per feature of the renderer, with its name.

Run it after a change of the renderer, and look at the result. It is not compared in tests, because another
driver may round differently.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.fbx_files import arm
from wbridge.wbcore.devices.camera import Camera
from wbridge.wbcore.devices.range_finder import RangeFinder
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

__all__ = ["main"]

GOAL = Path(__file__).parents[1] / "docs" / "images" / "pictures.png"
WIDTH, HEIGHT, COLUMNS, LABEL = 192, 128, 6, 14
TEXTURES = Path(__file__).parents[1] / "protos" / "appearances" / "textures"
WIDE = "fieldOfView 1.2"
NEAR = 9.0
"""Distances (m) up to this one are shown in shades of gray."""
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


def shape(look: str, geometry: str, place: str = "2 0 0.6") -> str:
    """Return a shape in front of the others."""
    return f"Pose {{ translation {place} children [ Shape {{ appearance {look} geometry {geometry} }} ] }}"


def texture(name: str) -> str:
    """Return an ImageTexture node."""
    return f'ImageTexture {{ url "{TEXTURES / name}" }}'


BRICKS = f"Appearance {{ texture {texture('red_bricks.png')} %s }}"
BOX = "Box { size 0.8 0.8 0.8 }"
GREY, YELLOW, ORANGE = (
    f"Appearance {{ material Material {{ {one} }} }}"
    for one in ("", "emissiveColor 1 1 0", "diffuseColor 1 0.5 0")
)
GRID = [divmod(k, 10) for k in range(100)]
POINTS = (
    f"coord Coordinate {{ point [ {', '.join(f'0 {x / 10 - 0.45} {y / 10 - 0.45}' for y, x in GRID)} ] }} "
    f"color Color {{ color [ {', '.join(f'1 {x / 9:.2f} {y / 9:.2f}' for y, x in GRID)} ] }}"
)
TURNS = [(0.05 * k * np.cos(k / 2), 0.05 * k * np.sin(k / 2)) for k in range(14)]
SPIRAL = f"coord Coordinate {{ point [ {', '.join(f'0 {y:.3f} {z:.3f}' for y, z in TURNS)} ] }}"
ORDER = " ".join(map(str, range(14)))
HILLS = (
    "xDimension 10 yDimension 10 xSpacing 0.13 ySpacing 0.13 thickness 0 "
    f"height [ {' '.join(f'{0.3 * np.sin(x / 1.4) * np.cos(y / 1.4):.3f}' for y, x in GRID)} ] "
    f"color Color {{ color [ {', '.join(f'{x / 9:.2f} {y / 9:.2f} 0.3' for y, x in GRID)} ] }}"
)
FACES = ("right", "left", "top", "bottom", "front", "back")
RADIANCE_HEAD = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 2\n"
LAMP = "PointLight { location 2 0.9 1.6 intensity 0.7 attenuation 0 0 1 castShadows TRUE }"
PICTURES = {
    # Name: lights and other nodes, fields of the camera.
    "planar, 70 degrees": (SUN, WIDE),
    "cylindrical, 360 degrees": (SUN, 'fieldOfView 6.28 projection "cylindrical"'),
    "spherical, 180 degrees": (SUN, 'fieldOfView 3.14 projection "spherical"'),
    "zoom, 23 degrees": (SUN, "fieldOfView 0.4 zoom Zoom { minFieldOfView 0.2 }"),
    "antiAliasing": (SUN, WIDE + " antiAliasing TRUE"),
    "exposure": (SUN, WIDE + " exposure 2.5"),
    "lens": (SUN, WIDE + " lens Lens { radialCoefficients 0.5 0.1 }"),
    "focus": (SUN, WIDE + " focus Focus { focalDistance 2.5 focalLength 0.7 }"),
    "bloomThreshold": (SUN.replace("}", "intensity 6 }"), WIDE + " bloomThreshold 3"),
    "ambientOcclusionRadius": (SUN, WIDE + " ambientOcclusionRadius 1"),
    "noise": (SUN, WIDE + " noise 0.1"),
    "noiseMaskUrl": (SUN, WIDE + ' noiseMaskUrl "mask.png"'),
    "motionBlur, while zooming": (SUN, WIDE + " motionBlur 300 zoom Zoom { }"),
    "recognition: segmentation": (SUN, WIDE + " recognition Recognition { segmentation TRUE }"),
    "RangeFinder": (SUN, ""),
    "Fog": (SUN + "Fog { color 0.7 0.8 0.9 visibilityRange 8 }", WIDE),
    "DirectionalLight, no shadows": (SUN.replace("castShadows TRUE", ""), WIDE),
    "PointLight": (LAMP, WIDE),
    "SpotLight": (
        "SpotLight { location 2 0 4 direction 0.3 0 -1 intensity 3 cutOffAngle 0.4 beamWidth 0.3 "
        "castShadows TRUE }",
        WIDE,
    ),
    "texture": (SUN + shape(BRICKS % "", BOX), WIDE),
    "textureTransform": (
        SUN + shape(BRICKS % "textureTransform TextureTransform { scale 3 3 rotation 0.5 }", BOX),
        WIDE,
    ),
    "PBRAppearance: normalMap": (
        SUN + shape('PBRAppearance { roughness 0.4 metalness 0 baseColor 0.8 0.6 0.4 normalMap ImageTexture '
                    '{ url "bumps.png" } }', BOX), WIDE,
    ),
    "PBRAppearance: sky box": (
        SUN + shape("PBRAppearance { roughness 0 metalness 1 }", "Sphere { radius 0.5 subdivision 4 }"), WIDE
    ),
    "PointSet": (SUN + shape("NULL", f"PointSet {{ {POINTS} }}"), WIDE),
    "IndexedLineSet": (
        SUN + shape(YELLOW, f"IndexedLineSet {{ {SPIRAL} coordIndex [ {ORDER} -1 ] }}"), WIDE,
    ),
    "ElevationGrid, colors": (SUN + shape(GREY, f"ElevationGrid {{ {HILLS} }}", "1.6 -0.6 0.3"), WIDE),
    "IndexedFaceSet": (
        SUN + shape(ORANGE, "IndexedFaceSet { coord Coordinate { point [ "
            "0.5 0 0, -0.5 0 0, 0 0.5 0, 0 -0.5 0, 0 0 0.6, 0 0 -0.6 ] } coordIndex [ "
            "0 2 4 -1 2 1 4 -1 1 3 4 -1 3 0 4 -1 2 0 5 -1 1 2 5 -1 3 1 5 -1 0 3 5 -1 ] }"), WIDE,
    ),
    "CadShape": (SUN + 'Pose { translation 2 0 0.3 children [ CadShape { url "house.obj" } ] }', WIDE),
    "Skin": (
        SUN + 'Skin { translation 2 0.9 0.2 rotation 0.57735 -0.57735 -0.57735 2.0944 modelUrl "arm.fbx" '
        'appearance PBRAppearance { name "cloth" baseColor 0.2 0.8 0.3 metalness 0 } }', WIDE,
    ),
    "transparency": (
        SUN + shape("PBRAppearance { baseColor 1 0 1 transparency 0.6 roughness 0.3 metalness 0 }", BOX), WIDE
    ),
    "lensFlare": (
        SUN + shape("PBRAppearance { emissiveColor 1 1 1 emissiveIntensity 8 }", "Sphere { radius 0.12 }",
            "2.4 0.45 1.05"), WIDE + " lensFlare LensFlare { bias -2 scale 0.4 }",
    ),
    "...IrradianceUrl": (
        SUN + shape("PBRAppearance { roughness 1 metalness 0 }", "Sphere { radius 0.5 subdivision 4 }"), WIDE
    ),
}  # fmt: skip


def write_files(folder: Path) -> None:
    """Write the files that the pictures use."""
    import PIL.Image

    across, down = np.meshgrid(np.arange(64), np.arange(64))
    bumps = np.zeros((64, 64, 3))
    bumps[..., 0], bumps[..., 1] = np.sin(across * np.pi / 8), np.sin(down * np.pi / 8)
    bumps[..., 2] = 1.5
    bumps /= np.linalg.norm(bumps, axis=2, keepdims=True)
    PIL.Image.fromarray(((bumps + 1) * 127.5).astype(np.uint8)).save(folder / "bumps.png")
    mask = np.zeros((32, 32, 4), dtype=np.uint8)
    mask[::4, :, 3] = 120
    PIL.Image.fromarray(mask).save(folder / "mask.png")
    for k, name in enumerate(FACES):
        sky = np.full((64, 64, 3), (90 + 25 * k, 140, 230 - 30 * k), dtype=np.uint8)
        sky[::8], sky[:, ::8] = 255, 255
        PIL.Image.fromarray(sky).save(folder / f"{name}.png")
        light = bytes((20 + 45 * k, 120, 250 - 45 * k, 129))
        (folder / f"{name}.hdr").write_bytes(RADIANCE_HEAD + 4 * light)
    (folder / "arm.fbx").write_bytes(arm())
    (folder / "house.mtl").write_text("newmtl wall\nKd 0.9 0.9 0.7\nnewmtl roof\nKd 0.8 0.2 0.1\n")
    corners = "".join(
        f"v {x} {y} {z}\n" for z in (0, 0.5) for x, y in ((-0.4, -0.4), (0.4, -0.4), (0.4, 0.4), (-0.4, 0.4))
    )
    walls = "".join(f"f {k + 1} {(k + 1) % 4 + 1} {(k + 1) % 4 + 5} {k + 5}\n" for k in range(4))
    roof = "".join(f"f {k + 5} {(k + 1) % 4 + 5} 9\n" for k in range(4))
    (folder / "house.obj").write_text(
        f"mtllib house.mtl\n{corners}v 0 0 0.9\nusemtl wall\n{walls}usemtl roof\n{roof}"
    )


def world(name: str, folder: Path) -> Simulation:
    """Return the scene of a picture, before a robot with one device."""
    nodes, camera = PICTURES[name]
    shapes = "".join(
        f'Solid {{ name "{i}" translation {place} recognitionColors [ {i / 6:.2f} 1 {1 - i / 6:.2f} ] '
        f"children [ Shape {{ {look} geometry {geometry} }} ] }}\n"
        for i, (place, look, geometry) in enumerate(THINGS)
    )
    sky = "skyColor [ 0.4 0.7 1 ]" if name != "lensFlare" else "skyColor [ 0.4 0.6 0.85 ]"
    if "sky box" in name:
        sky = " ".join(f'{one}Url "{one}.png"' for one in FACES)
    if "Irradiance" in name:
        sky += " ".join(f' {one}IrradianceUrl "{one}.hdr"' for one in FACES)
    fields = f"width {WIDTH} height {HEIGHT} {camera}"
    device = (
        f"RangeFinder {{ {fields} fieldOfView 1.2 maxRange {NEAR} }}"
        if name == "RangeFinder"
        else f"Camera {{ {fields} }}"
    )
    return Simulation(
        load_text(
            "#VRML_SIM R2023b utf8\nWorldInfo { }\nViewpoint { }\n"
            f"Background {{ {sky} }}\n{nodes}\n{shapes}"
            f'Robot {{ controller "<none>" translation 0 0 0.6 children [ {device} ] }}\n',
            str(folder / "sheet.wbt"),
        )
    )


def taken(name: str, folder: Path) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return a picture (HEIGHT, WIDTH, 3), red, green, blue."""
    simulation = world(name, folder)
    robot = simulation.robots.list[0]
    (device,) = robot.devices
    assert isinstance(device, Camera | RangeFinder)
    device.on_enable(32)
    if isinstance(device, RangeFinder):
        device.measure(0.032)
        assert device.pixels is not None
        near = np.clip(1 - device.pixels.view(np.float32) / NEAR, 0, 1).reshape(HEIGHT, WIDTH, 1)
        return np.repeat((255 * near).astype(np.uint8), 3, axis=2)
    device.measure(0.032)
    if "motionBlur" in name:
        device.on_set_fov(0.9)
        device.measure(0.032)
    picture = device.picture
    if "segmentation" in name:
        numbers = np.empty(WIDTH * HEIGHT, dtype=np.uint32)
        simulation.renderer.draw_numbers(device.view(0), numbers)
        picture = simulation.renderer.recognition_colors()[numbers].view(np.uint8)
    assert picture is not None
    return picture.reshape(HEIGHT, WIDTH, 4)[:, :, 2::-1]


def main() -> None:
    """Draw the sheet."""
    import PIL.Image
    import PIL.ImageDraw

    rows = -(-len(PICTURES) // COLUMNS)
    sheet = PIL.Image.new("RGB", (COLUMNS * WIDTH, rows * (HEIGHT + LABEL)), "white")
    pen = PIL.ImageDraw.Draw(sheet)
    folder = Path(tempfile.mkdtemp())
    write_files(folder)
    for i, name in enumerate(PICTURES):
        x, y = i % COLUMNS * WIDTH, i // COLUMNS * (HEIGHT + LABEL)
        pen.text((x + 4, y + 1), name, fill="black")
        sheet.paste(PIL.Image.fromarray(np.ascontiguousarray(taken(name, folder))), (x, y + LABEL))
    GOAL.parent.mkdir(exist_ok=True)
    sheet.save(GOAL, optimize=True)
    print(GOAL)


if __name__ == "__main__":
    main()
