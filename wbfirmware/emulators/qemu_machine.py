"""A machine of QEMU that runs a firmware: memory, serial lines and breakpoints.

Pipes connect to its serial line, and to a second one if the board has it. Sockets connect to QEMU's test
protocol, which reads and writes memory and registers while the program runs, and in lockstep to the
debugger's protocol, which stops the processor. In lockstep each instruction takes the same time and sleep
takes no real time, so every run is identical.
"""

from __future__ import annotations

import ctypes
import re
import signal
import socket
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import NamedTuple

from wbridge.hal.ready import readable, wait_for_any
from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.building.symbols import symbols
from wbridge.wbfirmware.emulators.qemu_copies import Copies
from wbridge.wbfirmware.emulators.qemu_coverage import trace_options
from wbridge.wbfirmware.emulators.qemu_fault import why_it_fell
from wbridge.wbfirmware.emulators.qemu_line import Line
from wbridge.wbfirmware.emulators.qemu_memory import fitted

PATIENCE = 60.0
"""Maximum real time (s) for one stretch of time in lockstep."""
START, LOOK = 20.0, 0.002
"""Real time (s) until a firmware's clock must tick, and between two checks."""
CHUNK = 4096
RESET = "T03"
"""The debugger's reply after the program has reset the board, which it does after a fault."""
_PR_SET_PDEATHSIG = 1
RAM = {"qemu-system-arm": range(0x20000000, 0x40000000), "qemu-system-riscv32": range(0x80000000, 1 << 32)}
"""Addresses of memory, not of registers, by program."""


class MachineError(RuntimeError):
    """Raised when the firmware has crashed or hangs."""


class _Write(NamedTuple):
    """Bytes to be written to an address."""

    place: int
    data: bytes
    line: str
    """Of the test protocol."""


class Machine:
    """QEMU with a program loaded."""

    def __init__(
        self, board: Board, program: Path, lockstep: bool, waits: bool = False, trace: Path | None = None
    ) -> None:
        """
        Args:
            board: the board.
            program: the firmware.
            lockstep: time passes on demand.
            waits: the processor stops before the program until `run_to_main` and `release`, also if not in
            lockstep.
            trace: a file for executed instructions; see `wbridge.wbfirmware.emulators.qemu.executed`.
        """
        emulation = board.emulation
        self._frequency: int = emulation.get("frequency", 0)
        self.symbols = symbols(board, program)
        """Addresses by name."""
        self._folder = TemporaryDirectory(prefix="wbridge-qemu-")
        self.wire = Line(Path(self._folder.name), "wire")
        """The serial line; its bytes are collected in `sent`."""
        self.sent = b""
        self.second: Line | None = None
        """The second serial line, if the board has one; its bytes are collected in `sent_second`."""
        self.sent_second = b""
        self._test, test = socket.socketpair()
        ends, self._own = [test], [self._test]
        image, kernel = fitted(board, program), program
        if image is not None:
            kernel = Path(self._folder.name) / "firmware.elf"
            kernel.write_bytes(image)
        lines = {emulation.get("wire", 0): self.wire}
        if any("tx" in functions for functions in board.pins.values()):
            self.second = Line(Path(self._folder.name), "second")
            lines[emulation.get("serial", 1)] = self.second
        self._lines = [lines[number] for number in sorted(lines)]
        command = [
            *(emulation["program"], *emulation["arguments"], "-kernel", str(kernel)),
            *("-display", "none", "-monitor", "none", "-no-reboot", "-accel", "tcg"),
            *(*_chardev("test", test), "-object", "qtest,id=tester,chardev=test,log=/dev/null"),
        ]
        for number in range(max(lines) + 1):
            command += lines[number].options() if number in lines else ["-serial", "null"]
        if trace is not None:
            command += trace_options(emulation["program"], trace)
        if lockstep or waits:
            self._debugger, debugger = socket.socketpair()
            ends.append(debugger)
            self._own.append(self._debugger)
            command += ["-S", *_chardev("debugger", debugger), "-gdb", "chardev:debugger"]
        if lockstep:
            command += ["-icount", f"shift={emulation['instruction']},sleep=off", "-no-shutdown"]
        self._words = TemporaryFile()  # noqa: SIM115 - as long as QEMU
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stderr=self._words,
            pass_fds=[*(end.fileno() for end in ends), *(end for line in self._lines for end in line.ends)],
            preexec_fn=_end_with_parent,  # the program has one thread
        )
        for end in ends:
            end.close()
        for line in self._lines:
            line.started()
        self._answered = b""
        """Unread replies of the test protocol."""
        self._stands = lockstep or waits
        """True while stopped: writes may then be queued until `go` or the next read."""
        self._copies = Copies()
        self._waiting: list[_Write] = []
        """Queued writes: each round trip takes time."""
        self._ram = RAM[emulation["program"]]

    def read(self, place: int, size: int) -> int:
        """Read a number of 1, 2 or 4 bytes in memory, or a register."""
        return int(self._ask(f"read{_WIDTHS[size]} {place:#x}"), 16)

    def read_both(self, first: int, second: int) -> tuple[int, int]:
        """Read two numbers of 4 bytes."""
        answer, other = self._ask_all([f"readl {first:#x}", f"readl {second:#x}"])
        return int(answer, 16), int(other, 16)

    def read_bytes(self, place: int, size: int) -> bytes:
        """Read bytes of the memory."""
        copy = self._copies.read(place, size) if self._stands else None
        return _bytes(self._ask(_reading(place, size))) if copy is None else copy

    def keep(self, place: int, size: int) -> None:
        """While the machine stands, read this memory with the first that is read after each stop.

        For variables, which change only by the program and by `write`; registers also change by themselves.
        """
        self._copies.keep(place, size)

    def write(self, place: int, value: int, size: int) -> None:
        """Write a number of 1, 2 or 4 bytes."""
        data = value.to_bytes(size, "little")
        self._write(_Write(place, data, f"write{_WIDTHS[size]} {place:#x} {value:#x}"))
        self._copies.write(place, data)

    def write_bytes(self, place: int, data: bytes) -> None:
        """Write bytes to memory."""
        if data:
            self._write(_Write(place, data, f"write {place:#x} {len(data):#x} 0x{data.hex()}"))
            self._copies.write(place, data)

    def _write(self, write: _Write) -> None:
        self._waiting.append(write)
        if not self._stands:
            self._ask_all([])

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        for end in self._own:
            end.close()
        for line in self._lines:
            line.close()
        self._words.close()
        self._folder.cleanup()

    def run_to_main(self) -> None:
        """Run to the function main, where variables have their initial values, and stop there.

        A machine whose processor has another frequency than the board's tells it to the program.
        """
        self.stop_at(self.symbols["main"])
        self.go()
        self.stop_no_more(self.symbols["main"])
        if self._frequency:
            self.write(self.symbols["bench_clock"], self._frequency, 4)

    def release(self) -> None:
        """Let the program run in real time from now on, if it was stopped."""
        if self._stands:
            self._ask_all([])
            self._stands = False
            self._tell("D")

    def await_start(self) -> None:
        """Wait in real time until the firmware's clock ticks.

        Earlier writes would be lost because the firmware clears its variables first.

        Raises:
            MachineError: the clock does not tick.
        """
        end, clock = time.monotonic() + START, self.symbols["bench_now"]
        while self.read(clock, 4) == 0:
            if time.monotonic() >= end:
                raise MachineError(f"the firmware has not started its clock within {START:g} s")
            time.sleep(LOOK)

    def _ask(self, line: str) -> str:
        """Return the reply to a line of the test protocol."""
        return self._ask_all([line])[0]

    def _ask_all(self, lines: list[str]) -> list[str]:
        """Return the replies to these lines, after writing what is queued and, with them, reading copies."""
        written, self._waiting = [write.line for write in self._waiting], []
        copied = [_reading(*span) for span in self._copies.missing] if self._stands and lines else []
        answers = self._answers([*written, *copied, *lines])
        end = len(answers) - len(lines)
        self._copies.update([_bytes(answer) for answer in answers[len(written) : end]])
        return answers[end:]

    def _answers(self, lines: list[str]) -> list[str]:
        """Return the replies to lines of the test protocol.

        Serial lines must not become full, so they are read while waiting.
        """
        try:
            self._test.sendall("".join(f"{line}\n" for line in lines).encode())
        except OSError:
            raise self._crashed() from None
        while self._answered.count(b"\n") < len(lines):
            if self._ready(self._test):
                self._answered += self._received(self._test)
        *first, self._answered = self._answered.split(b"\n", len(lines))
        answers = [line.decode().split() for line in first]
        if any(answer[:1] != ["OK"] for answer in answers):
            raise self._crashed()
        return [answer[-1] for answer in answers]

    def _ready(self, end: socket.socket) -> bool:
        """Wait for bytes from `end` or from a serial line, and collect those of the serial lines.

        Returns:
            True if there are bytes from `end`.

        Raises:
            MachineError: nothing arrives.
        """
        ready = readable([end.fileno(), *(line.reading for line in self._lines)], PATIENCE)
        if not ready:
            raise MachineError(f"the firmware hangs: QEMU has not answered for {PATIENCE:g} s")
        if ready != [end.fileno()]:
            self.gather()
        return end.fileno() in ready

    def registers(self) -> list[int]:
        """Return the processor's first 16 registers, in lockstep."""
        self._tell("g")
        data = bytes.fromhex(self._heard()[: 16 * 8])
        return [int.from_bytes(data[k : k + 4], "little") for k in range(0, len(data), 4)]

    def stop_at(self, place: int) -> None:
        """Set a breakpoint, in lockstep."""
        self._tell(f"Z0,{place & ~1:x},2")
        self._heard()

    def stop_no_more(self, place: int) -> None:
        """Undo `stop_at`."""
        self._tell(f"z0,{place & ~1:x},2")
        self._heard()

    def stop_before_write(self, place: int) -> None:
        """Stop whenever the program is about to write the 4 bytes at an address, in lockstep.

        At a breakpoint, QEMU discards all the code that it has translated; at a watchpoint it keeps it.
        """
        self._tell(f"Z2,{place:x},4")
        self._heard()

    def go(self, place: int | None = None) -> None:
        """Continue, at an address if one is given, until the processor stops."""
        stored = [write for write in self._waiting if write.place in self._ram]
        self._waiting = [write for write in self._waiting if write.place not in self._ram]
        if self._waiting:
            self._ask_all([])
        self._copies.outdate()
        # The debugger's protocol writes memory only, but in the round trip of the command to continue.
        writes = [f"M{write.place:x},{len(write.data):x}:{write.data.hex()}" for write in stored]
        self._tell(*writes, "c" if place is None else f"c{place:x}")
        *written, stopped = self._heard_all(len(writes) + 1)
        if any(reply != "OK" for reply in written):
            raise self._crashed()
        if stopped.startswith(RESET):
            raise MachineError(why_it_fell(self))

    def _crashed(self) -> MachineError:
        """Return the error that ended it, with QEMU's own message."""
        self._words.seek(0)
        said = self._words.read().decode(errors="replace").strip()
        return MachineError("the firmware has crashed" + (f"; QEMU says: {said}" if said else ""))

    def _tell(self, *texts: str) -> None:
        packets = "".join(f"${text}#{sum(text.encode()) & 0xFF:02x}" for text in texts)
        try:
            self._debugger.sendall(packets.encode())
        except OSError:
            raise self._crashed() from None

    def _heard(self) -> str:
        """Return the debugger's next reply."""
        return self._heard_all(1)[0]

    def _heard_all(self, count: int) -> list[str]:
        """Return the debugger's next replies, which are all that come."""
        data = b""
        while len(replies := _REPLY.findall(data)) < count:
            if self._ready(self._debugger):
                data += self._received(self._debugger)
        return [reply.decode() for reply in replies]

    def gather(self) -> None:
        """Collect bytes from the serial lines before they are full."""
        self.sent += self._come(self.wire)
        self.gather_second()

    def gather_second(self) -> None:
        """Collect bytes from the second serial line."""
        if self.second is not None:
            self.sent_second += self._come(self.second)

    def give(self, data: bytes) -> None:
        """Send bytes to the second serial line, in real time.

        Raises:
            MachineError: the board has no such line, or does not read from it.
        """
        if self.second is None:
            raise MachineError("this board has no second serial port")
        while data:
            ready, free = wait_for_any([self.second.reading], [self.second.writing], PATIENCE)
            if not ready and not free:
                raise MachineError("the firmware hangs: it does not read from its second serial port")
            self.gather_second()  # otherwise both ends could wait for each other
            if free:
                data = data[self.second.give(data) :]

    def _come(self, line: Line) -> bytes:
        """Return the bytes available at a serial line."""
        try:
            return line.come()
        except EOFError:
            raise self._crashed() from None

    def _received(self, end: socket.socket) -> bytes:
        try:
            data = end.recv(CHUNK)
        except OSError:
            data = b""
        if not data:
            raise self._crashed()
        return data


def _reading(place: int, size: int) -> str:
    """Return the line that reads bytes."""
    return f"read {place:#x} {size:#x}"


def _bytes(answer: str) -> bytes:
    """Return what was read."""
    return bytes.fromhex(answer.removeprefix("0x"))


_REPLY = re.compile(rb"\$([^#]*)#..")
_WIDTHS = {1: "b", 2: "w", 4: "l"}


def _chardev(name: str, end: socket.socket) -> list[str]:
    return ["-chardev", f"socket,id={name},fd={end.fileno()}"]


def _end_with_parent() -> None:
    """End QEMU with this program: it does not end when its sockets close."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
