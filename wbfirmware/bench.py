"""Run firmware on an emulated board, with access to its pins and its wire.

Emulators are programs with a line protocol: `drive PIN VALUE` and `show PIN` for the pins; in lockstep also
`send HEX`, which sends bytes to the board, and `run MICROSECONDS`, which lets time pass and returns the bytes
that the board has sent. `memory ADDRESS SIZE` returns bytes of the board's memory, `load` what its processor
did. In place of a pin, a name may address the I2C bus: `I2C:ADDRESS` is a device (1 connected, 0
disconnected), `I2C:ADDRESS:REGISTER` a byte in it, `I2C:ADDRESS:REGISTER:2` a signed number in two registers,
the high byte first. Driving a register connects its device. `USB:NAME` is the computer at the USB port.

`drive` has no reply, which keeps it fast. If an emulator cannot drive something, it prints a line `error
drive NAME VALUE: WHY` before its next reply; the first time a name is driven, this reply is awaited. An
emulator that ends by itself gives the reason in its last line, `ended WHY`.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from wbridge.hal.closing import Closing
from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.link.pipe import FramedPipe, VirtualClock
from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.emulators import emulator
from wbridge.wbfirmware.emulators.started import start
from wbridge.wbfirmware.problems import nearest

__all__ = [
    "EXAMINED",
    "HANGING",
    "JUMPING",
    "Bench",
    "BenchError",
    "Load",
    "LockstepPipe",
    "PinState",
    "lockstep_pipe",
]


BUS, PANEL, PINS = "I2C", "SSD1306", "PINS"
PARTS = "ECHO", "HX711", "RC", "STEPPER", "COILS", "BRIDGE", "MOMENT", "STUCK"
"""Prefixes of names that are not pins, but devices and displays on the bus and parts at pins."""
PANEL_WIDTH = 128
"""Pixels of a display."""
CHAIN = "WS2812"
"""Prefix of LEDs at a pin, followed by the pin and the place in the chain."""
USB = "USB"
"""Prefix of names of the computer at the USB port: CABLE, OPEN, READS (0 or 1), BAUD and SUSPENDED; and, to
be shown, PORT (0 to 3: absent, connected, configured, open), DRIVE (1 in the boot loader) and LATE (packets
that the board handed over in the last 0.2 ms of a frame)."""
COUNTING = ("simavr", "rp2040")
"""Emulators that count the cycles of each instruction."""
EXAMINED = COUNTING
"""Emulators that let the set-up pass in parts and hold the I2C bus."""
HANGING = ("rp2040",)
"""Emulators that let a processor hang, or stand still for some time."""
JUMPING = (*EXAMINED, "qemu")
"""Emulators that continue at other functions, and end a trace before."""
FAILED = "error drive "
"""Prefix of a line about something that could not be driven."""
AHEAD = 32_768
"""Characters that an emulator may be told before its replies are read: half of what a pipe holds on Linux."""
END_S = 5.0
"""Time (s) for an emulator to end after it has closed its output."""
ENDED = "ended "
"""Prefix of the last line of an emulator, followed by the reason of its end."""


class BenchError(RuntimeError):
    """Raised when the emulated board has ended or does not know a pin."""


class PinState(NamedTuple):
    """The state of a pin."""

    use: str
    """input, output, pwm, servo, analog, free; timer for a timer in any other mode; register or device;
    pulses of an HX711; steps of a stepper motor or driver; gap of an H bridge (us); color (0xRRGGBB) or
    faults (wrong pulses) of a WS2812."""
    value: float
    """A level, a duty cycle (0 to 1) or a pulse length in microseconds."""
    hertz: float = 0.0
    """Frequency of PWM; 0 if the emulator does not model it."""


class Load(NamedTuple):
    """What a processor has done in some time (us)."""

    awake: float
    """Time in which it did not sleep."""
    longest: float
    """The longest stretch without sleep that has ended in this time."""
    interrupted: float
    """Time in interrupts."""
    interrupts: int
    locked: float
    """The longest time with interrupts disabled, also by an interrupt."""


class Bench(Closing):
    """An emulated board. It ends with the program that created it, or by `close`."""

    def __init__(
        self,
        board: Board,
        program: Path,
        lockstep: bool = False,
        wire: str = "serial",
        trace: Path | None = None,
    ) -> None:
        """
        Args:
            board: the board.
            program: the firmware.
            lockstep: time passes only in `run`; otherwise it is real time.
            wire: serial, usb, tcp, tcps or mqtt.
            trace: a file in which the emulator records executed instructions, for its `executed`.

        Raises:
            BuildError: the emulator is missing.
            BenchError: the emulator does not start.
        """
        self._board = board
        self.emulator = board.emulator
        """Its emulator."""
        self._driven: set[str] = set()
        """Names that could be driven before."""
        self._shown: set[str] = set()
        """Names that could be shown before."""
        program = program.resolve()
        command = emulator(board).command(board, program, lockstep, wire)
        if trace is not None:
            command = emulator(board).traced(command, board, program, trace.resolve())
        self._process = start(command, -1 if lockstep else 1)
        self._told = self._unheard = 0
        """Characters told since the last reply; replies of `pass_time` that were not read."""
        self._early = b""
        """Bytes that the board has sent in the time of these replies."""
        first, _, self.url = self._answer().partition(" ")
        """URL of the wire for controllers; None in lockstep."""
        if first != "wire":
            raise BenchError(f"the emulator of {board.title} failed: {first} {self.url}")

    def drive(self, pin: str, value: float) -> None:
        """Drive an input.

        Args:
            pin: name such as "D2" or "A0", or a register such as "I2C:0x68:0x3B".
            value: a level (0 or 1), volts for analog inputs, or the content of a register.

        Raises:
            BenchError: the pin does not exist, the emulator cannot drive it, or it has ended.
        """
        pin = self._board.circuit.names.get(pin, pin)
        if pin in self._driven:
            self._tell(f"drive {pin} {value:.9g}")
            return
        self._check(pin)
        self._tell(f"drive {pin} {value:.9g}\nshow {pin}")
        self._answer()  # an error would come before this reply
        self._driven.add(pin)

    def show(self, pin: str) -> PinState:
        """Return the state of a pin.

        Raises:
            BenchError: the pin does not exist.
        """
        return self.show_all([pin])[pin]

    def show_all(self, pins: Iterable[str]) -> dict[str, PinState]:
        """Return the states of pins, at once: each exchange with the emulator takes time.

        Raises:
            BenchError: a pin does not exist.
        """
        names = {pin: self._board.circuit.names.get(pin, pin) for pin in pins}
        for name in names.values():
            if name not in self._shown:
                self._check(name)
            self._tell(f"show {name}")
        answers = self._replies(len(names)) if names else []
        states = {}
        for (pin, name), (use, *numbers) in zip(names.items(), map(str.split, answers), strict=True):
            if use == "error":
                raise BenchError(f"{self._board.title} cannot show {name}")
            self._shown.add(name)
            states[pin] = PinState(use, *map(float, numbers))
        return states

    def picture(self, name: str) -> bytes:
        """Return the pixels of a display.

        Args:
            name: SSD1306:ADDRESS:ROWS, for example "SSD1306:0x3C:64".

        Returns:
            128 bytes for each 8 rows; a byte is 8 pixels of a column, the upper one in bit 0.

        Raises:
            BenchError: the emulator has no displays.
        """
        self._tell(f"show {name}")
        kind, _, data = self._answer().partition(" ")
        if kind != "picture":
            raise BenchError(f"{self._board.title} cannot show {name}")
        return bytes.fromhex(data)

    def send(self, data: bytes) -> None:
        """Send bytes to the board's wire, in lockstep."""
        self._tell(f"send {data.hex()}")

    def run(self, microseconds: int) -> bytes:
        """Let time pass, in lockstep.

        Returns:
            The bytes that the board has sent in this time, and in that of `pass_time` before.
        """
        self._tell(f"run {microseconds}")
        own = bytes.fromhex(self._answer().partition(" ")[2])
        return self._taken_early() + own

    def sent(self) -> bytes:
        """Return the bytes that the board has sent in the time of `pass_time`, and that no `run` returned.

        Raises:
            BenchError: the emulator has ended.
        """
        if self._unheard:
            self._replies(0)
        return self._taken_early()

    def _taken_early(self) -> bytes:
        early, self._early = self._early, b""
        return early

    def pass_time(self, microseconds: int) -> None:
        """Let time pass as `run` does, without waiting for it: what fails shows at the next reply."""
        self._tell(f"run {microseconds}")
        self._unheard += 1

    def make_edges(self, edges: Sequence[tuple[str, float, float]]) -> None:
        """Drive inputs by levels, and let time pass after each as `pass_time` does; see EXAMINED.

        An emulator has no reply for an edge, so thousands take less time.

        Args:
            edges: pins, levels and microseconds, for an AVR also sixteenths; the inputs were driven before.
        """
        names = self._board.circuit.names
        self._tell("\n".join(f"edge {names.get(pin, pin)} {level:.0f} {us}" for pin, level, us in edges))

    def boot(self, microseconds: int) -> bool:
        """Let some of the set-up pass, in lockstep, before the first `run`; see EXAMINED.

        Returns:
            True once the program is about to begin.
        """
        self._tell(f"boot {microseconds}")
        return self._answer() == "begun"

    def jump(self, place: int) -> None:
        """Continue at the address of another function, which does not return; see JUMPING."""
        self._tell(f"jump {place}")
        self._answer()

    def hang(self) -> None:
        """Let the processor do nothing more until it is reset; see HANGING."""
        self._tell("hang")

    def halt(self, microseconds: int) -> None:
        """Let time pass in which the processor stands still: interrupts come late; see HANGING."""
        self._tell(f"halt {microseconds}")

    def end_trace(self) -> None:
        """Record no more executed instructions; see JUMPING."""
        self._tell("untrace")

    def hold_bus(self, held: bool) -> None:
        """Let a device hold the clock line of the I2C bus low, or release it; see EXAMINED."""
        self.drive(f"{BUS}:HELD", float(held))

    def give(self, data: bytes) -> None:
        """Send bytes to the board's second serial port, if it has one."""
        self._tell(f"give {data.hex()}")

    def taken(self) -> bytes:
        """Return what the board has sent to its second serial port since the last call."""
        self._tell("taken")
        return bytes.fromhex(self._answer().partition(" ")[2])

    def control(self, setup: bytes, data: bytes = b"") -> tuple[str, bytes]:
        """Make a control transfer as the computer at the USB port, in lockstep, while time passes.

        Args:
            setup: the 8 bytes of the setup packet.
            data: data to the board.

        Returns:
            "ack" and the board's data; or why there are none: "stall", "nak" for longer than 0.1 s,
            "timeout" without an answer, "babble" for too many bytes, "error" for a wrong end, "lost" without
            any end.
        """
        self._tell(f"control {setup.hex()} {data.hex()}")
        _, how, *rest = self._answer().split()
        return how, bytes.fromhex("".join(rest))

    def abandon(self, setup: bytes, packets: int) -> None:
        """Begin a control transfer to the computer, and give it up after some packets of its data."""
        self._tell(f"abandon {setup.hex()} {packets}")
        self._answer()

    def memory(self, place: int, size: int) -> bytes:
        """Return bytes of the board's memory.

        Args:
            place: an address from `wbridge.wbfirmware.building.symbols`.
            size: at least 1.

        Raises:
            BenchError: the memory does not exist, or the emulator has ended.
        """
        return self.memories([place], size)[0]

    def memories(self, places: Sequence[int], size: int) -> list[bytes]:
        """Return bytes of the board's memory at some addresses; see `memory`."""
        for place in places:
            self._tell(f"memory {place} {size}")
        lines = []
        for place, answer in zip(places, self._replies(len(places)), strict=True):
            kind, _, data = answer.partition(" ")
            if kind != "memory":
                raise BenchError(f"{self._board.title} has no {size} bytes of memory at {place:#x}")
            lines.append(bytes.fromhex(data))
        return lines

    def load(self) -> Load | None:
        """Return what the processor has done since the last call; None if the emulator does not count its
        cycles."""
        if self._board.emulator not in COUNTING:
            return None
        self._tell("load")
        _, awake, longest, interrupted, interrupts, locked = self._answer().split()
        return Load(float(awake), float(longest), float(interrupted), int(interrupts), float(locked))

    def close(self) -> None:
        """End the emulation."""
        process = self._process
        with suppress(OSError):  # it may have ended before it read everything
            process.stdin.close()
        process.terminate()
        process.stdout.close()
        process.wait(None)

    def terminate(self) -> None:
        """Ask the emulator to end soon."""
        self._process.terminate()

    def tell(self, line: str) -> str | None:
        """Execute a line of the emulator's protocol: `drive PIN VALUE` or `show PIN`.

        Returns:
            The reply, or None if there is none.

        Raises:
            BenchError: the pin or the command is unknown, or the emulator has ended.
        """
        verb, *words = line.split()
        if verb == "show" and len(words) == 1 and words[0].startswith(f"{PANEL}:"):
            return _drawn(self.picture(words[0]))
        if verb == "show" and len(words) == 1:
            use, value, _ = self.show(words[0])
            return f"{use} {value:g}"
        if verb != "drive" or len(words) != 2:
            raise BenchError(f"unknown command '{line.strip()}'; allowed: drive PIN VALUE, show PIN")
        try:
            self.drive(words[0], float(words[1]))
        except ValueError:
            raise BenchError(f"drive {words[0]}: a number is expected, not {words[1]}") from None
        return None

    @property
    def running(self) -> bool:
        """True until the emulator has ended by itself."""
        return self._process.poll() is None

    def _check(self, name: str) -> None:
        """Check that the pins in a name exist.

        Raises:
            BenchError: a pin does not exist.
        """
        kind, _, rest = name.partition(":")
        if kind in (BUS, PANEL, PINS, USB):
            return
        board = self._board
        pins = rest.split(":")[: 1 if kind == CHAIN else None] if kind in (*PARTS, CHAIN) else [name]
        for pin in pins:
            if pin not in board.pins:
                where = f", of {name}" if pin != name else ""
                raise BenchError(f"{board.title} has no pin {pin}{where}{nearest(pin, board.pins)}")

    def _end(self, why: str) -> str:
        """Return why the emulator has ended: its own message, or its exit status."""
        if why:
            return f"the emulated board has ended: {why}"
        try:
            code = self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            return "the emulated board has stopped responding"
        how = f"signal {-code} ({signal.Signals(-code).name})" if code < 0 else f"exit code {code}"
        return f"the emulated board has ended: its emulator ended with {how}"

    def _tell(self, line: str) -> None:
        if self._unheard and self._told + len(line) > AHEAD:
            self._replies(0)  # otherwise both ends could wait for each other
        try:
            self._process.stdin.write(line + "\n")
        except OSError:
            self._answer()  # its last words
            raise BenchError("the emulated board has ended") from None
        self._told += len(line) + 1

    def _answer(self) -> str:
        """Return the next reply.

        Raises:
            BenchError: a preceding drive failed, or the emulator has ended.
        """
        return self._replies(1)[0]

    def _replies(self, count: int) -> list[str]:
        """Return some replies after those of `pass_time`, which are all read; see `_answer`."""
        with suppress(OSError):  # its last words tell why
            self._process.stdin.flush()
        lines: list[str] = []
        failed = ""
        while len(lines) < self._unheard + count:
            line = self._process.stdout.readline()
            if not line or line.startswith(ENDED):
                self._keep(lines[: self._unheard])
                raise BenchError(self._end(line.removeprefix(ENDED).strip()))
            if line.startswith(FAILED):
                failed = failed or line.removeprefix(FAILED).rstrip("\n")
            else:
                lines.append(line.rstrip("\n"))
        early, own = lines[: self._unheard], lines[self._unheard :]
        self._keep(early)
        if failed:
            raise self._not_driven(failed)
        return own

    def _keep(self, early: list[str]) -> None:
        """Keep what the board has sent in the time of `pass_time`."""
        self._told = self._unheard = 0
        self._early += b"".join(bytes.fromhex(line.partition(" ")[2]) for line in early)

    def _not_driven(self, failed: str) -> BenchError:
        """Return the error for the end of an emulator's line about something that it cannot drive."""
        name = failed.split()[0]
        self._driven.discard(name)
        why = failed.partition(": ")[2] or "this firmware or its emulator does not know it"
        return BenchError(f"{self._board.title}: {name} cannot be driven: {why}")


def _drawn(picture: bytes) -> str:
    """Return the pixels of a display as lines of text; "#" is lit."""
    rows = range(8 * len(picture) // PANEL_WIDTH)
    return "\n".join(
        "".join(".#"[picture[row // 8 * PANEL_WIDTH + x] >> row % 8 & 1] for x in range(PANEL_WIDTH))
        for row in rows
    )


class LockstepPipe:
    """The wire of a board in lockstep: time passes while a reader waits for bytes."""

    retry = 0.2
    slice_us = 1000

    def __init__(self, bench: Bench, clock: VirtualClock) -> None:
        self._bench, self._clock = bench, clock
        self._waiting = b""

    def send(self, data: bytes) -> None:
        """Send bytes to the board."""
        try:
            self._bench.send(data)
        except BenchError as error:
            raise ConnectionLost(str(error)) from None

    def pass_time(self, seconds: float) -> None:
        """Let time pass; bytes that the board sends meanwhile are queued."""
        try:
            self._waiting += self._bench.run(round(1e6 * seconds))
        except BenchError as error:
            raise ConnectionLost(str(error)) from None
        self._clock.now += seconds

    def receive(self, timeout: float) -> bytes | None:
        """Let time pass until bytes arrive, at most `timeout` s."""
        end = self._clock.now + timeout
        while not self._waiting and self._clock.now < end:
            self.pass_time(self.slice_us / 1e6)
        data, self._waiting = self._waiting, b""
        return data or None

    def fileno(self) -> int:
        """Return -1: there is no file descriptor."""
        return -1

    def close(self) -> None:
        """The bench stays."""


def lockstep_pipe(bench: Bench, clock: VirtualClock) -> FramedPipe:
    """Return a message pipe to a board in lockstep, for `wbridge.hal.link.master.Master`."""
    return FramedPipe(LockstepPipe(bench, clock), "cobs", clock)
