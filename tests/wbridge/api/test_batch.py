"""Many copies of a world: the same bits as one by one, in any number of threads."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import wbridge
from tests.wbridge.api.worlds import CHECKOUT, TURNTABLE, TWO_WHEELS
from wbridge.wbcore.physics.errors import UnstableError

ARM = CHECKOUT / "worlds" / "arm.wbt"


@pytest.fixture(scope="module")
def turntable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("worlds") / "turntable.wbt"
    path.write_text("#VRML_SIM R2025a utf8\n" + TURNTABLE, encoding="utf-8")
    return path


@pytest.mark.parametrize("threads", [1, 2])
def test_copies_are_those_of_single_simulations(turntable: Path, threads: int):
    batch = wbridge.load_many(turntable, 3, threads=threads, seed=5)
    robots = batch.robot("robot")
    noisy, angle = robots.enable("ds"), robots.enable("angle", 16)
    assert noisy.shape == angle.shape == (3, 1) and np.shares_memory(noisy, robots.numbers)
    robots.velocity = [[1], [2], [-1]]
    batch.run(0.1)
    batch.step(16)
    assert batch.time.tolist() == pytest.approx([0.112] * 3)
    for i, speed in enumerate((1, 2, -1)):
        sim = wbridge.load(turntable, seed=5 + i)
        robot = sim.robot()
        ds, sensor = robot.sensor("ds"), robot.sensor("angle", 16)
        robot.motor("motor").velocity = speed
        sim.run(0.1)
        sim.step(16)
        assert sim.hash() == batch[i].hash()
        assert (ds.value, sensor.value) == (noisy[i, 0], angle[i, 0])
    assert robots.joint_positions.shape == robots.joint_velocities.shape == (3, 1)


def test_fields_of_all_copies_are_arrays():
    """Judge: each copy alone, and what was set."""
    batch = wbridge.load_many(ARM, 3)
    mass, place = "ARM.forearm.physics.mass", "ARM.translation"
    batch[mass] = np.linspace(0.2, 0.4, 3)
    assert [sim[mass] for sim in batch] == batch[mass].tolist() == pytest.approx([0.2, 0.3, 0.4])
    batch[mass] = 0.5
    assert batch[mass].tolist() == [0.5] * 3
    batch[place] = 0, 0, 1
    assert batch[place].tolist() == [[0, 0, 1]] * 3
    batch[place] = batch[place] + [[0], [1], [2]]
    assert batch[2][place].tolist() == [2, 2, 3]
    batch["ARM.name"] = ["a", "b", "c"]
    assert batch["ARM.name"].tolist() == ["a", "b", "c"]
    with pytest.raises(wbridge.FieldError, match="expected 3 numbers, not 2"):
        batch[place] = 1, 2
    with pytest.raises(wbridge.UnknownNameError, match="did you mean 'mass'"):
        batch["ARM.forearm.physics.mas"] = 1
    assert repr(batch) == f"<3 copies of {ARM}>"


def test_arrays_of_targets():
    batch = wbridge.load_many(ARM, 2)
    robots = batch.robot()
    assert robots.motor_names == ("base motor", "shoulder motor", "elbow motor")
    robots.velocity = 0.5
    assert robots.velocity.tolist() == [[0.5] * 3] * 2
    robots.position = [0.1, 0.2, 0.3]
    assert robots.position.tolist() == [[0.1, 0.2, 0.3]] * 2
    robots.effort = np.ones((2, 3), np.float32)
    assert batch[1].robot().motor("elbow motor").torque == 1
    with pytest.raises(ValueError, match=r"expected the shape \(2, 3\) \(base motor, .*\), not \(2,\)"):
        robots.velocity = [1, 2]
    with pytest.raises(ValueError, match="velocity must be a finite number, not nan"):
        robots.velocity = math.nan
    assert robots.translation.tolist() == [[0, 0, 0]] * 2


def test_copies_may_differ():
    with wbridge.load_many(TWO_WHEELS, 3) as batch:
        for i, one in enumerate(batch):
            one["TWO_WHEELS.translation"] = 0.1 * i, 0, 0.04
        robots = batch.robot()
        robots.velocity = 2
        batch.step()
        assert robots.translation[:, 0] == pytest.approx([0, 0.1, 0.2], abs=0.01)
        batch.reset()
        assert robots.translation[:, 0].tolist() == [0, 0, 0]


def test_a_reset_gives_seeds(turntable: Path):
    batch = wbridge.load_many(turntable, 2)
    noisy = batch.robot().enable("ds")
    seen = []
    for seed in (1, 1, 2, [1, 1]):
        batch.reset(seed)
        batch.step()
        seen.append(noisy[:, 0].tolist())
    assert seen[0] == seen[1] and seen[0][1] == seen[2][0] and seen[3][0] == seen[3][1]


def test_copies_with_cameras_and_recordings_are_stepped_in_python(turntable: Path, tmp_path: Path):
    batch = wbridge.load_many(turntable, 2)
    robots = batch.robot()
    angle = robots.enable("angle")
    robots.velocity = 1
    finder = batch[0].robot().range_finder("rf")
    with batch[1].record(tmp_path / "run.html"):
        batch.run(0.1)
    assert angle[0] == angle[1] != 0
    assert finder.image.shape == (3, 4)
    assert (tmp_path / "run.html").stat().st_size > 10000


def test_an_unstable_copy_does_not_stop_the_others():
    batch = wbridge.load_many(TWO_WHEELS, 2)
    batch.robot()
    batch.step()
    batch[0].node("TWO_WHEELS").set_velocity((1e9, 0, 0))
    with pytest.raises(UnstableError, match="TWO_WHEELS"):
        batch.step()
    assert batch.time.tolist() == pytest.approx([0.032] * 2)


@pytest.mark.parametrize(("count", "threads"), [(0, 1), (1, 0)])
def test_impossible_numbers_are_refused(count: int, threads: int):
    with pytest.raises(ValueError, match="must be 1 or more, not 0"):
        wbridge.load_many(TWO_WHEELS, count, threads=threads)


def test_saved_copies_continue_with_the_same_bits():
    batch = wbridge.load_many(ARM, 3, seed=1)
    batch.robot().position = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0, 0, 0]]
    batch.run(0.5)
    states = batch.save()
    batch.run(0.5)
    ends = [sim.hash() for sim in batch]
    assert len(set(ends)) == 3
    batch.load(states)
    assert batch.time.tolist() == pytest.approx([0.5] * 3, abs=0.01)
    batch.run(0.5)
    assert [sim.hash() for sim in batch] == ends


def test_all_copies_take_a_single_state():
    batch = wbridge.load_many(ARM, 3)
    batch.robot().position = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0, 0, 0]]
    batch.run(0.5)
    batch.load(batch[1].save())
    assert {sim.hash() for sim in batch} == {batch[1].hash()}


def test_wrong_numbers_of_states_and_seeds():
    batch = wbridge.load_many(ARM, 2)
    with pytest.raises(ValueError, match="expected 2 states, one for each copy, not 1"):
        batch.load(batch.save()[:1])
    with pytest.raises(ValueError, match="expected 2 seeds, one for each copy, not 3"):
        batch.reset([1, 2, 3])
    with pytest.raises(TypeError, match="seed must be a whole number, not 1.5"):
        batch.reset(1.5)
    batch.reset(np.int64(4))
