"""The judge of recordings: known motions give known errors, and the law "precise" is nearer than "webots"."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from scripts.reality import arms, cubes, swings, tosses
from scripts.reality.plot import Line, svg


def falling_cube(number: int = 0) -> tosses.Toss:
    """Return a cube that falls freely for 20 frames, by the formula."""
    frames = np.arange(20)[:, None] * tosses.STEP
    velocity = np.array([0.3, 0.1, 0.5])
    positions = np.array([0, 0, 1.0]) + velocity * frames
    positions[:, 2] -= tosses.GRAVITY * frames[:, 0] ** 2 / 2
    upright = np.tile([1.0, 0, 0, 0], (20, 1))
    return tosses.Toss(number, positions, upright, velocity, np.zeros(3))


def test_a_cube_in_free_fall_is_near_its_formula() -> None:
    """The error of the integration is g t dt / 2 for the step dt: at most 1 mm here."""
    for law in ("webots", "precise"):
        found = cubes.errors(cubes.WbridgeCube(law), (1, 0.2, 0.1), [falling_cube()])
        error = tosses.mean_error(found)
        assert error.position * tosses.WIDTH < 1.2e-3
        assert error.rotation == pytest.approx(0, abs=1e-4)


def test_errors_are_shares_of_the_width_and_degrees() -> None:
    toss = falling_cube()
    turned = np.tile([np.cos(np.radians(5)), np.sin(np.radians(5)), 0, 0], (20, 1))
    found = tosses.distances(toss, toss.positions + [0, 0.1048, 0], turned)
    error = tosses.mean_error([found])
    assert error.position == pytest.approx(1)
    assert error.rotation == pytest.approx(10)


def test_halves_share_no_toss() -> None:
    fitted, judged = tosses.halves([falling_cube(number) for number in range(7)])
    assert [one.number for one in fitted] == [0, 2, 4, 6]
    assert [one.number for one in judged] == [1, 3, 5]


def test_a_small_swing_has_the_period_of_its_formula(tmp_path: Path) -> None:
    """A pendulum of mass m at r with rotor and own inertia I swings with w^2 = m g r / (m r^2 + I)."""
    link = arms.SINGLE.links[0]
    inertia = link.mass * 0.5**2 + arms.COMPACT + link.rotor
    frequency = (link.mass * tosses.GRAVITY * 0.5 / inertia) ** 0.5
    file = tmp_path / "swing.csv"
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["time", "q", "v", "u"])
        for time in np.arange(0, 1.2, 0.001):
            phase = frequency * time
            writer.writerow([time, 0.02 * np.cos(phase), -0.02 * frequency * np.sin(phase), 0])
    windows = swings.read_windows(file, ["q"], ["v"], ["u"])
    assert len(windows) == 3
    simulated = arms.swings(arms.WbridgeArm(), arms.SINGLE, (0.5, 0, 0), windows)
    assert swings.mean_angle(windows, simulated) < 0.02 * np.degrees(0.02)


def test_a_plot_has_a_line_and_a_name_for_each_simulator() -> None:
    drawn = svg("title", "time", [Line("a", [0, 1], [0, 2]), Line("b", [0, 1], [0, 1])])
    assert drawn.count("<polyline") == 2 and ">a</text>" in drawn and ">b</text>" in drawn
