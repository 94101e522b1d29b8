"""Registers of boards with an STM32 that QEMU's machines show: the dividers of serial lines.

Sections are those of ST's reference manual RM0090 (STM32F4), which RM0041 (STM32F100) equals in these. Other
registers of these boards, and those of boards with an nRF, are judged by tests in programs for a computer:
QEMU does not keep what is written to them.
"""

from __future__ import annotations

from functools import partial

from wbridge.wbfirmware.boards.board import Board
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.registers import Read, Rule

USART1 = {"stm32vldiscovery": 0x40013808, "stm32f405": 0x40011008}
"""Register USART_BRR of the wire by board; the clock of others depends on a crystal, which QEMU has not."""
USART2 = 0x40004408
"""Where the wire is USART2."""
BAUD_ERROR = 0.015
"""What a receiver tolerates beside a deviation of the other end's clock (RM0090, 30.3.5)."""


def rules(hardware: Hardware) -> list[Rule]:
    """See `wbridge.wbverify.registers`."""
    board = hardware.board
    register = USART2 if board.emulation.get("wire") == 1 else USART1.get(board.name)
    if hardware.link.wire != "serial" or register is None or board.baud is None:
        return []
    rate = partial(_rate, register, _clock(board))
    low, high = (hardware.link.baud * (1 + error) for error in (-BAUD_ERROR, BAUD_ERROR))
    return [Rule(0, "baud rate of the wire", rate, low, high, "reference manual RM0090, 30.3.4 and 30.6.3")]


def _clock(board: Board) -> float:
    assert board.baud is not None
    return board.clock / board.baud.divider


def _rate(register: int, clock: float, read: Read) -> float:
    """With 16 samples per bit, the register is the divider of the clock."""
    return clock / max(read(register, 4), 1)
