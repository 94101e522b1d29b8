"""Pictures of cameras, drawn in Chromium by WebGL 2.

Judge: the same controller's pictures on this computer, by OpenGL 4.3 and another driver.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.live.test_browser import drop, lines_of, page
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import load_world

__all__ = ["page"]

pytestmark = pytest.mark.live

STEPS = 3
NEAR = 3
"""Values from 0 to 255 that rounding may differ by."""
EDGES = 0.01
"""The largest share of other values: at the edges of shapes and shadows, drivers may choose another pixel."""
STRAY = 0.001
"""The share of values that no pixel beside has, either."""
WIDTH, HEIGHT = 96, 64
TAKE = f"""
import sys
from pathlib import Path
from controller import Robot
robot = Robot()
cameras = [robot.getDevice("camera")]
for camera in cameras:
    camera.enable(16)
    if camera.hasRecognition():
        camera.recognitionEnable(16)
        camera.enableRecognitionSegmentation()
for _ in range({STEPS}):
    robot.step(16)
file = Path("/scene/pictures") if sys.platform == "emscripten" else Path(__file__).with_name("pictures")
taken = [camera.getImage() for camera in cameras]
taken += [one.getRecognitionSegmentationImage() for one in cameras if one.hasRecognition()]
file.write_bytes(b"".join(taken))
print("pictures taken", flush=True)
robot.step(16)
"""
HEAD = """#VRML_SIM R2025a utf8
WorldInfo {{ basicTimeStep 16 }}
Robot {{ translation 0 0 1 controller "mine" children [
  Camera {{ name "camera" width 96 height 64 fieldOfView 1.2 {camera} }} ] }}
"""
FLOOR = """Solid {{ children [ Shape {{
  appearance PBRAppearance {{ {} metalness 0 roughness 0.6 }} geometry Plane {{ size 9 9 }} }} ] }}
"""
PAPER = 'baseColorMap ImageTexture { url "squared_paper.png" }'
THINGS = """
Solid { translation 2 0 0.9 rotation 1 2 3 0.7 recognitionColors [ 1 0.5 0 ] children [
  Shape { appearance PBRAppearance { baseColor 0.8 0.2 0.1 roughness 0.3 metalness 0.7 }
    geometry Box { size 0.6 0.6 0.6 } } ] }
Solid { translation 2 1 1 recognitionColors [ 0 0.5 1 ] children [
  Shape { appearance PBRAppearance { baseColor 0.1 0.6 0.3 roughness 0.8 metalness 0 }
    geometry Sphere { radius 0.4 subdivision 3 } } ] }
Solid { translation 2.5 -1 1 children [
  Shape { appearance Appearance { material Material {
    diffuseColor 0.3 0.4 0.9 specularColor 1 1 1 shininess 0.5 } }
    geometry Cylinder { radius 0.3 height 0.8 } } ] }
"""
FOG = 'Fog { color 0.5 0.6 0.7 fogType "EXPONENTIAL" visibilityRange 4 }'
SUN = "DirectionalLight { direction 0.5 0.4 -1 intensity 1.5 castShadows TRUE }"
LAMPS = """
PointLight { location 1 -0.5 2 intensity 0.8 attenuation 0 0 1 castShadows TRUE radius 20 }
SpotLight { location 0 1 3 direction 1 -0.4 -1 intensity 2 castShadows TRUE radius 20
  cutOffAngle 0.7 beamWidth 0.3 }
"""
LINES = """
Shape { appearance Appearance { material Material { emissiveColor 1 0 0 } } geometry IndexedLineSet {
  coord Coordinate { point [ 1.5 0.6 1.3, 1.5 -0.6 1.2, 1.5 -0.6 0.7 ] } coordIndex [ 0 1 2 -1 ] } }
Shape { geometry PointSet { coord Coordinate { point [ 1.5 0.4 1.1, 1.5 -0.4 1 ] }
  color Color { color [ 0 1 0, 1 1 0 ] } } }
Solid { translation 1.5 0.5 0.8 children [ Shape {
  appearance PBRAppearance { baseColor 1 1 1 transparency 0.5 metalness 0 }
  geometry Box { size 0.05 0.4 0.4 } } ] }
"""
SCENES = {
    "sun": ("", SUN + FLOOR.format(PAPER) + THINGS),
    "smooth": ("antiAliasing TRUE", SUN + FLOOR.format(PAPER) + THINGS),
    "lamps": ("", LAMPS + FLOOR.format("") + THINGS),
    "fog": ("", SUN + FOG + THINGS + FLOOR.format(PAPER)),
    "lines": ("", "Background { skyColor [ 0.2 0.3 0.5 ] }" + SUN + LINES + THINGS),
    "lens": ("lens Lens { radialCoefficients 0.2 0.1 } motionBlur 100", SUN + THINGS + FLOOR.format(PAPER)),
    "bloom": ("bloomThreshold 0.2 ambientOcclusionRadius 1", SUN + THINGS + FLOOR.format(PAPER)),
    "focus": ("focus Focus { focalDistance 1.5 focalLength 0.5 }", SUN + THINGS + FLOOR.format(PAPER)),
    "sphere": ('projection "spherical"', SUN + LAMPS + FLOOR.format(PAPER) + THINGS),
    "around": ('projection "cylindrical"', SUN + FLOOR.format(PAPER) + THINGS),
    "segments": ("recognition Recognition { segmentation TRUE }", SUN + FLOOR.format("") + THINGS),
    "sky": ("", "TexturedBackground { } " + FLOOR.format("") + THINGS),
}  # fmt: skip
PROTO = 'EXTERNPROTO "webots://projects/objects/backgrounds/protos/TexturedBackground.proto"\n'
PAPER_FILE = Path(__file__).resolve().parents[2] / "worlds" / "textures" / "squared_paper.png"


def archive_of(name: str) -> bytes:
    """Return the project of a scene."""
    camera, nodes = SCENES[name]
    text = HEAD.format(camera=camera) + nodes
    if "TexturedBackground" in nodes:
        text = text.replace("utf8\n", "utf8\n" + PROTO, 1)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("worlds/a.wbt", text)
        archive.writestr("worlds/squared_paper.png", PAPER_FILE.read_bytes())
        archive.writestr("controllers/mine/mine.py", TAKE)
    return file.getvalue()


def natively(data: bytes, folder: Path) -> bytes:
    """Return the pictures of a run on this computer."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder)
    with Runner(load_world(folder / "worlds" / "a.wbt"), RunOptions(inline=True)) as runner:
        assert runner.run().status == 0
    return (folder / "controllers" / "mine" / "pictures").read_bytes()


def assert_same_pictures(taken: NDArray[np.int64], expected: NDArray[np.int64]) -> None:
    """Compare pictures, one after another; what differs has the value of a pixel beside it."""
    assert taken.shape == expected.shape
    off = np.abs(taken - expected)
    print("largest", off.max(), "mean", off.mean().round(3), "beyond", (off > NEAR).mean().round(5))
    assert (off > NEAR).mean() < EDGES
    whole = np.pad(expected.reshape(-1, HEIGHT, WIDTH, 4), ((0, 0), (1, 1), (1, 1), (0, 0)), "edge")
    beside = [whole[:, y : y + HEIGHT, x : x + WIDTH] for y in range(3) for x in range(3)]
    near = (np.min(beside, 0).ravel() - NEAR <= taken) & (taken <= np.max(beside, 0).ravel() + NEAR)
    print("beyond the pixels beside", (~near).mean().round(5))
    assert (~near).mean() < STRAY


@pytest.mark.parametrize("name", SCENES)
def test_a_picture_is_that_of_this_computer(name: str, page, tmp_path: Path):
    data = archive_of(name)
    expected = np.frombuffer(natively(data, tmp_path), np.uint8).astype(int)
    drop(page, data)
    lines_of(page, "pictures taken")
    taken = np.array(page.evaluate("async () => [...await runInside.ask('scene', 'pictures')]"))
    assert len(np.unique(expected)) > 4
    assert_same_pictures(taken, expected)
