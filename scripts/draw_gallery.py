"""Draws the pictures of the gallery in docs/images: a turntable of each robot and vehicle, and samples.

Run `python -m scripts.draw_gallery` after changing models or how they look, and then
`python scripts/generate_gallery_doc.py`; names of models draw some of them. With `--before REF` it draws
contact sheets: all models and samples as they were in a version of git, with plain looks, above what they
are now. The pictures depend on the graphics driver in their last bits, so that no test compares them.
"""

from __future__ import annotations

import argparse
import io
import math
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import PIL.Image
import PIL.ImageDraw
from numpy.typing import NDArray

from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.physics_plugins.options import PluginOptions
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.visual.views import View

__all__ = ["ROBOTS", "VEHICLES", "WORLDS", "main"]

CHECKOUT = Path(__file__).resolve().parents[1]
PROTOS, IMAGES = CHECKOUT / "protos", CHECKOUT / "docs" / "images"
TURNTABLES = IMAGES / "gallery"
TILE, COLUMNS, LABEL = (240, 200), 5, 18
"""Width and height of a picture, pictures of a row, height of the text below (pixels)."""
SMALL, MANY = (120, 100), 10
"""The same of contact sheets."""
QUALITY, SHEET_QUALITY = 80, 60
TURNS, TURN_SIZE, TURN_QUALITY, TURN_MS = 12, (200, 166), 45, 220
"""Pictures of a turntable, their size (pixels), quality (0 to 100) and time (ms)."""
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
    if path.parent.name != "abstract"
    and not path.stem.endswith("Wheel")
    and "translation" in path.read_text(encoding="utf-8")
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
    """Draw the pictures of the page, or contact sheets beside a former version."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", help="of models and worlds; without, all are drawn")
    parser.add_argument("--before", metavar="REF", help="a version of git")
    args = parser.parse_args()
    if args.before is not None:
        draw_contact_sheets(args.before)
        return 0
    TURNTABLES.mkdir(exist_ok=True)
    for path in (*ROBOTS, *VEHICLES):
        if not args.names or path.stem in args.names:
            first, *further = turntable(path)
            _save_turns(first, further, TURNTABLES / f"{path.stem}.webp")
    for path in WORLDS:
        if not args.names or path.stem in args.names:
            picture = world_picture(path).resize(TURN_SIZE, PIL.Image.Resampling.LANCZOS)
            picture.save(TURNTABLES / f"world_{path.stem}.webp", quality=TURN_QUALITY, method=6)
    ten = [PROTOS / f"{name}.proto" for name in COMPARED]
    sheet(ten, model_picture).save(IMAGES / "gallery_ten.jpg", quality=QUALITY)
    size = sum(path.stat().st_size for path in TURNTABLES.iterdir())
    print(
        f"docs/images/gallery: {len(ROBOTS) + len(VEHICLES)} turntables, {len(WORLDS)} worlds, {size} bytes"
    )
    return 0


def draw_contact_sheets(reference: str) -> None:
    """Draw all models and samples: a row as they were, the same as they are now, and so on."""
    with tempfile.TemporaryDirectory() as folder:
        former = Path(folder)
        archive = subprocess.check_output(["git", "archive", reference, "protos", "worlds"], cwd=CHECKOUT)
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(former, filter="data")

        for name, paths, draw in (
            ("gallery_models_before_after", [*ROBOTS, *VEHICLES], model_picture),
            ("gallery_worlds_before_after", WORLDS, world_picture),
        ):
            rows: list[Path] = []
            for i in range(0, len(paths), MANY):
                for root in (former, CHECKOUT):
                    rows += [root / path.relative_to(CHECKOUT) for path in paths[i : i + MANY]]
                    rows += [root / "none"] * (-len(rows) % MANY)
            drawn = sheet(rows, partial(_shrunk, draw, former), SMALL, MANY)
            drawn.save(IMAGES / f"{name}.webp", quality=SHEET_QUALITY, method=6)


def _shrunk(draw: Callable[[Path, bool], Picture], former: Path, path: Path) -> Picture:
    """Return a small picture, plain if it is of the former version; white for models that it lacks."""
    if not path.is_file():
        return PIL.Image.new("RGB", SMALL, "white")
    picture = draw(path, not path.is_relative_to(former))
    return picture.resize(SMALL, PIL.Image.Resampling.LANCZOS)


def sheet(
    paths: Sequence[Path],
    draw: Callable[[Path], Picture],
    tile: tuple[int, int] = TILE,
    columns: int = COLUMNS,
) -> Picture:
    """Return the pictures of files in rows, each above its name."""
    width, height = tile[0], tile[1] + LABEL
    drawn = PIL.Image.new("RGB", (columns * width, math.ceil(len(paths) / columns) * height), "white")
    pen = PIL.ImageDraw.Draw(drawn)
    for i, path in enumerate(paths):
        left, top = i % columns * width, i // columns * height
        drawn.paste(draw(path), (left, top))
        if path.is_file():
            place = (left + width / 2, top + tile[1] + 3)
            size = min(10, int(1.7 * width / len(path.stem)))  # long names in smaller letters
            pen.text(place, path.stem, fill="black", anchor="ma", font_size=size)
    return drawn


def world_picture(path: Path, is_fine: bool = True) -> Picture:
    """Return the first picture of a world."""
    simulation = Simulation(path, plugin=PluginOptions(is_wanted=False))
    simulation.has_fine_looks = is_fine
    return PIL.Image.fromarray(np.ascontiguousarray(simulation.main_view.picture(TILE)[..., 2::-1]))


def model_picture(path: Path, is_fine: bool = True) -> Picture:
    """Return a model on a floor, which fills the picture."""
    return next(views(path, (AROUND,), TILE, is_fine))


def turntable(path: Path) -> Iterator[Picture]:
    """Yield what is seen of a model from all sides."""
    return views(path, [AROUND + 2 * math.pi * i / TURNS for i in range(TURNS)], TURN_SIZE)


def views(
    path: Path, angles: Sequence[float], size: tuple[int, int], is_fine: bool = True
) -> Iterator[Picture]:
    """Yield pictures of a model on a floor, from angles around it (rad)."""
    # models of a former version stand in the surroundings of their time
    protos = next(folder for folder in path.parents if folder.name == "protos")
    head = SURROUNDINGS.format(protos=protos, model=path)
    has_controller = "controller " in path.read_text(encoding="utf-8").split("]", 1)[0]
    controller = 'controller "<none>"' if has_controller else ""
    model = f"{path.stem} {{ {controller} }}\n"
    low, high = _extent(Simulation(load_text(head + model)))
    side = 60 * float(np.linalg.norm(high - low))
    floor = f"Floor {{ translation 0 0 {low[2] - 1e-3} size {side} {side} {FLOOR} }}\n"
    simulation = Simulation(load_text(head + model + floor))
    simulation.renderer.follow()
    for angle in angles:
        pixels = np.empty(size[0] * size[1] * 4, np.uint8)
        simulation.renderer.draw(_view(low, high, angle, size, is_fine), pixels)
        colors = pixels.reshape(size[1], size[0], 4)[..., 2::-1]
        yield PIL.Image.fromarray(np.ascontiguousarray(colors))


def _save_turns(first: Picture, further: list[Picture], path: Path) -> None:
    """Write a turntable that turns once when a page shows it, and ends as it began."""
    first.save(
        path,
        save_all=True,
        append_images=[*further, first],
        duration=TURN_MS,
        loop=1,
        quality=TURN_QUALITY,
        method=6,
        allow_mixed=True,
    )


def _extent(simulation: Simulation) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lowest and the highest corner of all that is seen.

    Models stand on their bounding objects, or on the ground if it is lower.
    """
    renderer, engine = simulation.renderer, simulation.physics.engine
    renderer.follow()
    low, high = (np.array(corner) for corner in renderer.scene.list.bounds())
    low[2] = min([0.0, *(engine.geom(i).bounds[0][2] for i in range(engine.geom_count))])
    return low, high


def _view(
    low: NDArray[np.float64], high: NDArray[np.float64], around: float, size: tuple[int, int], is_fine: bool
) -> View:
    """Return the view of a box from above, at an angle from its x axis (rad)."""
    middle, radius = (low + high) / 2, float(np.linalg.norm(high - low)) / 2
    back = np.array([math.cos(ABOVE) * math.cos(around), math.cos(ABOVE) * math.sin(around), math.sin(ABOVE)])
    right = np.cross(-back, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    return View(
        eye=_vector(middle + back * (1.02 * radius / math.sin(ANGLE / 2))),
        forward=_vector(-back),
        up=_vector(np.cross(right, -back)),
        right=_vector(right),
        width=size[0],
        height=size[1],
        field_of_view=ANGLE,
        near=0.005,
        has_backdrop=True,
        is_smooth=True,
        is_fine=is_fine,
    )


def _vector(values: NDArray[np.float64]) -> Vec3:
    x, y, z = map(float, values)
    return x, y, z


if __name__ == "__main__":
    sys.exit(main())
