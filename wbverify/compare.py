"""Build the step table from the values on the desktop and on a board."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from wbridge.wbcore.bridge.channel_commands import sample_values
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.coupling.couplings import BoardNumbers
from wbridge.wbverify.packets import finds_room, packet_numbers
from wbridge.wbverify.reference import BATTERY, PACKET, Key, Reading, Reference, SentPacket, Values
from wbridge.wbverify.replay import Replay
from wbridge.wbverify.standalone_run import BoardObserver
from wbridge.wbverify.step_table import TableRow

AXES = "xyz"
HIL, STANDALONE = "hil", "standalone"


def hil_rows(hardware: Hardware, reference: Reference, replay: Replay, exact: bool) -> list[TableRow]:
    """Compare the commands at the beginning of each controller step, and list the sensor values.

    Args:
        hardware: the hardware map.
        reference: the run on the desktop.
        replay: the run on the board.
        exact: the board computes exactly as the desktop does, with reals of 8 bytes.
    """
    numbers = BoardNumbers.of(hardware)
    bounds = _Tolerances(numbers, reference, exact)
    names = [device.name for device in hardware.table.all]
    durations = dict(replay.durations)
    local = {wiring.device.tag for wiring in hardware.wirings if wiring.driver.is_local}
    rows: list[TableRow] = []
    for begin, length in _steps_of_controller(reference):
        time = begin * reference.step_ms
        board = float(durations.get(begin, math.nan))
        rows.append(TableRow(begin, time, HIL, names[0], "step", length, board, 0.0))
        on_desktop, on_board = reference.commands[begin], _at(replay.commands, begin)
        for key in sorted({*on_desktop, *on_board}):
            if key[0] in local:
                continue
            pairs = _numbers(key, on_desktop.get(key), on_board.get(key))
            rows += [
                TableRow(begin, time, HIL, names[key[0]], value, a, b, bounds.of(key, a))
                for value, a, b in pairs
            ]
        rows += _packets(hardware, begin, time, HIL, reference.sent[begin], _sent(replay.sent, begin))
        for step in range(begin, begin + max(int(length / reference.step_ms), 1)):
            rows += _given(hardware, reference, step, HIL, numbers)
    return rows


def standalone_rows(hardware: Hardware, reference: Reference, board: BoardObserver) -> list[TableRow]:
    """Compare pins and serial line in each step, and the sensor values that the controllers read."""
    names = [device.name for device in hardware.table.all]
    seen: dict[int, list[TableRow]] = {}
    for failure in board.seen:
        time = failure.step * reference.step_ms
        row = TableRow(
            *(
                failure.step,
                time,
                STANDALONE,
                names[failure.tag],
                failure.quantity,
                failure.wanted,
                failure.found,
                failure.bound,
            ),
            source=failure.source,
        )
        seen.setdefault(failure.step, []).append(row)
    rows: list[TableRow] = []
    for step in range(len(board.numbers)):
        rows += seen.get(step, [])
        time = step * reference.step_ms
        rows += _packets(hardware, step, time, STANDALONE, reference.sent[step], _sent(board.sent, step))
        rows += _read(hardware, reference, board, step)
        rows += _missing(names, board, step, time + reference.step_ms)
    return rows


def _missing(names: list[str], board: BoardObserver, step: int, time: float) -> Iterator[TableRow]:
    """Return the rows of sensors without a value on the board although it had time for a first one."""
    for tag, value in board.withheld[step].items():
        if not math.isnan(value.wanted):
            yield TableRow(
                step, time, STANDALONE, names[tag], value.channel, value.wanted, value.found, value.bound
            )


def _packets(
    hardware: Hardware, step: int, time: float, place: str, desktop: list[SentPacket], board: list[SentPacket]
) -> Iterator[TableRow]:
    """Return the rows for the packets of a step."""
    for tag, value, a, b in packet_numbers(desktop, board):
        yield TableRow(step, time, place, hardware.table.all[tag].name, value, a, b, 0.0)


def _sent(packets: list[list[SentPacket]], step: int) -> list[SentPacket]:
    return packets[step] if step < len(packets) else []


def _steps_of_controller(reference: Reference) -> Iterator[tuple[int, float]]:
    """Iterate over the world step with which each controller step begins, and its length in ms."""
    begin = 0
    for step, answered in enumerate(reference.answered):
        if answered:
            yield begin, (step + 1 - begin) * reference.step_ms
            begin = step + 1


def _at(commands: list[dict[Key, Values]], step: int) -> dict[Key, Values]:
    return commands[step] if step < len(commands) else {}


def _given(
    hardware: Hardware, reference: Reference, step: int, place: str, numbers: BoardNumbers
) -> Iterator[TableRow]:
    """List sensor values of a step, which the board received in the precision of its numbers."""
    for reading in reference.readings[step]:
        for value, number, _ in _numbers((reading.tag, reading.message), reading.values, reading.values):
            expected = float(numbers.real(number))
            yield _reading_row(hardware, reference, step, place, reading, value, number, expected, 0.0, True)


def _read(hardware: Hardware, reference: Reference, board: BoardObserver, step: int) -> Iterator[TableRow]:
    """Compare sensor values of a step with those that the controller on the board read; for packets it is
    only known whether the board had room for them."""
    packets = [reading for reading in reference.readings[step] if reading.message == PACKET]
    room = finds_room(hardware, [packet.values[-1] for packet in packets])
    for reading in reference.readings[step]:
        if reading.message == PACKET and not next(room):
            pair = (float(len(reading.values[-1])), math.nan)
            yield _reading_row(hardware, reference, step, STANDALONE, reading, "packet.size", *pair, 0.0)
            continue
        asked = board.reads[step].get(reading.tag)
        reading_values = _found(reference, board, step, reading)
        pairs = _numbers((reading.tag, reading.message), reading.values, reading_values or reading.values)
        for value, wanted, number in pairs:
            comparison = (wanted, number, 0.0) if asked is None else (asked.wanted, number, asked.bound)
            yield _reading_row(
                hardware, reference, step, STANDALONE, reading, value, *comparison, reading_values is None
            )


def _found(reference: Reference, board: BoardObserver, step: int, reading: Reading) -> Values | None:
    """Return the value that the controller on the board has read; None if unknown."""
    if reading.message == PACKET:
        return None
    pairs = [(BATTERY, reading.values[0])]
    if reading.tag:
        device = reference.robot.devices[reading.tag - 1]
        pairs = sample_values(device, reading.message, reading.values)
    found = [board.numbers[step].of(reading.tag, channel) for channel, _ in pairs]
    if not found or any(numbers is None for numbers in found):
        return None
    return tuple(number for numbers in found for number in numbers or ())


def _reading_row(
    hardware: Hardware, reference: Reference, step: int, place: str, reading: Reading, *rest: Any
) -> TableRow:
    name = hardware.table.all[reading.tag].name
    return TableRow(step, (step + 1) * reference.step_ms, place, name, *rest)


def _numbers(key: Key, values: Values | None, other: Values | None) -> list[tuple[str, float, float]]:
    """Return the numbers of two values as pairs with names; missing values are NaN."""
    first, second = (None if said is None else list(_flat(said)) for said in (values, other))
    count = max(len(said) for said in (first, second) if said is not None)
    first, second = ([math.nan] * count if said is None else said for said in (first, second))
    names = (
        [key[1]] if count == 1 else [f"{key[1]}.{AXES[k] if count == len(AXES) else k}" for k in range(count)]
    )
    return list(zip(names, first, second, strict=False))


def _flat(values: Values) -> Iterator[float]:
    for value in values:
        if isinstance(value, (tuple, list)):
            yield from _flat(tuple(value))
        elif isinstance(value, (int, float)):
            yield float(value)


class _Tolerances:
    """Allowed differences of numbers sent over the link.

    With reals of 8 bytes, both sides compute with the same numbers, which must be equal unless mathematical
    functions of different libraries are involved. In that case, and with reals of 4 bytes, each operation of
    the controller rounds by up to half a unit in the last place of its largest operand, for which the largest
    value of the command is used. ROUNDINGS is the number of roundings allowed.
    """

    def __init__(self, numbers: BoardNumbers, reference: Reference, exact: bool) -> None:
        self._relative = 0.0 if exact and numbers.real is np.float64 else numbers.relative
        self._largest: dict[Key, float] = {}
        for commands in reference.commands if self._relative else ():
            for key, values in commands.items():
                finite = [abs(number) for number in _flat(values) if math.isfinite(number)]
                self._largest[key] = max([self._largest.get(key, 0.0), *finite])
        self._whole = {
            key
            for commands in reference.commands
            for key, values in commands.items()
            if all(_is_whole(value) for value in values)
        }

    def of(self, key: Key, value: float) -> float:
        """Return the tolerance for one number of a command; whole numbers must be equal."""
        if key in self._whole or not math.isfinite(value):
            return 0.0
        return self._relative * self._largest.get(key, 0.0)


def _is_whole(value: Any) -> bool:
    return isinstance(value, (bool, int))
