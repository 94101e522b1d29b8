"""Ten tasks beside MuJoCo and PyBullet: lines as docs/ten-tasks.md states them, programs that run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from math import cos, sin
from pathlib import Path

import pytest

from benchmarks.ten_tasks.programs import (
    HEAD,
    PAGE,
    PEERS,
    TASKS,
    Row,
    lines,
    own_programs,
    peer_program,
    rows,
)
from tests.project.files import CHECKOUT

ROW = re.compile(
    r"\| \[([^]]+)\]\(#[^)]*\) \| (\d+) \| (\d+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|"
)
POINT = (0.3, 0.2, 0.3)
"""The goal of the task "inverse kinematics" (m)."""


def table() -> list[Row]:
    """Return the rows of the page."""
    names = {title: name for name, title in TASKS.items()}
    return [
        Row(names[title], tuple(map(int, cells[:3])), tuple(map(float, cells[3:])))
        for title, *cells in ROW.findall(PAGE.read_text(encoding="utf-8"))
    ]


def output(program: str, folder: Path) -> str:
    """Return what a program prints that runs in a folder."""
    environment = {"MUJOCO_GL": "egl", "MPLBACKEND": "agg", **os.environ}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tip(base: float, shoulder: float, elbow: float) -> tuple[float, float, float]:
    """Return where the tip of the arm is (m): two bars of 0.3 m and 0.25 m on a column of 0.2 m."""
    outward = 0.3 * cos(shoulder) + 0.25 * cos(shoulder + elbow)
    return (
        outward * cos(base),
        outward * sin(base),
        0.2 + 0.3 * sin(shoulder) + 0.25 * sin(shoulder + elbow),
    )


def test_the_page_states_the_lines_of_the_programs():
    stated = table()
    assert [row.task for row in stated] == list(TASKS)
    assert HEAD + rows(stated) in PAGE.read_text(encoding="utf-8")
    for row, own in zip(stated, own_programs(), strict=True):
        assert row.lines == (lines(own), *(lines(peer_program(peer, row.task)) for peer in PEERS)), row.task


def test_no_task_takes_more_lines_here():
    assert [row.task for row in table() if row.lines[0] > min(row.lines)] == []


def test_inverse_kinematics_brings_the_tip_to_the_point():
    printed = output(own_programs()[list(TASKS).index("kinematics")], CHECKOUT)
    assert tip(*numbers(printed)) == pytest.approx(POINT, abs=1e-5)


@pytest.mark.training
@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("task", TASKS)
def test_the_programs_of_the_peers_run(peer: str, task: str, tmp_path: Path):
    for model in (CHECKOUT / "benchmarks" / "ten_tasks").glob("arm.*"):
        shutil.copy(model, tmp_path)
    printed = output(peer_program(peer, task), tmp_path)
    written = [
        path for path in tmp_path.iterdir() if not path.name.startswith("arm.") or path.suffix == ".mp4"
    ]
    assert numbers(printed) or written or (tmp_path / "arm.png").exists() or "base" in printed
    if task == "kinematics":
        assert tip(*numbers(printed)) == pytest.approx(POINT, abs=1e-3)
    if task == "motor":
        assert numbers(printed)[-1] == pytest.approx(0.5, abs=0.02)


def numbers(printed: str) -> list[float]:
    """Return the numbers of the last line that a program prints."""
    last = printed.strip().splitlines()[-1] if printed.strip() else ""
    return [float(number) for number in re.findall(r"-?\d+\.\d+(?:e-?\d+)?", last)]
