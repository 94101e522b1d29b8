"""The bench of a board under QEMU, a separate program with the protocol of `wbridge.wbfirmware.bench`.

usage: python -m wbridge.wbfirmware.emulators.qemu_bench FOLDER_OF_BOARD FIRMWARE.elf [--lockstep] [--trace
FILE]

The firmware records in `bench_pins` what each pin does, and reads there the values that the bench drives,
because QEMU models hardly any pins. Bytes pass through the chip's serial port. In lockstep, bytes to the
board are placed where the serial port's interrupt would put them, because QEMU does not control when they
arrive. The same applies to a second serial port, if the board has one.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from wbridge.wbfirmware.boards.board import Board, read_board
from wbridge.wbfirmware.building.symbols import symbols
from wbridge.wbfirmware.emulators.qemu_bus import Bus
from wbridge.wbfirmware.emulators.qemu_clock import Clock
from wbridge.wbfirmware.emulators.qemu_encoders import VARIABLE, Encoders
from wbridge.wbfirmware.emulators.qemu_machine import Machine, MachineError
from wbridge.wbfirmware.emulators.qemu_ring import Ring
from wbridge.wbfirmware.emulators.qemu_serial import SerialLine

PIN_BYTES = 8
USE, WATCHED, DRIVEN, LEVEL, SHOWN = 0, 1, 2, 3, 6
"""Offsets in it; the level is followed by what the converter reads, as in `bench_pin` of bare_metal.h."""
USES = ("free", "input", "output", "pwm", "servo", "analog")
DUTY_FULL = 255
CHUNK, LINES = 4096, 65536
"""Bytes read at once, in real time and in lockstep."""


class _NotDriven(Exception):
    """Raised if something to be driven does not exist; the message says why."""


class Pins:
    """The pins of a board."""

    def __init__(self, machine: Machine, board: Board) -> None:
        self._machine, self._change = machine, board.emulation["change"]
        self.encoders = Encoders(machine, board)
        assert board.pins_header is not None, "read_board has found it"
        header = board.pins_header.read_text(encoding="utf-8")
        pins = re.findall(r"#define PIN_(\w+) (\d+)", header)
        first = machine.symbols.get("bench_pins")  # a firmware that uses no pins has none
        self._places = {
            name: first + PIN_BYTES * int(number)
            for name, number in pins
            if first is not None and name in board.pins
        }
        self._all = (first or 0, PIN_BYTES * (1 + max(int(number) for _, number in pins)))
        if first is not None:
            machine.keep(*self._all)
        top = re.search(r"#define BOARD_ADC_TOP (\d+)", header)
        assert top is not None
        self._top, self._supply = int(top[1]), board.supply

    def drive(self, pin: str, value: float) -> bool:
        """Drive a pin: a level or volts.

        Returns:
            True if the program watches the pin and an interrupt was triggered.
        """
        place, level = self._places[pin], int(value != 0)
        analog = round(min(max(value / self._supply, 0.0), 1.0) * self._top)
        before = self._machine.read_bytes(place, PIN_BYTES)
        self._machine.write_bytes(place + LEVEL, bytes([level, *analog.to_bytes(2, "little")]))
        if not before[DRIVEN]:
            self._machine.write(place + DRIVEN, 1, 1)
        if level == _level(before):
            return False
        other = self.encoders.other(pin)
        if other is not None:
            other_level = _level(self._machine.read_bytes(self._places[other], PIN_BYTES))
            self.encoders.count(pin, bool(level), bool(other_level))
        if not before[WATCHED]:
            return False
        self._machine.write(self._change[0], self._change[1], 4)
        return True

    @property
    def are_seen_in_ticks(self) -> bool:
        """True if the program looks at its pins when its clock ticks and in between only while it is busy: no
        pin has an interrupt, because timers count the encoders."""
        return bool(self.encoders) and not any(self._machine.read_bytes(*self._all)[WATCHED::PIN_BYTES])

    def show(self, pin: str) -> str:
        """Return the state of a pin as text."""
        data = self._machine.read_bytes(self._places[pin], PIN_BYTES)
        use = USES[data[USE]]
        value = _level(data) if use == "input" else _shown(data)
        return f"{use} {value / DUTY_FULL if use == 'pwm' else value:.9g}"

    def __contains__(self, pin: str) -> bool:
        return pin in self._places


def _shown(pin: bytes) -> int:
    """Return what the board has set or measured."""
    return int.from_bytes(pin[SHOWN:PIN_BYTES], "little")


def _level(pin: bytes) -> int:
    """Return what an input reads."""
    return pin[LEVEL] if pin[DRIVEN] else _shown(pin)


class Bench:
    """Executes the lines of the bench protocol."""

    def __init__(self, board: Board, program: Path, lockstep: bool, trace: Path | None) -> None:
        waits = "frequency" in board.emulation or VARIABLE in symbols(board, program)
        self._machine = Machine(board, program, lockstep, waits, trace)
        wake = board.emulation["wake"]
        self._wire = Ring(self._machine, "wire_rx", wake)
        self._second = Ring(self._machine, "serial_rx", wake)
        self._pins, self._bus = Pins(self._machine, board), Bus(self._machine)
        self._bus_pins = [*board.able("sda"), *board.able("scl")]
        self._verbs: dict[str, Callable[[list[str]], str | None]] = {"drive": self._drive, "show": self._show}
        self._verbs |= {"give": self._give, "taken": self._taken, "memory": self._memory}
        self._clock: Clock | None = None
        self._trace = trace
        self._unseen = False
        """An interrupt was triggered, and no time has passed since."""
        self._driven = False
        """Something was driven, and no time has passed since."""
        if lockstep or waits:
            self._machine.run_to_main()
            self._pins.encoders.begin()
        if lockstep:
            self._release_bus()
            self._clock = Clock(self._machine, board)
            self._verbs |= {"send": self._send, "run": self._run}
            self._verbs |= {"jump": self._jump, "untrace": self._untrace}

    def _release_bus(self) -> None:
        """Pull the bus high, as resistors do: not all ports of chips are emulated."""
        for pin in self._bus_pins if self._bus.in_use else ():
            self._pins.drive(pin, 1.0)

    def obey(self, line: str) -> None:
        """Execute a line and print the reply, which may stay in the buffer."""
        verb, *words = line.split()
        try:
            answer = self._verbs[verb](words)
        except _NotDriven as problem:
            answer = f"error {line.strip()}: {problem}"
        except (KeyError, ValueError, IndexError):
            answer = f"error {line.strip()}"
        if answer is not None:
            print(answer)

    def obey_all(self, lines: list[bytes]) -> None:
        """Execute lines and write all replies at once: each time another process wakes up takes time."""
        for line in filter(bytes.strip, lines):
            self.obey(line.decode(errors="replace"))
        sys.stdout.flush()

    def _drive(self, words: list[str]) -> None:
        if words[0].startswith("ECHO:"):
            raise _NotDriven("QEMU cannot simulate echoes; drive the echo pin instead")
        if ":" in words[0] and not words[0].startswith("I2C:"):
            raise _NotDriven("QEMU has no such part; boards with an AVR, the Pico and the host have them")
        self._let_see()  # otherwise this change could overtake the previous one
        self._driven = True
        if words[0] in self._bus:
            try:
                self._bus.drive(words[0], float(words[1]))
            except ValueError as problem:
                raise _NotDriven(problem) from None
        else:
            self._unseen = self._pins.drive(words[0], float(words[1]))

    def _let_see(self) -> None:
        """Let a pending interrupt run. Each processor stop is slow, so this is postponed to the next time
        that passes anyway unless someone reads before."""
        if self._unseen and self._clock is not None:
            self._clock.step()
        self._unseen = False

    def _show(self, words: list[str]) -> str:
        self._let_see()
        return (self._bus if words[0] in self._bus else self._pins).show(words[0])

    def _send(self, words: list[str]) -> None:
        self._wire.put(bytes.fromhex(words[0]))

    def _give(self, words: list[str]) -> None:
        data = bytes.fromhex(words[0])
        if self._clock is not None:
            self._second.put(data)
        else:
            self._machine.give(data)

    def _taken(self, words: list[str]) -> str:
        self._let_see()
        self._machine.gather_second()
        sent, self._machine.sent_second = self._machine.sent_second, b""
        return f"taken {sent.hex()}"

    def _memory(self, words: list[str]) -> str:
        self._let_see()
        return f"memory {self._machine.read_bytes(int(words[0]), int(words[1])).hex()}"

    def _run(self, words: list[str]) -> str:
        left = int(words[0])
        while (self._wire.waiting or self._second.waiting) and left > 0:  # a millisecond empties the rings
            self._pass(min(left, 1000))
            left -= min(left, 1000)
            self._wire.fill()
            self._second.fill()
        self._pass(left)
        self._machine.gather()
        sent, self._machine.sent = self._machine.sent, b""
        return f"ran {sent.hex()}"

    def _jump(self, words: list[str]) -> str:
        assert self._clock is not None
        self._let_see()
        self._clock.jump(int(words[0]))
        return "jumped"

    def _untrace(self, words: list[str]) -> None:
        """End the trace: QEMU goes on writing to a file that has no name any more."""
        if self._trace is None or not self._trace.is_file():
            return
        instructions = self._trace.read_bytes()
        self._trace.unlink()
        self._trace.write_bytes(instructions)

    def _pass(self, microseconds: int) -> None:
        assert self._clock is not None
        # A program that sleeps sees all edges until the next tick at once, and each stop takes time.
        whole_ticks = self._driven and self._pins.are_seen_in_ticks
        self._driven = False
        if self._clock.run(microseconds, whole_ticks):
            self._unseen = False

    def close(self) -> None:
        """End the machine."""
        self._machine.close()

    def serve_lockstep(self) -> None:
        """Execute the lines of standard input."""
        print("wire lockstep", flush=True)
        lines = b""
        while data := os.read(0, LINES):
            *whole, lines = (lines + data).split(b"\n")
            self.obey_all(whole)

    def serve(self) -> None:
        """Execute the lines of standard input, and carry bytes between the serial line and a pseudo
        terminal."""
        self._machine.release()
        self._machine.await_start()
        self._release_bus()
        line = SerialLine(self._machine)
        print(f"wire serial://{line.name}", flush=True)
        lines = b""
        while True:
            if 0 not in line.carry([0]):
                continue
            data = os.read(0, CHUNK)
            if not data:
                return
            *whole, lines = (lines + data).split(b"\n")
            self.obey_all(whole)


def main(arguments: list[str]) -> int:
    """Run until standard input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # as usual, but with the machine's end
    folder, program, *options = arguments
    lockstep = "--lockstep" in options
    trace = Path(options[options.index("--trace") + 1]) if "--trace" in options else None
    try:
        bench = Bench(read_board(Path(folder)), Path(program), lockstep, trace)
        try:
            (bench.serve_lockstep if lockstep else bench.serve)()
        finally:
            bench.close()
    except MachineError as problem:
        print(f"ended {problem}", flush=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
