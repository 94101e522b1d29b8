"""`wbridge emulate`: a robot at a wire, set by lines, and errors of the user."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from remote_controls.emulators import emulators
from tests.conftest import CHECKOUT
from wbridge.main import main


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
        assert "'nonsense' is no NAME=VALUE" in process.stderr.readline()
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
        (["epick"], "no emulator 'epick'; there are: "),
        (["epuck", "--set", "ps9=1"], 'there is no "ps9", did you mean'),
        (["epuck", "--set", "ps0=x"], "'ps0=x' is no NAME=VALUE"),
        (["epuck", "--set", "ps0=-1"], "ps0 is -1; allowed are 0 to 4095"),
        (["epuck", "--url", "mqtt://broker/x"], "mqtt cannot listen for plain bytes; these can: pty"),
        (["epuck", "--url", "pty:///none/of/this"], "pty:///none/of/this: "),
    ],
)
def test_errors_of_the_user(arguments: list[str], told: str, capsys, caplog: pytest.LogCaptureFixture):
    assert main(["emulate", *arguments]) == 2
    assert told in capsys.readouterr().err + caplog.text
