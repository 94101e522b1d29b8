"""`wbridge bridge` as a program."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from wbridge.hal.link.master import Master
from wbridge.hal.link.read_table import read_table
from wbridge.hal.link.transports import connect
from wbridge.main import main

WORLD = Path(__file__).parents[2] / "worlds" / "two_robots.wbt"
PATIENCE = 60.0


@pytest.fixture
def program(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A program that serves two robots step by step, and records."""
    options = ["--mode", "steps", "--record", str(tmp_path / "run.csv")]
    command = [sys.executable, "-m", "wbridge", "bridge", str(WORLD), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    yield process
    process.kill()
    process.communicate()


def drive(url: str) -> Master:
    """A controller with the table that the robot itself tells."""
    pipe = connect(url)
    table = read_table(pipe, PATIENCE)
    pipe.close()
    assert table is not None
    master = Master(table, lambda: connect(url))
    master.connect(PATIENCE)
    return master


def test_it_says_where_the_robots_are_and_ends_by_a_signal(program: subprocess.Popen[str], tmp_path: Path):
    assert program.stdout is not None
    names, urls = zip(*(program.stdout.readline().strip().split(": ") for _ in range(2)), strict=True)
    assert names == ('robot "leader"', 'robot "follower"')
    drive(urls[1]).leave(PATIENCE)  # time begins when each robot has had a controller
    leader = drive(urls[0])
    step = leader.step(64, PATIENCE)
    assert step is not None
    assert step.time == 64
    leader.leave(PATIENCE)
    program.send_signal(signal.SIGINT)
    _, errors = program.communicate(timeout=PATIENCE)
    assert program.returncode == 0
    assert 'robot "leader": a controller drives it' in errors
    assert "its controller has left; its motors are stopped" in errors
    assert len((tmp_path / "run.csv").read_text().splitlines()) > 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--robot", "leeder"], 'no robot named "leeder"; available: "leader", "follower"'),
        (["--url", "tcp://127.0.0.1:8080"], "serves one robot, but 2 are selected"),
        (["--url", "nonsense"], "is not the address of a robot"),
        (["--url", "tpc://{robot}"], 'unknown transport "tpc"'),
    ],
)
def test_what_cannot_be_served_is_said(options: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert main(["bridge", str(WORLD), *options]) == 2
    assert said in capsys.readouterr().err


def test_the_address_of_a_bridge_for_all_is_one_that_others_can_open(capsys: pytest.CaptureFixture[str]):
    """0.0.0.0 is no address to connect to (RFC 1122, 3.2.1.3)."""
    world = CHECKOUT / "worlds" / "two_wheels.wbt"
    assert main(["bridge", str(world), "--url", "tcp://0.0.0.0", "--duration", "0.05"]) == 0
    said = capsys.readouterr()
    assert "tcp://" in said.out
    assert "0.0.0.0" not in said.out + said.err
