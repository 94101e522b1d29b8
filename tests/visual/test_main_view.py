"""Pictures and movies of the main view, against closed forms.

Judges: manual, chapters Viewpoint, wb_supervisor_export_image and wb_supervisor_movie_start_recording;
WbVideoRecorder (estimateMovieInfo) for the times of a movie's pictures; ffmpeg reads the movies.
"""

from __future__ import annotations

import gc
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.devices.rig import NEW, OLD
from wbridge.hal.installation import extra_command
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.visual import movie as movies
from wbridge.wbcore.visual.errors import MovieError, PictureError
from wbridge.wbcore.visual.main_view import MainView, save_picture
from wbridge.wbcore.visual.movie import Caption, Movie, find_encoder, pace_of

GLOW = "appearance PBRAppearance { baseColor 0 0 0 emissiveColor 1 1 1 roughness 1 metalness 0 }"
BOX = (
    'DEF BOX Solid { name "box" translation 2 0 0 children [ '
    f"Shape {{ {GLOW} geometry Box {{ size 0.4 0.4 0.4 }} }} ] }}"
)
FALLING = BOX.replace("children", "boundingObject Sphere { radius 0.1 } physics Physics { } children")


def simulation(text: str, viewpoint: str = "position 0 0 0", header: str = NEW) -> Simulation:
    world = load_text(
        f"{header}WorldInfo {{ basicTimeStep 20 }} Viewpoint {{ {viewpoint} }} {text}", "test.wbt"
    )
    assert world.report.errors == []
    return Simulation(world)


def seen(of: Simulation, size: tuple[int, int] = (80, 40)) -> np.ndarray:
    """Where the box shines."""
    return of.main_view.picture(size)[..., 2] > 150


def columns(angle: float, width: int, half: float = 0.2, ahead: float = 1.8) -> np.ndarray:
    left = (0.5 - (np.arange(width) + 0.5) / width) * 2 * math.tan(angle / 2) * ahead
    return np.abs(left) < half


def test_the_field_of_view_is_that_of_the_width():
    picture = seen(simulation(BOX, "position 0 0 0 fieldOfView 1"))
    assert (picture[20] == columns(1, 80)).all()


def test_in_upright_pictures_it_is_that_of_the_height():
    picture = seen(simulation(BOX, "position 0 0 0 fieldOfView 1"), (40, 80))
    assert (picture[:, 20] == columns(1, 80)).all()


def test_older_releases_look_along_minus_z():
    text = BOX.replace("translation 2 0 0", "translation 0 0 -2")
    assert seen(simulation(text, "position 0 0 0", OLD))[20, 40]


def test_the_viewpoint_turns():
    of = simulation(BOX, "position 2 -2 0 orientation 0 0 1 1.5708")
    assert seen(of)[20, 40]


def test_near_and_far_cut():
    assert not seen(simulation(BOX, "position 0 0 0 far 1.5")).any()
    assert not seen(simulation(BOX, "position 0 0 0 near 3")).any()


def test_hidden_nodes_are_not_shown():
    of = simulation(BOX)
    of.hidden.hide(of.world.first("Viewpoint"), of.node("BOX").node)
    assert not seen(of).any()


@pytest.mark.parametrize(
    ("kind", "row"), [("None", None), ("Tracking Shot", 20), ("Mounted Shot", 20), ("Pan and Tilt Shot", 20)]
)
def test_the_viewpoint_follows_a_solid(kind: str, row: int | None):
    """A falling box stays at the center of the view, unless it is not followed."""
    of = simulation(FALLING, f'position 0 0 0 follow "box" followType "{kind}"')
    of.main_view.picture((8, 8))
    of.step(60)
    picture = seen(of)
    assert bool(picture[20, 40]) is (row is not None)


def test_a_mounted_viewpoint_turns_with_the_solid():
    turning = FALLING.replace("translation 2 0 0", "translation 2 0 0 angularVelocity 0 0 1")
    of = simulation(turning, 'position 0 0 0 follow "box" followType "Mounted Shot"')
    of.step(50)
    place = of.physics.pose(of.node("BOX").node)
    view = MainView(of)._camera.view(10, 10)
    assert view.forward == pytest.approx(place.direction((1.0, 0.0, 0.0)), abs=1e-6)


def test_setting_the_position_moves_a_following_viewpoint():
    of = simulation(FALLING, 'position 0 0 0 follow "box"')
    of.main_view.picture((8, 8))
    of.step(20)
    fallen = of.physics.pose(of.node("BOX").node).position[2]
    of.set_field(of.world.first("Viewpoint"), "position", (0.0, 0.0, fallen))
    assert seen(of)[20, 40]


def test_labels_are_drawn():
    of = simulation("")
    plain = of.main_view.picture((200, 100))
    text = of.main_view.picture((200, 100), [Caption("HHHH", 0.5, 0.5, 0.2, 0x00FF00)])
    changed = (plain != text).any(axis=2)
    assert changed[50:80, 100:].sum() > 50
    assert not changed[:50].any()
    assert not changed[:, :99].any()
    assert text[..., 1].max() > 200


@pytest.mark.parametrize("size", [(0, 10), (10, -1), (10_000, 10)])
def test_impossible_sizes_are_refused(size: tuple[int, int]):
    with pytest.raises(PictureError, match="allowed: 1 to 8192"):
        simulation("").main_view.picture(size)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".JPEG"])
def test_files(suffix: str, tmp_path: Path):
    pixels = np.zeros((6, 8, 4), dtype=np.uint8)
    pixels[...] = (200, 100, 50, 255)
    path = tmp_path / f"view{suffix}"
    save_picture(pixels, path, 95)
    with Image.open(path) as image:
        assert image.size == (8, 6)
        assert image.convert("RGB").getpixel((3, 3)) == pytest.approx((50, 100, 200), abs=3)


def test_lower_quality_makes_smaller_files(tmp_path: Path):
    pixels = np.random.default_rng(1).integers(0, 256, (60, 80, 4), dtype=np.uint8)
    sizes = []
    for quality in (10, 90):
        save_picture(pixels, tmp_path / "a.jpg", quality)
        sizes.append((tmp_path / "a.jpg").stat().st_size)
    assert sizes[0] < sizes[1] / 2


@pytest.mark.parametrize("quality", [-1, 0, 101])
def test_png_files_have_no_quality(quality: int, tmp_path: Path):
    """Manual, wb_camera_save_image: the quality is ignored for PNG images."""
    save_picture(np.zeros((2, 2, 4), dtype=np.uint8), tmp_path / "a.png", quality)
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (2, 2)


@pytest.mark.parametrize(("name", "quality"), [("a.bmp", 90), ("a", 90), ("a.jpg", 0), ("a.jpg", 101)])
def test_wrong_names_and_qualities_are_refused(name: str, quality: int, tmp_path: Path):
    with pytest.raises(PictureError):
        save_picture(np.zeros((2, 2, 4), dtype=np.uint8), tmp_path / name, quality)


# Movies.


@pytest.mark.parametrize(
    ("step", "acceleration", "steps", "rate"),
    [
        (32, 1, 1, 31.25),
        (16, 1, 2, 31.25),
        (10, 1, 4, 25),
        (64, 1, 1, 15.625),
        (8, 2, 10, 25),
        (32, 2, 2, 31.25),
    ],
)
def test_the_pace_of_movies(step: float, acceleration: int, steps: int, rate: float):
    """Pictures come after a whole number of steps, nearly every 40 ms."""
    assert pace_of(step, acceleration) == (steps, pytest.approx(rate))


def facts(path: Path) -> tuple[str, str, float, int]:
    """Size, codec, rate and number of pictures as ffmpeg reads them."""
    told = subprocess.run(
        [find_encoder(), "-i", str(path), "-f", "null", "-"], capture_output=True, text=True, check=True
    ).stderr
    size = re.search(r"Video: (\w+).*?(\d{2,}x\d{2,})", told)
    rate = re.search(r"([\d.]+) fps", told)
    assert size and rate, told
    return size[2], size[1], float(rate[1]), int(re.findall(r"frame=\s*(\d+)", told)[-1])


def record(of: Simulation, path: Path, steps: int = 20, **options: Any) -> Movie:
    made = of.main_view.record(path, **{"width": 64, "height": 48} | options)
    for _ in range(steps):
        of.step()
        made.take()
    made.close()
    return made


def test_a_movie(tmp_path: Path):
    made = record(simulation(FALLING), tmp_path / "fall")
    assert made.path == tmp_path / "fall.mp4"
    assert facts(made.path) == ("64x48", "h264", 25, 10)
    assert [one.name for one in tmp_path.iterdir()] == ["fall.mp4"]


def test_odd_sizes_and_captions(tmp_path: Path):
    made = record(simulation(BOX), tmp_path / "a.mp4", width=63, height=47, has_caption=True, acceleration=2)
    assert facts(made.path) == ("64x48", "h264", 25, 5)


@pytest.mark.parametrize(
    ("options", "word"),
    [({"width": 0}, "width 0"), ({"quality": 101}, "quality 101"), ({"acceleration": 0}, "acceleration 0")],
)
def test_wrong_options_are_refused(options: dict[str, int], word: str, tmp_path: Path):
    with pytest.raises(MovieError, match=word):
        record(simulation(""), tmp_path / "a.mp4", **options)


def test_a_movie_without_a_picture_leaves_no_file(tmp_path: Path):
    with pytest.raises(MovieError, match="the simulation did not run"):
        record(simulation(""), tmp_path / "a.mp4", steps=0)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_encoder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setattr(movies.shutil, "which", lambda name: None)
    with pytest.raises(MovieError, match=re.escape(extra_command("movie"))):
        record(simulation(""), tmp_path / "a.mp4")


def test_a_failing_encoder_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\necho no such codec >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setattr(movies, "find_encoder", lambda: str(program))
    with pytest.raises(MovieError, match="not encoded: no such codec"):
        record(simulation(""), tmp_path / "a.mp4", 200)


def test_a_missing_folder_is_reported(tmp_path: Path):
    with pytest.raises(MovieError, match="there is no folder"):
        record(simulation(""), tmp_path / "absent" / "a.mp4")


def test_an_interrupt_of_the_run_completes_the_movie(tmp_path: Path):
    """Ctrl-C reaches all processes of a terminal's group: the encoder has its own."""
    of = simulation(BOX)
    made = of.main_view.record(tmp_path / "a.mp4", 64, 48)
    assert os.getpgid(made.encoder_id) != os.getpgid(0)
    for _ in range(4):
        of.step()
        made.take()
    del made
    gc.collect()
    assert facts(tmp_path / "a.mp4")[3] == 2
