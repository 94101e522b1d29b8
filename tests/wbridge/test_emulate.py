"""`wbridge emulate`: a robot at a wire, set by lines, and errors of the user."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from wbridge.hal.link.transports import connect_bytes
from wbridge.main import main
from wbridge.remote_controls.emulators import emulators

ANSWERED = {"firmata": b"\xf9", "create2": b"\x80\x83\x8e\x23"}
"""What a robot answers: the question for the version, and for the mode."""


def start(*arguments: str) -> subprocess.Popen[str]:
    """The command in another process."""
    return subprocess.Popen(
        [sys.executable, "-m", "wbridge", "emulate", *arguments],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_leaves_no_link(tmp_path: Path, number: int):
    link = tmp_path / "robot"
    process = start("epuck", "--url", f"pty://{link}")
    assert process.stdout is not None
    assert process.stdout.readline() == f"epuck: serial://{link}\n"
    assert link.is_symlink()
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, "")
    assert not link.is_symlink()


def test_a_robot_answers_over_tcp_what_lines_set():
    process = start("epuck", "--url", "tcp://127.0.0.1:0", "--set", "ps1=11", "--duration", "60")
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    try:
        name, url = process.stdout.readline().split(": ")
        assert name == "epuck"
        process.stdin.write("ps0=300\nnonsense\n")
        process.stdin.flush()
        assert "'nonsense' is not NAME=VALUE" in process.stderr.readline()
        with socket.create_connection(("127.0.0.1", int(url.rsplit(":", 1)[1])), 5) as wire:
            stream = wire.makefile("rwb")
            stream.write(b"D,100,100\rN\r")
            stream.flush()
            assert any(line.startswith(b"n,300,11,") for line in stream)
            stream.close()
        assert "left=0.628" in process.stdout.readline()
    finally:
        process.kill()
        process.communicate()


def test_a_robot_at_a_serial_port_has_the_path_that_was_asked_for(tmp_path: Path):
    link = tmp_path / "ttyPuck"
    process = start("epuck", "--url", f"pty://{link}", "--duration", "0.2")
    out, _ = process.communicate("", timeout=60)
    assert process.returncode == 0
    assert out.splitlines()[0] == f"epuck: serial://{link}"
    assert not link.exists()


@pytest.mark.parametrize("name", emulators())
def test_what_can_be_set_is_listed(name: str, capsys: pytest.CaptureFixture[str]):
    assert main(["emulate", name, "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 5
    assert all(float(line.split("=")[1]) is not None for line in lines)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["epick"], "no emulator 'epick'; available: "),
        (["epuck", "--set", "ps9=1"], 'no sensor "ps9", did you mean'),
        (["epuck", "--set", "ps0=x"], "'ps0=x' is not NAME=VALUE"),
        (["epuck", "--set", "ps0=-1"], "ps0 is -1; allowed: 0 to 4095"),
        (["epuck", "--pictures", "none"], "none: no pictures (.jpg, .jpeg, .png)"),
        (["create2", "--pictures", "docs/images"], "this robot has no camera"),
        (["epuck", "--url", "mqtt://broker/x"], "mqtt cannot listen for plain bytes; these can: pty"),
        (["epuck", "--url", "pty:///none/of/this"], "pty:///none/of/this: "),
        (["epuck", "--url", "tcp://8.8.8.8:8080"], "this computer does not have that address"),
    ],
)
def test_errors_of_the_user(arguments: list[str], told: str, capsys, caplog: pytest.LogCaptureFixture):
    assert main(["emulate", *arguments]) == 2
    assert told in capsys.readouterr().err + caplog.text


@pytest.mark.parametrize("duration", ["-1", "nan", "soon"])
def test_a_duration_is_a_number_of_seconds(duration: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["emulate", "epuck", f"--duration={duration}"])
    assert "--duration" in capsys.readouterr().err


@pytest.mark.parametrize(("robot", "usual"), [("firmata", 57600), ("create2", 115200)])
def test_a_line_of_another_speed_carries_nothing_and_is_told(robot: str, usual: int, tmp_path: Path):
    with start(robot, "--url", f"pty://{tmp_path}/port", "--duration", "60") as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        with closing(connect_bytes(f"serial://{tmp_path}/port?baud=9600")) as wire:
            wire.send(ANSWERED[robot])
            assert process.stderr.readline() == (
                f"the controller's line has 9600 bits per second, but this robot has {usual}: "
                "neither can read the other\n"
            )
        with closing(connect_bytes(f"serial://{tmp_path}/port?baud={usual}")) as wire:
            wire.send(ANSWERED[robot])
            assert wire.receive(60.0)
        process.kill()
