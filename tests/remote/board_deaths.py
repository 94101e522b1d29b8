"""Boards that drive a robot, and what of them or of their wire dies; see `tests.remote.deaths`.

Times are those of the boards' own clocks, which emulators count; only boards with Wi-Fi run in real time, as
programs on this computer.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.firmware import test_fault_latch, test_micropython_ends, test_usb
from tests.firmware.conftest import build_firmware, two_wheels
from tests.firmware.test_boards import LEFT, Driver
from tests.firmware.test_micropython import sample_map
from tests.firmware.wifi import Proxy, Sketch, driver
from tests.hal.link.broker import Broker
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.building.certificates import FOR_CONTROLLERS
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import load_hardware

WATCH_US, SLICE_US = 2_000_000, 1000
"""How long a board is watched, and how often."""
SPEED = 6.0
"""rad/s of the motor."""
USB_EVENTS = {
    "closed": ("OPEN", 0),
    "unplugged": ("CABLE", 0),
    "asleep": ("SUSPENDED", 1),
    "noise": ("FLOODS", 1),
}
"""What the computer at a USB port does."""
HANGS = ("HANGS", 1)
"""The processor does nothing more, until its watchdog resets the board."""
SERIAL_BOARDS = "arduino-uno", "arduino-mega", "pico"
PICO_FAULTS = {"endless loop": "for (;;);", "exception": test_usb.NMI}
PYTHON_BOARDS = "host-python", "pico-micropython"
MOTOR = "left wheel motor"
TOPIC = "robots/ann"
LAST_WORDS = "now"
"""What a controller on the board prints before it fails."""
STEP_MS = 16
SAY = f'puts("{LAST_WORDS}"); wb_robot_step({STEP_MS});'
"""In C: the step lets the text go out first."""


def names() -> list[str]:
    """All deaths that are tried."""
    return list(_deaths())


def time_to_stop(name: str) -> float:
    """Let something die; the time in s until the motor stands.

    Raises:
        AssertionError: it drives on.
    """
    with tempfile.TemporaryDirectory() as folder:
        return _deaths()[name](Path(folder))


def _deaths() -> dict[str, Callable[[Path], float]]:
    usb = {
        f"{board}-usb-{name}": partial(_linked, board, "usb", event)
        for board in test_usb.BOARDS
        for name, event in USB_EVENTS.items()
    }
    silent = {f"{board}-serial-silent": partial(_linked, board, "serial", None) for board in SERIAL_BOARDS}
    hung = {"pico-board-hangs": partial(_linked, "pico", "serial", HANGS)}
    avr = {f"arduino-uno-controller-{name}": partial(_avr_fault, name) for name in test_fault_latch.FAULTS}
    pico = {f"pico-controller-{name}": partial(_pico_fault, code) for name, code in PICO_FAULTS.items()}
    python = {
        f"{board}-controller-{name}": partial(_python_end, board, name)
        for board in PYTHON_BOARDS
        for name in test_micropython_ends.ENDS
    }
    wifi = {
        f"esp32-{wire}-{how}": partial(_wifi, wire, how)
        for wire in ("tcp", "tcps")
        for how in ("closed", "frozen")
    }
    mqtt = {f"pico-w-broker-{how}": partial(_mqtt, how) for how in ("KILL", "STOP", "frozen")}
    return {**usb, **silent, **hung, **avr, **pico, **python, **wifi, **mqtt}


def _until_still(bench: Bench, pin: str) -> float:
    """Let a board's time pass until a pin drives nothing; that time in s."""
    for passed in range(0, WATCH_US, SLICE_US):
        if bench.show(pin).value == 0.0:
            return passed / 1e6
        bench.run(SLICE_US)
    raise AssertionError("the motor turns on")


def _until_said(bench: Bench) -> None:
    """Let a board's time pass until its controller has said its last words."""
    said = b""
    for _ in range(0, WATCH_US, SLICE_US):
        said += bench.run(SLICE_US)
        if LAST_WORDS.encode() in said:
            return
    raise AssertionError(said)


def _pin(hardware: Hardware) -> str:
    """The pin with the motor's PWM."""
    return next(str(wiring.values["pwm"]) for wiring in hardware.wirings if wiring.device.name == MOTOR)


def _linked(board: str, wire: str, event: tuple[str, int] | None, folder: Path) -> float:
    """A controller drives the board; the computer at its port does something, or only falls silent."""
    robot = Driver(build_firmware(folder, board, wire))
    with robot.bench as bench:
        robot.set(LEFT, "position", float("inf"))
        robot.set(LEFT, "velocity", SPEED)
        robot.step()
        pin = robot.firmware.pin(MOTOR, "pwm")
        assert bench.show(pin).value > 0.0
        if event == HANGS:
            bench.hang()
        elif event is not None:
            bench.drive(f"USB:{event[0]}", event[1])
        return _until_still(bench, pin)


def _avr_fault(name: str, folder: Path) -> float:
    built, pin = test_fault_latch.program(folder, "arduino-uno", name, SAY)
    return _after_step(built, pin)


def _pico_fault(code: str, folder: Path) -> float:
    built = test_usb.talks_until(folder, test_usb.PICO, f"{{ {SAY} {code} }}")
    return _after_step(built, _pin(load_hardware(folder / "hardware.toml", two_wheels())))


def _after_step(built: Built, pin: str) -> float:
    """The time from the step after `SAY`."""
    with Bench(built.board, built.program, lockstep=True) as bench:
        _until_said(bench)
        return max(0.0, _until_still(bench, pin) - STEP_MS / 1000)


def _python_end(board: str, name: str, folder: Path) -> float:
    code, _ = test_micropython_ends.ENDS[name]
    (folder / "goes.py").write_text(f'{test_micropython_ends.START}print("{LAST_WORDS}")\n{code}\n')
    hardware = load_hardware(sample_map(folder, board, folder / "goes.py"), two_wheels())
    built = build(hardware, folder / "firmware")
    pin = _pin(hardware)
    with Bench(built.board, built.program, lockstep=True) as bench:
        _until_said(bench)
        return _until_still(bench, pin)


def _wifi(wire: str, how: str, folder: Path) -> float:
    sketch = Sketch(folder, "esp32", f'wire = "{wire}"', options="-O1")
    trust = f"?cert={sketch.folder / FOR_CONTROLLERS}" if wire == "tcps" else ""
    with sketch.running() as robot:
        port = int(str(robot.url).rpartition(":")[2])
        proxy = Proxy(lambda: port)
        with driver(robot, f"{wire}://127.0.0.1:{proxy.port}{trust}", watchdog=500) as controller:
            controller.drive(SPEED)
            start = time.monotonic()
            if how == "closed":
                proxy.cut()
            else:
                proxy.freeze()
            robot.wait_for(0.0)
            seconds = time.monotonic() - start
        proxy.close()
        return seconds


def _mqtt(how: str, folder: Path) -> float:
    (folder / "broker").mkdir()
    broker = Broker(folder / "broker")
    line = Proxy(lambda: broker.port)
    link = f'wire = "mqtt"\nbroker = "localhost"\nport = {line.port}\ntopic = "{TOPIC}"'
    secrets = {"BROKER_USER": broker.user, "BROKER_PASSWORD": broker.password}
    sketch = Sketch(folder, "pico-w", link, secrets, options="-O1")
    with sketch.running() as robot, driver(robot, broker.url(TOPIC), watchdog=500) as controller:
        controller.drive(SPEED)
        start = time.monotonic()
        if how == "frozen":
            line.freeze()
        else:
            os.kill(broker.pid, getattr(signal, f"SIG{how}"))
        robot.wait_for(0.0)
        seconds = time.monotonic() - start
        broker.stop()
    line.close()
    return seconds
