"""Draws the pictures of the gallery: robots, vehicles and sample worlds, in docs/images.

Run `python -m scripts.draw_gallery` after changing models or how they look. With `--beside FOLDER` it draws
ten models as they are and, plainly, as they are in another checkout. The pictures depend on the graphics
driver in their last bits, so that no test compares them.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import PIL.Image
import PIL.ImageDraw
from numpy.typing import NDArray

from wbridge.wbcore.physics_plugins.options import PluginOptions
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

__all__ = ["ROBOTS", "VEHICLES", "WORLDS", "main"]

CHECKOUT = Path(__file__).resolve().parents[1]
PROTOS, IMAGES = CHECKOUT / "protos", CHECKOUT / "docs" / "images"
TILE, COLUMNS, LABEL = (240, 200), 5, 18
"""Width and height of a picture, pictures of a row, height of the text below (pixels)."""
QUALITY = 80
AROUND, ABOVE, ANGLE = 0.75, 0.4, 0.8
"""From where models are seen: the angle from their x axis, the elevation, and the field of view (rad)."""
SURROUNDINGS = """#VRML_SIM R2025a utf8
EXTERNPROTO "{protos}/backgrounds/TexturedBackground.proto"
EXTERNPROTO "{protos}/backgrounds/TexturedBackgroundLight.proto"
EXTERNPROTO "{protos}/floors/Floor.proto"
EXTERNPROTO "{model}"
WorldInfo {{ }}
TexturedBackground {{ texture "noon_sunny_empty" }}
TexturedBackgroundLight {{ texture "noon_sunny_empty" }}
"""
FLOOR = "appearance PBRAppearance { baseColor 0.76 0.68 0.6 roughness 1 metalness 0 }"
ROBOTS = tuple(
    path
    for path in sorted((PROTOS / "robots").rglob("*.proto"), key=lambda path: path.stem.lower())
    if path.parent.name not in ("abstract", "benchmarks")  # those of benchmarks have nothing to see
    and "SFString   controller" in path.read_text(encoding="utf-8")
)
VEHICLES = tuple(
    path
    for path in sorted((PROTOS / "vehicles").rglob("*.proto"), key=lambda path: path.stem.lower())
    if path.parent.name != "abstract" and "translation" in path.read_text(encoding="utf-8")
)
COMPARED = (
    *("robots/gctronic/E-puck", "robots/robotis/TurtleBot3Burger", "robots/softbank/Nao"),
    *("robots/adept/Pioneer3dx", "robots/universal_robots/UR5e", "robots/franka_emika/Panda"),
    *("robots/pal_robotics/Tiago", "robots/boston_dynamics/Spot"),
    *("vehicles/bmw/BmwX5", "robots/dji/Mavic2Pro"),
)
WORLDS = tuple(sorted((CHECKOUT / "worlds").glob("*.wbt")))
Picture = PIL.Image.Image


def main() -> int:
    """Draw all pictures, or those beside another checkout."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="another checkout")
    other = parser.parse_args().beside
    if other is not None:
        draw_beside(other / "protos")
        return 0
    for name, paths, draw in (
        ("gallery_ten", [PROTOS / f"{name}.proto" for name in COMPARED], model_picture),
        ("gallery_robots", ROBOTS, model_picture),
        ("gallery_vehicles", VEHICLES, model_picture),
        ("gallery_worlds", WORLDS, world_picture),
    ):
        sheet(paths, draw).save(IMAGES / f"{name}.jpg", quality=QUALITY)
        print(f"docs/images/{name}.jpg: {len(paths)} pictures")
    return 0


def draw_beside(protos: Path) -> None:
    """Draw the compared models: a row as they are in a folder, a row as they are here, and so on."""
    paths: list[Path] = []
    for i in range(0, len(COMPARED), COLUMNS):
        row = COMPARED[i : i + COLUMNS]
        paths += [folder / f"{name}.proto" for folder in (protos, PROTOS) for name in row]
    drawn = sheet(paths, lambda path: model_picture(path, path.is_relative_to(PROTOS)))
    drawn.save(IMAGES / "gallery_before_after.jpg", quality=QUALITY)


def sheet(paths: Sequence[Path], draw: Callable[[Path], Picture]) -> Picture:
    """Return the pictures of files in rows, each above its name."""
    width, height = TILE[0], TILE[1] + LABEL
    rows = math.ceil(len(paths) / COLUMNS)
    made = PIL.Image.new("RGB", (COLUMNS * width, rows * height), "white")
    pen = PIL.ImageDraw.Draw(made)
    for i, path in enumerate(paths):
        left, top = i % COLUMNS * width, i // COLUMNS * height
        made.paste(draw(path), (left, top))
        pen.text((left + width / 2, top + TILE[1] + 3), path.stem, fill="black", anchor="ma")
    return made


def world_picture(path: Path) -> Picture:
    """Return the first picture of a world."""
    return _picture(Simulation(path, plugin=PluginOptions(is_wanted=False)))


def model_picture(path: Path, is_fine: bool = True) -> Picture:
    """Return a model on a floor, which fills the picture."""
    head = SURROUNDINGS.format(protos=PROTOS, model=path)
    has_controller = "controller " in path.read_text(encoding="utf-8").split("]", 1)[0]
    controller = 'controller "<none>"' if has_controller else ""
    model = f"{path.stem} {{ {controller} }}\n"
    low, high = _extent(Simulation(load_text(head + model)))
    side = 60 * float(np.linalg.norm(high - low))
    floor = f"Floor {{ translation 0 0 {low[2] - 1e-3} size {side} {side} {FLOOR} }}\n"
    return _picture(Simulation(load_text(head + model + floor + _viewpoint(low, high))), is_fine)


def _picture(simulation: Simulation, is_fine: bool = True) -> Picture:
    simulation.has_fine_looks = is_fine
    return PIL.Image.fromarray(np.ascontiguousarray(simulation.main_view.picture(TILE)[..., 2::-1]))


def _extent(simulation: Simulation) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lowest and the highest corner of all that is seen.

    Models stand on their bounding objects, or on the ground if it is lower.
    """
    renderer, engine = simulation.renderer, simulation.physics.engine
    renderer.follow()
    low, high = (np.array(corner) for corner in renderer.scene.list.bounds())
    low[2] = min([0.0, *(engine.geom(i).bounds[0][2] for i in range(engine.geom_count))])
    return low, high


def _viewpoint(low: Iterable[float], high: Iterable[float]) -> str:
    """Return a Viewpoint that sees a box from its front, left and above."""
    first, last = np.asarray(low), np.asarray(high)
    middle, radius = (first + last) / 2, float(np.linalg.norm(last - first)) / 2
    back = np.array([math.cos(ABOVE) * math.cos(AROUND), math.cos(ABOVE) * math.sin(AROUND), math.sin(ABOVE)])
    ahead = -back
    left = np.cross((0.0, 0.0, 1.0), ahead)
    left /= np.linalg.norm(left)
    turn = np.stack([ahead, left, np.cross(ahead, left)], axis=1)
    angle = math.acos((np.trace(turn) - 1) / 2)
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    axis /= 2 * math.sin(angle)
    x, y, z = middle + back * (1.02 * radius / math.sin(ANGLE / 2))
    around = " ".join(f"{part:.6f}" for part in (*axis, angle))
    return f"Viewpoint {{ fieldOfView {ANGLE} position {x} {y} {z} orientation {around} near 0.005 }}\n"


if __name__ == "__main__":
    sys.exit(main())
