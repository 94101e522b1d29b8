"""What a board that runs alone says: received from its wire, passed on to terminal, recording and pages."""

from __future__ import annotations

import csv
import json
import logging
import math
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import IO, Any, Protocol

from wbridge.failures import InputError, RunError
from wbridge.hal.link.errors import AddressError, ConnectionLost, LinkError
from wbridge.hal.link.faults import ACKNOWLEDGE, fault_in
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.pipe import Pipe
from wbridge.hal.link.transports import connect_bytes
from wbridge.hal.link.url import parse_url
from wbridge.robot_windows.hub import PageRobot, WorldInfo
from wbridge.running.windows import Windows
from wbridge.wbcore.recordings.device_log import DeviceLog, McapMissing
from wbridge.wbcore.remote.real_step import RealStep
from wbridge.wbcore.windows.remote_handler import RemoteHandler
from wbridge.wbcore.windows.remote_robot import RemoteDrivenRobot
from wbridge.wbcore.windows.remote_view import RemoteStep, RemoteView, unknown_robot
from wbridge.wbcore.windows.simulated_view import table_data
from wbridge.wbfirmware.emulators.board_output import OWN, BoardOutput, Message, Said, Step, Text, Value
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import robot_of

_LOG = logging.getLogger("wbridge")
GLANCE_S = 0.02
"""Longest wait for bytes, so that pages are served meanwhile."""
RETRY_S = 0.3
"""Between two attempts to reach a board whose connection was lost."""
VALUES_S = 0.5
"""Between two lines with values in the terminal."""


class Target(Protocol):
    """Takes what a board says."""

    def take(self, said: Said, at: float) -> None:
        """Take something that was said at a time (s since the start)."""

    def poll(self) -> None:
        """Called several times per second."""


class Monitor:
    """Receives what a board says; a connection that is lost is opened again."""

    def __init__(
        self, url: str, hardware: Hardware | None, targets: Sequence[Target], acknowledges: bool = False
    ) -> None:
        """
        Args:
            url: the board's wire.
            hardware: its hardware map, if known.
            targets: take what it says.
            acknowledges: let its controller start again after a fault.

        Raises:
            InputError: the URL is wrong.
            RunError: nothing answers there.
        """
        self._targets, self._hardware, self._acknowledges = targets, hardware, acknowledges
        self._output = self._new_output()
        self._steps_s = 0.0
        """Sum of the reported steps."""
        self._has_steps = self._has_told = False
        try:
            self._url = parse_url(url)
            self._pipe: Pipe | None = self._connected()
        except AddressError as problem:
            raise InputError(str(problem)) from None
        except LinkError as problem:
            raise RunError(str(problem)) from None
        self._begin = time.monotonic()

    def __enter__(self) -> Monitor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pipe is not None:
            self._pipe.close()

    def _new_output(self) -> BoardOutput:
        if self._hardware is None:
            return BoardOutput()
        return BoardOutput(Numbering(self._hardware.table), self._hardware.link.real)

    def _connected(self) -> Pipe:
        """Return a new connection; over a network, the token is its first line."""
        pipe = connect_bytes(self._url)
        if self._url.password:
            pipe.send(self._url.password.encode() + b"\n")
        return pipe

    def run(self, over: Event, duration_s: float | None) -> None:
        """Pass on what the board says until `over` is set, or for a time."""
        while not over.is_set() and (duration_s is None or time.monotonic() - self._begin < duration_s):
            for target in self._targets:
                target.poll()
            if self._pipe is None:
                self._connect_again(over)
                continue
            try:
                data = self._pipe.receive(GLANCE_S)
            except ConnectionLost as problem:
                _LOG.warning("warning: %s; waiting for the board", problem)
                self._pipe.close()
                self._pipe = None
                continue
            for said in self._output.feed(data or b""):
                self._pass_on(said)
        if self._output.damaged:
            _LOG.warning("warning: %d reports of steps were damaged on their way", self._output.damaged)

    def _connect_again(self, over: Event) -> None:
        over.wait(RETRY_S)
        try:
            self._pipe = self._connected()
        except LinkError:
            return  # not yet
        damaged, self._output = self._output.damaged, self._new_output()
        self._output.damaged = damaged
        _LOG.info("connected again")

    def _pass_on(self, said: Said) -> None:
        if isinstance(said, Step):
            self._has_steps = True
            self._steps_s += said.elapsed / 1000
        if isinstance(said, Message) and fault_in(OWN + said.text) is not None:
            self._hear_fault()
        at = self._steps_s if self._has_steps else time.monotonic() - self._begin
        for target in self._targets:
            target.take(said, at)

    def _hear_fault(self) -> None:
        """Acknowledge a fault of the board if that is wanted; otherwise tell once how."""
        if self._acknowledges and self._pipe is not None:
            self._pipe.send(ACKNOWLEDGE)
        elif not self._has_told:
            self._has_told = True
            _LOG.warning(
                "the board keeps its motors off after a fault; find the cause, then press its reset button "
                "or run wbridge firmware monitor with --acknowledge"
            )


class PrintedValues:
    """Prints text and messages at once, named values now and then."""

    def __init__(self) -> None:
        self._values: dict[str, float] = {}
        self._due = 0.0

    def take(self, said: Said, at: float) -> None:
        """See `Target`."""
        if isinstance(said, Text):
            print(said.text, flush=True)
        elif isinstance(said, Message):
            print(f"board: {said.text}", flush=True)
        elif isinstance(said, Value):
            self._values[said.name] = said.value

    def poll(self) -> None:
        """See `Target`."""
        now = time.monotonic()
        if self._values and now >= self._due:
            self._due = now + VALUES_S
            print("  ".join(f"{name} = {value:g}" for name, value in self._values.items()), flush=True)
            self._values.clear()


class JsonLines:
    """Prints all that is said but steps, each as a JSON object in a line: `time` (s), `kind`, and its values.

    A value that is no finite number is null.
    """

    def take(self, said: Said, at: float) -> None:
        """See `Target`."""
        if isinstance(said, Step):
            return
        values = {name: _json_value(value) for name, value in said._asdict().items()}
        print(json.dumps({"time": at, "kind": type(said).__name__.lower(), **values}), flush=True)

    def poll(self) -> None:
        """See `Target`."""


def _json_value(value: str | float) -> str | float | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value


class RecordedValues:
    """Writes named values to a CSV file, or everything to an MCAP file."""

    def __init__(self, path: Path, hardware: Hardware | None) -> None:
        """
        Raises:
            InputError: the file cannot be written, or a package is missing.
        """
        self._log: DeviceLog | None = None
        self._file: IO[str] | None = None
        try:
            if path.suffix == ".csv" or hardware is None:
                self._file = path.open("w", newline="", encoding="utf-8")
                self._writer = csv.writer(self._file)
                self._writer.writerow(["time", "name", "value"])
                return
            table = hardware.table
            self._robot, step_ms = table.name, float(table.robot.constants["basicTimeStep"])
            self._log = DeviceLog(path, robot_of(hardware.path)[0], step_ms, [table])
        except McapMissing as problem:
            raise InputError(str(problem)) from None
        except OSError as problem:
            raise InputError(f"cannot record to {path}: {problem.strerror}") from None
        if "report_devices" not in hardware.reports:
            _LOG.warning(
                "warning: %s has no sensors and motors without report_devices = true in %s",
                path,
                hardware.path,
            )

    def take(self, said: Said, at: float) -> None:
        """See `Target`."""
        if self._file is not None and isinstance(said, Value):
            self._writer.writerow([repr(at), said.name, repr(said.value)])
        elif self._log is None:
            return
        elif isinstance(said, Step):
            self._log.add_step(self._robot, at, _real_step(said))
        elif isinstance(said, Value):
            self._log.add_named(self._robot, at, "telemetry", {said.name: said.value})
        else:
            self._log.add_named(self._robot, at, "text", {"text": said.text})

    def poll(self) -> None:
        """See `Target`."""
        if self._file is not None:
            self._file.flush()

    def __enter__(self) -> RecordedValues:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
        if self._log is not None:
            self._log.close()
            if self._log.problem:
                _LOG.error("error: %s", self._log.problem)


def _real_step(said: Step) -> Any:
    return RealStep(float(said.elapsed), said.periods, said.commands, said.readings)


class ShownValues:
    """Shows everything on pages."""

    def __init__(self, windows: Windows, handler: RemoteHandler, name: str) -> None:
        self._hub, self._handler, self._name = windows.hub, handler, name

    def take(self, said: Said, at: float) -> None:
        """See `Target`."""
        if isinstance(said, Step):
            self._handler.note(RemoteStep(said.elapsed, said.periods, said.commands, said.readings))
            return
        view = self._handler.robot.view
        view.time = at
        if isinstance(said, Value):
            self._hub.say(f">{said.name}:{said.value!r}", "stdout", self._name)
        else:
            self._hub.say(said.text, "stdout" if isinstance(said, Text) else "warning", self._name)

    def poll(self) -> None:
        """See `Target`."""
        self._handler.poll()


class NoManualControl:
    """A board that runs alone takes no commands."""

    def drive(self, on: bool) -> None:
        """Refuse."""
        self._refuse()

    def stop(self) -> None:
        """Refuse."""
        self._refuse()

    def acknowledge(self) -> None:
        """Refuse."""
        self._refuse()

    def set(self, tag: int, channel: str, value: Any) -> None:
        """Refuse."""
        self._refuse()

    def enable(self, tag: int, function: str, period: int) -> None:
        """Refuse."""
        self._refuse()

    def leave(self) -> None:
        """Do nothing: there is nothing to give back."""

    def _refuse(self) -> None:
        raise ValueError("the board runs alone: it can be watched, not driven")


def attach_board(windows: Windows, hardware: Hardware | None) -> ShownValues:
    """Show a board on pages; without a hardware map only its values and text."""
    table = unknown_robot() if hardware is None else hardware.table
    shape: dict[str, Any] = {"outline": [], "rays": {}}
    robot = PageRobot(0, table.name, table.robot.type, "", table_data(table), shape)
    hub = windows.hub
    hub.open(WorldInfo(table.name, (robot,), {"up": "z", "standing": []}, None, is_real=True))
    windows.announce()
    driven = RemoteDrivenRobot(RemoteView(table), NoManualControl())
    return ShownValues(windows, RemoteHandler(hub, hub.take, driven), table.name)
