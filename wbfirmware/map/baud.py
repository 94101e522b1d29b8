"""Baud rates that a board's clock can be divided to."""

from __future__ import annotations

from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.problems import Source

ERROR = 0.025
"""Maximum relative clock difference of two ends without misread bytes."""
BAUD = "baud"
"""The parameter of drivers that use the second serial line."""


def what_is_wrong(board: Board, divider: int, baud: int) -> str:
    """Return why a serial line whose clock is the board's over `divider` cannot have a rate; "": it can."""
    assert board.baud is not None
    clock = board.clock / divider
    wanted = round(clock / baud)
    possible = min(max(wanted, board.baud.least), (1 << board.baud.bits) - 1)
    real = clock / possible
    if wanted == possible and abs(real / baud - 1) <= ERROR:
        return ""
    return (
        f"the nearest rate of the clock of {board.title} is {real:.0f}; the maximum error is {100 * ERROR} %"
    )


def check_second_line(source: Source, hardware: Hardware) -> None:
    """Check the baud rate of the second serial line."""
    board = hardware.board
    if board.baud is None:
        return
    for wiring in hardware.wirings:
        baud = wiring.values.get(BAUD)
        why = what_is_wrong(board, board.baud.second or board.baud.divider, baud) if baud else ""
        if why:
            source.wrong((*wiring.keys, BAUD), f'"{wiring.device.name}": {BAUD}: found {baud}; {why}')
