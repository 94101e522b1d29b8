"""Images and movies that supervisors ask for, through the object API.

Judge: manual, chapter Supervisor: exportImage, movieStartRecording, movieStopRecording, movieIsReady,
movieFailed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.supervisor.bench import BALL, Bench
from wbridge.hal.installation import extra_command
from wbridge.wbcore.visual import movie as movies


@pytest.mark.parametrize("name", ["view.png", "view.jpg"])
def test_the_view_is_exported(bench: Callable[..., Bench], tmp_path: Path, name: str):
    b = bench(BALL)
    b.simulation.view_size = (64, 36)
    b.api.exportImage(str(tmp_path / name), 80)
    b.tick()
    with Image.open(tmp_path / name) as image:
        assert image.size == (64, 36)


def test_an_export_that_fails_is_told(bench: Callable[..., Bench], tmp_path: Path):
    b = bench(BALL)
    b.api.exportImage(str(tmp_path / "view.gif"), 80)
    b.api.exportImage(str(tmp_path / "absent" / "view.png"), 80)
    b.tick()
    assert any("must end in .png" in one for one in b.warnings)
    assert any("No such file or directory" in one for one in b.warnings)


def test_a_movie_is_recorded(bench: Callable[..., Bench], tmp_path: Path):
    b = bench(BALL)
    path = tmp_path / "fall.mp4"
    assert b.api.movieIsReady()
    b.api.movieStartRecording(str(path), 64, 36, 0, 80, 1, True)
    b.tick(2)
    assert not b.api.movieIsReady()
    assert not path.exists()
    b.tick(8)
    b.api.movieStopRecording()
    b.tick()
    assert b.api.movieIsReady()
    assert not b.api.movieFailed()
    assert path.read_bytes()[4:8] == b"ftyp"


def test_a_movie_without_steps_fails(bench: Callable[..., Bench], tmp_path: Path):
    b = bench(BALL)
    b.api.movieStartRecording(str(tmp_path / "a.mp4"), 64, 36, 0, 80, 1, False)
    b.api.movieStopRecording()
    b.tick()
    assert b.api.movieFailed()
    assert list(tmp_path.iterdir()) == []


def test_without_ffmpeg_a_movie_fails_with_advice(
    bench: Callable[..., Bench], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setattr(movies.shutil, "which", lambda name: None)
    b = bench(BALL)
    b.api.movieStartRecording(str(tmp_path / "a.mp4"), 64, 36, 0, 80, 1, False)
    b.tick()
    assert b.api.movieFailed()
    assert any(extra_command("movie") in one for one in b.warnings)


def test_one_movie_at_a_time(bench: Callable[..., Bench], tmp_path: Path):
    b = bench(BALL)
    for name in ("a.mp4", "b.mp4"):
        b.api.movieStartRecording(str(tmp_path / name), 64, 36, 0, 80, 1, False)
    b.tick(4)
    b.api.movieStopRecording()
    b.tick()
    assert [one.name for one in tmp_path.iterdir()] == ["a.mp4"]
    assert any("a movie is being recorded" in one for one in b.warnings)


def test_an_animation_is_recorded(bench: Callable[..., Bench], tmp_path: Path):
    b = bench(BALL)
    assert b.api.animationStartRecording(str(tmp_path / "a.html")) is True
    b.api.setLabel(0, "falling", 0.1, 0.2, 0.1, 0xFF0000)
    assert b.api.animationStartRecording(str(tmp_path / "b.html")) is False
    b.tick(6)
    assert b.api.animationStopRecording() is True
    assert b.api.animationStopRecording() is False
    found = json.loads((tmp_path / "a.json").read_text())
    assert found["labelsIds"] == "0"
    assert found["frames"][1]["labels"][0]["text"] == "falling"
    assert found["frames"][1]["labels"][0]["rgba"] == "255,0,0,1"
    assert len(found["frames"]) > 2
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.css", "a.html", "a.json", "a.x3d"]


def test_labels_of_before_are_in_the_first_frame_of_an_animation(bench: Callable[..., Bench], tmp_path: Path):
    b = bench(BALL)
    b.api.setLabel(3, "ready", 0.1, 0.2, 0.1, 0xFF0000)
    b.tick()
    assert b.api.animationStartRecording(str(tmp_path / "a.html")) is True
    b.tick(6)
    assert b.api.animationStopRecording() is True
    found = json.loads((tmp_path / "a.json").read_text())
    assert [one["text"] for one in found["frames"][0]["labels"]] == ["ready"]
    assert found["labelsIds"] == "0"
    assert [one["time"] for one in found["frames"][:2]] == [0, found["basicTimeStep"]]


def test_an_animation_with_a_wrong_name_fails(bench: Callable[..., Bench], tmp_path: Path):
    b = bench(BALL)
    assert b.api.animationStartRecording(str(tmp_path / "a.mp4")) is False
    assert any("must end in .html" in one for one in b.warnings)


def test_names_that_no_file_can_have_fail(bench: Callable[..., Bench], tmp_path: Path):
    b = bench(BALL)
    name = str(tmp_path / ("x" * 3000))
    b.api.movieStartRecording(f"{name}.mp4", 64, 36, 0, 80, 1, False)
    b.api.exportImage(f"{name}.png", 80)
    assert b.api.animationStartRecording(f"{name}.html") is False
    b.tick(4)
    assert b.api.movieFailed()
    assert sum("name too long" in one for one in b.warnings) == 3
    assert list(tmp_path.iterdir()) == []


def test_labels_far_outside_are_not_drawn(bench: Callable[..., Bench], tmp_path: Path):
    b = bench(BALL)
    b.simulation.view_size = (64, 36)
    b.api.setLabel(0, "far", 1e300, -1e300, 0.1, 0xFF0000)
    b.api.exportImage(str(tmp_path / "view.png"), 80)
    b.tick()
    assert (tmp_path / "view.png").exists()
