"""`wbridge firmware monitor`: what a board says, on the terminal, in recordings and on pages.

Judges: the simulated robot that the board drives, whose replayed commands must give the readings that the
board reported; the values that the controller computes.
"""

from __future__ import annotations

import csv
import json
import os
import re
import select
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CHECKOUT
from tests.firmware.conftest import WORLD, boards, require_board, two_wheels
from tests.waiting import read_whole, wait_for
from tests.windows.wire import Looker
from wbridge.failures import InputError, RunError
from wbridge.hal.link.faults import ACKNOWLEDGE, FAULT_LINE, TEXTS, Fault
from wbridge.main import main
from wbridge.options import WindowOptions
from wbridge.running.board_monitor import JsonLines, Monitor, PrintedValues, RecordedValues, attach_board
from wbridge.running.windows import serve_windows
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.emulators.board_output import BoardOutput, Message, Said, Step, Text, Value
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

LAST = Text("the end")
AVOIDER = CHECKOUT / "controllers" / "two_wheels_avoider" / "two_wheels_avoider.c"
IN_PYTHON = CHECKOUT / "controllers" / "two_wheels_avoider_python"


class Collected:
    """Ends the monitor when the last line has come."""

    def __init__(self) -> None:
        self.said: list[Said] = []
        self.over = threading.Event()

    def take(self, said: Said, at: float) -> None:
        self.said.append(said)
        if said == LAST:
            self.over.set()

    def poll(self) -> None:
        pass


def hardware_map(folder: Path, board: str = "host", head: str = "report_devices = true\n") -> Path:
    text = propose(two_wheels(), str(WORLD), board).replace('flavor = "slave"', 'flavor = "standalone"')
    place = folder / "hardware.toml"
    controller = AVOIDER if load_board(board).python is None else IN_PYTHON
    place.write_text(text.replace("format = 1\n", f'format = 1\ncontroller = "{controller}"\n{head}'))
    return place


def heard(terminal: tuple[int, str], data: bytes, *targets: Any) -> list[Said]:
    """Let a board say something at a serial port; return what the monitor has passed on."""
    own, name = terminal
    collected = Collected()
    with Monitor(f"serial://{name}", None, [*targets, collected]) as monitor:
        os.write(own, data + b"the end\n")
        monitor.run(collected.over, None)
    return collected.said


def test_json_lines_are_objects_with_the_time(terminal: tuple[int, str], capsys: pytest.CaptureFixture[str]):
    heard(terminal, b'>speed:1.5\n>odd:nan\nhello "you"\nwbridge: started\n', JsonLines())
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(0 <= line.pop("time") < 60 for line in lines)
    assert lines == [
        {"kind": "value", "name": "speed", "value": 1.5},
        {"kind": "value", "name": "odd", "value": None},
        {"kind": "text", "text": 'hello "you"'},
        {"kind": "message", "text": "started"},
        {"kind": "text", "text": "the end"},
    ]


def test_text_is_printed_at_once_and_values_together(
    terminal: tuple[int, str], capsys: pytest.CaptureFixture[str]
):
    said = heard(
        terminal, b"hi \x1b[31mred\n>a:1\n>b:2.5\n>a:3\nwbridge: the motors are off\n", PrintedValues()
    )
    assert said[:-1] == [
        Text("hi \\x1b[31mred"),
        *(Value("a", 1), Value("b", 2.5), Value("a", 3)),
        Message("the motors are off"),
    ]
    printed = capsys.readouterr().out.splitlines()
    assert printed[:3] == ["hi \\x1b[31mred", "board: the motors are off", "the end"]
    assert printed[3:] in ([], ["a = 3  b = 2.5"]), "values come twice per second"


@pytest.mark.parametrize("acknowledges", [False, True])
def test_faults_of_the_board_are_shown_and_acknowledged(
    terminal: tuple[int, str], acknowledges: bool, caplog: pytest.LogCaptureFixture
):
    own, name = terminal
    collected = Collected()
    line = f"{FAULT_LINE}{TEXTS[Fault.WATCHDOG]}; the motors stay off until you press reset\n".encode()
    with Monitor(f"serial://{name}", None, [collected], acknowledges) as monitor:
        os.write(own, line + line + b"the end\n")
        monitor.run(collected.over, None)
        sent = read_whole(own, 2 * len(ACKNOWLEDGE)) if acknowledges else b""
        assert not select.select([own], [], [], 0)[0], "nothing else is sent"
    assert sent == (2 * ACKNOWLEDGE if acknowledges else b"")
    assert str(collected.said[0]).count("watchdog: the program did not respond") == 1
    assert caplog.text.count("run wbridge firmware monitor with --acknowledge") == (not acknowledges)


def test_a_connection_that_is_lost_is_opened_again(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """As when the cable is pulled, or a board with a USB port is reset."""
    caplog.set_level("INFO")
    (first, one), (second, other) = (os.openpty() for _ in range(2))
    link = tmp_path / "port"
    link.symlink_to(os.ttyname(one))
    os.close(one)
    collected = Collected()
    with Monitor(f"serial://{link}", None, [collected]) as monitor:
        os.write(first, b"before\nhalf a li")
        thread = threading.Thread(target=monitor.run, args=(collected.over, None))
        thread.start()
        wait_for(lambda: collected.said)
        link.unlink()
        os.close(first)
        wait_for(lambda: "waiting for the board" in caplog.text)
        link.symlink_to(os.ttyname(other))
        wait_for(lambda: "connected again" in caplog.text)
        os.write(second, b"after\nthe end\n")
        thread.join()
    os.close(second)
    os.close(other)
    assert [one.text for one in collected.said if isinstance(one, Text)] == ["before", "after", LAST.text]


def test_named_values_are_recorded_as_a_table(terminal: tuple[int, str], tmp_path: Path):
    place = tmp_path / "values.csv"
    with RecordedValues(place, None) as record:
        heard(terminal, b">a:1\nhello\n>b:-inf\n", record)
    rows = list(csv.reader(place.read_text().splitlines()))
    assert rows[0] == ["time", "name", "value"]
    assert [row[1:] for row in rows[1:]] == [["a", "1.0"], ["b", "-inf"]]
    assert all(float(row[0]) >= 0 for row in rows[1:])


@pytest.mark.parametrize(
    "board",
    [
        *boards("host", "arduino-uno"),
        "host-python",
        pytest.param("pico-micropython", marks=pytest.mark.boards),
    ],
)
def test_compare_reads_a_recording_of_the_board(
    board: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
):
    """The board drives the simulated robot; replayed, its commands give what its sensors have read."""
    if load_board(board).python is None:
        require_board(board)
    place = hardware_map(tmp_path, board, "report_devices = true\nreport_load = true\n")
    words = ["firmware", "emulate", str(place), "--simulate", "--fast", "--duration", "2"]
    assert main(["-q", *words]) == 0
    text = capfdbinary.readouterr().out
    hardware = load_hardware(place, two_wheels())
    from wbridge.hal.link.numbering import Numbering

    output = BoardOutput(Numbering(hardware.table), hardware.link.real)
    log, at = tmp_path / "run.mcap", 0.0
    with RecordedValues(log, hardware) as record:
        record.take(Value("speed", 1.0), 0.0)
        said = [*output.feed(text)]
        for one in said:
            at += one.elapsed / 1000 if isinstance(one, Step) else 0.0
            record.take(one, at)
    assert at == pytest.approx(2, abs=0.1) and output.damaged == 0
    loads = [one.value for one in said if isinstance(one, Value) and one.name == "load %"]
    assert loads and all(0 <= load <= 100 for load in loads)
    assert main(["-q", "compare", str(log)]) == 0
    lines = capfdbinary.readouterr().out.decode().splitlines()
    readings = {line.split("  ")[0]: line for line in lines[1:-1]}
    assert re.search(r"\s1\d\d\s", readings["front.value"]), lines
    assert lines[-1].startswith("0 of "), lines


def test_pages_show_text_values_and_devices(tmp_path: Path):
    hardware = load_hardware(hardware_map(tmp_path), two_wheels())
    chosen = WindowOptions(
        windows=True, view=False, port_windows=None, open=False, host_windows="127.0.0.1", allow_host=()
    )
    with serve_windows(chosen) as windows:
        shown = attach_board(windows, hardware)
        over = threading.Event()

        def serve() -> None:
            while not over.is_set():
                shown.poll()
                over.wait(0.01)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            with Looker(windows.hub.url) as page:
                sensor, motor = two_wheels().find("front"), two_wheels().find("left wheel motor")
                assert sensor is not None and motor is not None
                period = (sensor.tag, "wb_distance_sensor_enable", 16)
                step = Step(16, [period], [(motor.tag, "velocity", 2.5)], [(sensor.tag, "value", 512.0)])
                shown.take(step, 0.016)
                now = page.until(lambda now: now["values"].get(str(sensor.tag)))
                assert now["values"][str(sensor.tag)] == {"value": 512.0}
                assert now["acts"][str(motor.tag)]["velocity"] == 2.5
                shown.take(Value("speed", 1.5), 0.016)
                page.heard(">speed:1.5")
                page.ask("set", device=motor.tag, channel="velocity", value=5)
                page.heard("the board runs alone")
        finally:
            over.set()
            thread.join()


def test_what_cannot_be_watched_is_refused_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    assert main(["firmware", "monitor", "--port", "/dev/none", "--record", "x.mcap"]) == 2
    assert "needs a hardware map" in capsys.readouterr().err
    (tmp_path / "hardware.toml").write_text(propose(two_wheels(), str(WORLD), "host"))
    assert main(["firmware", "monitor", "--port", "/dev/none"]) == 2
    assert "wbridge window URL" in capsys.readouterr().err
    with pytest.raises(InputError, match="nowhere"):
        Monitor("nowhere://x", None, [])
    with pytest.raises(RunError, match="wbridge ports"):
        Monitor("serial:///dev/none", None, [])


def test_only_a_compiled_controller_alone_reports_devices(tmp_path: Path):
    from wbridge.wbfirmware.problems import HardwareError

    place = hardware_map(tmp_path)
    place.write_text(place.read_text().replace('"standalone"', '"hil"'))
    with pytest.raises(HardwareError, match="report_devices: found flavor"):
        load_hardware(place, two_wheels())
