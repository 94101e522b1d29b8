"""`wbridge bridge` as a program."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hal.link.master import Master
from hal.link.read_table import read_table
from hal.link.transports import connect
from wbridge.main import main

WORLD = Path(__file__).parents[2] / "worlds" / "two_robots.wbt"
PATIENCE = 20.0


def test_it_says_where_the_robots_are_and_ends_by_a_signal(tmp_path: Path):
    target = tmp_path / "run.csv"
    command = [
        sys.executable,
        "-m",
        "wbridge",
        "bridge",
        str(WORLD),
        "--mode",
        "steps",
        "--record",
        str(target),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    names, urls = zip(*(process.stdout.readline().strip().split(": ") for _ in range(2)), strict=True)
    assert names == ('robot "leader"', 'robot "follower"')
    other = connect(urls[1])
    table = read_table(other, PATIENCE)
    assert table is not None
    follower = Master(table, lambda: other)
    follower.connect(PATIENCE)
    follower.leave(PATIENCE)  # time begins when each robot has had a controller
    pipe = connect(urls[0])
    table = read_table(pipe, PATIENCE)
    pipe.close()
    assert table is not None
    master = Master(table, lambda: connect(urls[0]))
    step = master.step(64, PATIENCE)
    assert step is not None
    assert step.time == 64
    master.leave(PATIENCE)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert 'robot "leader": a controller drives it' in errors
    assert "its controller has left; it stands still" in errors
    assert len(target.read_text().splitlines()) > 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--robot", "leeder"], 'no robot named "leeder"; there are: "leader", "follower"'),
        (["--url", "tcp://127.0.0.1:8080"], "is for one robot, and there are 2"),
        (["--url", "nonsense"], "no address of a robot"),
        (["--url", "tpc://{robot}"], 'there is no transport "tpc"'),
    ],
)
def test_what_cannot_be_served_is_said(options: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert main(["bridge", str(WORLD), *options]) == 2
    assert said in capsys.readouterr().err
