"""Recordings of two real pendulums with motors: joint angles, joint velocities and torques.

Both are of DFKI's Underactuated Lab (github.com/dfki-ric-underactuated-lab, BSD license): a double pendulum
(double_pendulum, design C, system identification) and a pendulum (torque_limited_simple_pendulum, swing-up by
a planned trajectory). Angles are 0 where the arms hang down.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scripts.reality.tosses import Values

STEP = 0.002
"""s, of simulations."""
HORIZON = 0.5
"""s: a simulation starts at a measured state, and gets the measured torques for this time."""
EVERY = 0.25
"""s from the start of a window to the next."""


class Window(NamedTuple):
    """A part of a recording, at times STEP apart; columns are joints."""

    positions: Values
    """rad, (n, joints)."""
    velocity: Values
    """rad/s, (joints,), at the start."""
    torques: Values
    """N m, (n, joints)."""


def read_windows(
    file: Path, positions: Sequence[str], velocities: Sequence[str], torques: Sequence[str]
) -> list[Window]:
    """Return the windows of a recording in a CSV file with a column "time"; the others are named by joint.

    Raises:
        OSError, KeyError, ValueError: the file cannot be read.
    """
    with file.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    times = np.array([float(row["time"]) for row in rows])

    def sampled(names: Sequence[str], at: Values) -> Values:
        columns = [np.interp(at, times, [float(row[name]) for row in rows]) for name in names]
        return np.stack(columns, axis=1)

    starts = np.arange(times[0], times[-1] - HORIZON, EVERY)
    found = []
    for start in starts:
        at = start + np.arange(round(HORIZON / STEP)) * STEP
        velocity = sampled(velocities, at[:1])[0]
        found.append(Window(sampled(positions, at), velocity, sampled(torques, at)))
    return found


def double_pendulum_files(folder: Path) -> list[Path]:
    """Return the two recordings of the double pendulum in a folder with the repository's files."""
    inside = folder / "data" / "experiment_records" / "design_C.0" / "20220914" / "sys_id"
    return [inside / "trajectory_00.csv", inside / "trajectory_01.csv"]


def double_pendulum(folder: Path) -> list[Window]:
    """Return the windows of the double pendulum in a folder with the repository's files."""
    names = (["pos_meas1", "pos_meas2"], ["vel_filt1", "vel_filt2"], ["tau_meas1", "tau_meas2"])
    return [window for file in double_pendulum_files(folder) for window in read_windows(file, *names)]


def pendulum(folder: Path) -> list[Window]:
    """Return the windows of the pendulum in a folder with the repository's files."""
    file = folder / "results" / "control_method_ddp" / "data_measured.csv"
    return read_windows(file, ["position"], ["velocity"], ["torque"])


def mean_angle(windows: Sequence[Window], simulated: Sequence[Values]) -> float:
    """Return the mean difference (degrees) of simulated and measured angles."""
    away = [np.abs(one - window.positions).mean() for window, one in zip(windows, simulated, strict=True)]
    return float(np.degrees(np.mean(away)))
