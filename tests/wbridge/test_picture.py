"""`wbridge picture`, and pictures, movies and animations of `wbridge run`.

Judge: the manual's Viewpoint; Pillow and the MP4 signature for the files.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.waiting import wait_for
from wbridge.main import main

WORLD = """#VRML_SIM R2023b utf8
WorldInfo { basicTimeStep 20 }
Viewpoint { position 0 0 0 }
Background { skyColor [ 0 0 1 ] }
Solid {
  translation 3 0 0
  children [ Shape {
    appearance PBRAppearance { emissiveColor 1 0 0 baseColor 0 0 0 }
    geometry Sphere { radius 0.3 }
  } ]
  boundingObject Sphere { radius 0.3 }
  physics Physics { }
}
"""


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ball that falls out of view, in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "ball.wbt"
    path.write_text(WORLD)
    return path


def center(path: str) -> tuple[int, ...]:
    with Image.open(path) as image:
        found = image.convert("RGB").getpixel((image.width // 2, image.height // 2))
    assert isinstance(found, tuple)
    return found


def test_a_picture_of_the_start(tmp_path: Path):
    assert main(["picture", "ball.wbt", "a.png", "--size", "64x48"]) == 0
    with Image.open("a.png") as image:
        assert image.size == (64, 48)
    assert center("a.png")[0] > 150


def test_a_picture_of_later():
    assert main(["picture", "ball.wbt", "a.jpg", "--size", "64x48", "--time", "1", "--quality", "95"]) == 0
    assert center("a.jpg")[2] > 150 > center("a.jpg")[0]


def test_the_default_size():
    assert main(["picture", "ball.wbt", "a.png"]) == 0
    with Image.open("a.png") as image:
        assert image.size == (1280, 720)


def test_wrong_names_and_folders_are_told(capsys: pytest.CaptureFixture[str]):
    assert main(["picture", "ball.wbt", "a.gif"]) == 2
    assert ".png, .jpg or .jpeg file" in capsys.readouterr().err
    assert main(["picture", "ball.wbt", "absent/a.png"]) == 2
    assert "mkdir -p absent" in capsys.readouterr().err


def test_wrong_sizes_are_told(capsys: pytest.CaptureFixture[str]):
    for size in ("64", "0x48", "axb", "-1x3"):
        with pytest.raises(SystemExit):
            main(["picture", "ball.wbt", "a.png", f"--size={size}"])
        assert "such as 1280x720" in capsys.readouterr().err
    assert main(["picture", "ball.wbt", "a.png", "--size", "9000x10"]) == 2
    assert "allowed: 1 to 8192" in capsys.readouterr().err


def test_fine_looks_of_pictures():
    """A light of 1: 255 (1 - exp(-1))^(1/2.2) or, by Narkowicz's curve for 0.7, 255 * 0.717^(1/2.2)."""
    assert main(["picture", "ball.wbt", "plain.png", "--size", "64x48"]) == 0
    assert main(["picture", "ball.wbt", "fine.png", "--size", "64x48", "--looks", "fine"]) == 0
    assert center("plain.png")[0] == pytest.approx(207, abs=2)
    assert center("fine.png")[0] == pytest.approx(219, abs=2)
    for more in (["fine"], ["view", "--no-controllers"]):
        arguments = ["--steps", "0", "--picture", "run.png", "--view-size", "64x48", "--looks", *more]
        assert main(["run", "ball.wbt", *arguments]) == 0
        assert center("run.png") == center("fine.png")


@pytest.mark.parametrize("more", [["--no-controllers"], []])
def test_a_run_with_a_movie_and_a_picture(more: list[str], tmp_path: Path):
    arguments = ["--duration", "1", "--movie", "a.mp4", "--picture", "a.png", "--view-size", "64x48"]
    assert main(["run", "ball.wbt", *arguments, *more]) == 0
    assert (tmp_path / "a.mp4").read_bytes()[4:8] == b"ftyp"
    assert center("a.png")[2] > 150


def test_a_movie_beside_a_recording(tmp_path: Path):
    arguments = ["--duration", "0.2", "--movie", "a.mp4", "--record", "a.csv", "--view-size", "64x48"]
    assert main(["run", "ball.wbt", *arguments]) == 0
    assert (tmp_path / "a.mp4").exists()
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 12


def test_a_run_without_steps_says_that_there_is_no_movie(capsys: pytest.CaptureFixture[str]):
    assert main(["run", "ball.wbt", "--steps", "0", "--movie", "a.mp4", "--view-size", "64x48"]) == 1
    assert "the simulation did not run" in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--no-controllers"], []])
def test_a_run_with_an_animation(more: list[str], tmp_path: Path):
    assert main(["run", "ball.wbt", "--duration", "1", "--animation", "a.html", *more]) == 0
    frames = json.loads((tmp_path / "a.json").read_text())["frames"]
    assert frames[-1]["time"] == 1000
    height = float(frames[-1]["updates"][0]["translation"].split()[2])
    assert height == pytest.approx(-9.81 / 2, rel=0.03)


def test_the_animation_of_a_killed_run_is_complete(tmp_path: Path):
    """Nothing is left to do at the end of a run. A process stops before or after a write, never within it."""
    arguments = ["run", "ball.wbt", "--duration", "1e6", "--no-controllers", "--animation", "a.html"]
    with subprocess.Popen([sys.executable, "-m", "wbridge", *arguments]) as process:
        wait_for(lambda: (tmp_path / "a.json").exists() and (tmp_path / "a.json").stat().st_size > 100_000)
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        process.kill()
    frames = json.loads((tmp_path / "a.json").read_text())["frames"]
    assert [frame["time"] for frame in frames] == [20 * i for i in range(len(frames))]


def test_animations_have_a_page(capsys: pytest.CaptureFixture[str]):
    assert main(["run", "ball.wbt", "--animation", "a.mp4"]) == 2
    assert "an animation must be a .html file, for example a.html" in capsys.readouterr().err
