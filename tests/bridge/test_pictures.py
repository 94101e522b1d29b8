"""Camera pictures over the robot link: raw or JPEG, with a limited rate, hostile or broken ones."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE, CompletedProcess, Popen, run

import numpy as np
import PIL.Image
import pytest

from tests.bridge.conftest import HEAD, Serving
from tests.bridge.test_bridge import sample, step
from tests.conftest import CHECKOUT
from wbridge.hal.protocol.received_picture import received_pixels
from wbridge.wbcore.bridge.sent_pictures import SentPictures
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

WIDTH, HEIGHT = 64, 48
CAMERA, RANGES = 1, 2
SCENE = f"""
Background {{ skyColor [ 0.4 0.7 1 ] }}
DirectionalLight {{ direction 0.6 0.2 -1 }}
Solid {{ translation 2 0 0 children [ Shape {{
  appearance PBRAppearance {{ baseColor 0.9 0.4 0.1 roughness 0.4 metalness 0 }}
  geometry Sphere {{ radius 0.7 }}
}} ] }}
Robot {{ name "rover" controller "<none>" children [
  Camera {{ name "camera" width {WIDTH} height {HEIGHT} }}
  RangeFinder {{ name "ranges" width 8 height 4 maxRange 5 }}
] }}
"""
Serve = Callable[..., Serving]
WBRIDGE = [sys.executable, "-m", "wbridge"]


def inside() -> bytes:
    """The picture of the same camera in a simulation."""
    simulation = Simulation(load_text(HEAD + SCENE))
    camera = simulation.robots.list[0].devices[0]
    camera.on_enable(8)
    simulation.step()
    simulation.robots.list[0].sample()
    return bytes(camera.pixels.tobytes())


def test_raw_pictures_are_the_same_bits_as_in_the_simulation(serve: Serve):
    master = serve(SCENE).drive()
    sample(master, CAMERA, "wb_camera_enable", 8)
    assert step(master, 8)["camera.image"] == inside()


def test_jpeg_pictures_are_small_and_look_the_same(serve: Serve):
    """Mean difference below 3 of 255 at a quality of 90; JPEG halves the resolution of colors."""
    master = serve(SCENE, sent=SentPictures(quality=90)).drive()
    sample(master, CAMERA, "wb_camera_enable", 8)
    sent = step(master, 8)["camera.image"]
    assert len(sent) < 4 * WIDTH * HEIGHT / 5
    received = np.frombuffer(received_pixels(sent, WIDTH, HEIGHT), np.uint8).astype(int)
    assert np.abs(received - np.frombuffer(inside(), np.uint8)).mean() < 3
    assert (received[3::4] == 255).all()


def test_the_rate_of_pictures_is_limited(serve: Serve):
    """25 pictures per second: one in 40 ms, however often the controller asks; other sensors keep theirs."""
    master = serve(SCENE, sent=SentPictures(rate=25)).drive()
    sample(master, CAMERA, "wb_camera_enable", 8)
    sample(master, RANGES, "wb_range_finder_enable", 80)
    came = [sorted(step(master, 8)) for _ in range(10)]
    assert [index for index, one in enumerate(came, 1) if "camera.image" in one] == [5, 10]
    assert [index for index, one in enumerate(came, 1) if "ranges.rangeImage" in one] == [10]


def jpeg(width: int, height: int) -> bytes:
    file = io.BytesIO()
    PIL.Image.new("RGB", (width, height), (200, 100, 50)).save(file, "JPEG")
    return file.getvalue()


def test_a_received_jpeg_becomes_blue_green_red_alpha():
    pixels = np.frombuffer(received_pixels(jpeg(4, 2), 4, 2), np.uint8).reshape(2, 4, 4).astype(int)
    assert np.abs(pixels - (50, 100, 200, 255)).max() <= 3


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "has 0 bytes; allowed: 32 for 4 x 2 pixels, or JPEG"),
        (b"x" * 31, "has 31 bytes"),
        (jpeg(5, 2), "has 5 x 2 pixels; allowed: 4 x 2"),
        (jpeg(4000, 4000), "has 4000 x 4000 pixels"),
        (jpeg(4, 2)[:200], "cannot be decoded"),
        (b"\xff\xd8" + bytes(100), "cannot be decoded"),
    ],
)
def test_a_broken_picture_is_refused_in_words(data: bytes, words: str):
    with pytest.raises(ValueError, match=words):
        received_pixels(data, 4, 2)


EARLY = """
from controller import Robot
robot = Robot()
camera, ranges = robot.getDevice("camera"), robot.getDevice("ranges")
camera.enable(8)
ranges.enable(8)
robot.step(8)
print(set(camera.getImage()), set(ranges.getRangeImage()), len(camera.getImage()))
"""


def remote(folder: Path, world: str, *options: str) -> CompletedProcess[str]:
    """Run `wbridge remote` with a robot behind a wire; `options` are the robot's."""
    given = ["--mode", "steps", "--url", "tcp://127.0.0.1", "--quiet", *options]
    with Popen([*WBRIDGE, "bridge", world, *given], stdout=PIPE, text=True) as robot:
        try:
            assert robot.stdout is not None
            address = robot.stdout.readline().split()[-1]
            command = [*WBRIDGE, "remote", world, "--url", address]
            return run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
        finally:
            robot.terminate()


def test_before_the_first_picture_cameras_show_what_they_show_in_simulation(tmp_path: Path):
    """Black, opaque pixels, and infinite distances; not None, which controllers for Webots do not expect."""
    (tmp_path / "worlds").mkdir()
    (tmp_path / "controllers" / "early").mkdir(parents=True)
    (tmp_path / "controllers" / "early" / "early.py").write_text(EARLY, encoding="utf-8")
    world = tmp_path / "worlds" / "early.wbt"
    world.write_text(HEAD + SCENE.replace("<none>", "early"), encoding="utf-8")
    done = remote(tmp_path, str(world), "--picture-rate", "1")
    assert done.stdout.splitlines()[-1] == f"{{0, 255}} {{inf}} {4 * WIDTH * HEIGHT}", done.stderr


def test_a_camera_controller_drives_a_robot_behind_a_wire(tmp_path: Path):
    """The sample controller, unchanged, with JPEG pictures over TCP."""
    pytest.importorskip("cv2", reason="OpenCV is not installed")
    world = str(CHECKOUT / "worlds" / "ball_seeker.wbt")
    done = remote(tmp_path, world, "--pictures", "jpeg")
    assert done.returncode == 0, done.stderr
    assert "found the red ball" in done.stdout
    assert "does not answer" not in done.stderr
