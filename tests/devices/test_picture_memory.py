"""Pictures in memory shared with the controller: captured in each due sample, kept in states, resized."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.devices.rig import Rig, robot, world
from wbridge.wbcore.devices.camera import Camera

CAMERA = 'DEF C Camera { name "c" width 4 height 3 }'


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let cameras write the number of the picture into all its bytes; the list is of elapsed seconds."""
    captured: list[float] = []

    def begin(camera: Camera, pixels: NDArray[np.uint8], elapsed: float) -> None:
        captured.append(elapsed)
        pixels[:] = len(captured)

    monkeypatch.setattr(Camera, "begin", begin)
    return captured


def make(drive: Callable[..., Rig], **options: Any) -> Rig:
    return drive(world(robot(CAMERA)), **options)


@pytest.mark.parametrize("tcp", [False, True])
def test_each_due_sample_captures_a_picture(drive: Callable[..., Rig], counting: list[float], tcp: bool):
    """Judge: manual, wb_camera_enable: the period between two pictures."""
    rig = make(drive, tcp=tcp)
    rig.step(2)
    assert counting == []
    rig.enable("c", period=2 * rig.period)
    seen = []
    for _ in range(5):
        rig.step()
        seen.append(rig["c"].get_image())
    assert [one and one[0] for one in seen][1:] == [1, 1, 2, 2]
    assert all(set(one) == {one[0]} and len(one) == 48 for one in seen[1:])
    assert counting == pytest.approx([2 * rig.period / 1000] * 2)


def test_all_pictures_use_one_file(drive: Callable[..., Rig], counting: list[float], tmp_path: Path):
    """The file is mapped once: its bytes change, and no other file appears."""
    rig = make(drive)
    rig.robot.pictures.folder = tmp_path
    rig.enable("c")
    rig.step()
    (file,) = tmp_path.iterdir()
    before = file.stat().st_ino
    rig.step(2)
    assert list(tmp_path.iterdir()) == [file]
    assert file.stat().st_ino == before
    assert file.read_bytes() == b"\3" * 48


def test_nothing_is_allocated_before_the_camera_is_enabled(drive: Callable[..., Rig]):
    rig = make(drive)
    rig.step()
    assert rig.model("c").pixels is None
    rig.enable("c", period=64)
    rig.step()
    assert rig.model("c").pixels.size == 48


def test_only_the_newest_picture_of_a_long_step_is_sent(drive: Callable[..., Rig], counting: list[float]):
    rig = make(drive, tcp=True)
    rig.enable("c")
    rig.client.step(3 * rig.period)
    assert len(counting) == 3
    assert rig["c"].get_image() == b"\3" * 48
    assert rig.robot.pictures.waiting == []


@pytest.mark.parametrize("tcp", [False, True])
def test_another_size_means_another_picture(drive: Callable[..., Rig], counting: list[float], tcp: bool):
    rig = make(drive, tcp=tcp)
    rig.enable("c")
    rig.step()
    rig.set("C", "width", 5)
    rig.step()
    assert (rig["c"].get_width(), rig["c"].get_height()) == (5, 3)
    assert rig["c"].get_image() == b"\2" * 60


def test_a_state_contains_the_picture(drive: Callable[..., Rig], counting: list[float]):
    rig = make(drive)
    rig.enable("c", period=2 * rig.period)
    rig.step(2)
    state = rig.simulation.state()
    rig.step(2)
    assert rig["c"].get_image()[0] == 2
    rig.simulation.restore(state)
    assert rig["c"].get_image() == b"\1" * 48
