"""Instructions of Cortex-M programs that have an effect only under a condition.

Source: Armv7-M Architecture Reference Manual, A5.1 (length of an instruction) and A7.7.38 (IT).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wbfirmware.elf import ARM, Elf

__all__ = ["conditional"]

IT, IT_BITS, MASK = 0xBF00, 0xFF00, 0x000F
"""An If-Then instruction; its mask is 0 in other hints, such as NOP."""
LONG = 0b11101
"""From this value on, the five highest bits of a halfword begin an instruction of 4 bytes."""


def conditional(elf: Elf, executed: Iterable[int]) -> set[int]:
    """The instructions of If-Then blocks: the processor passes through them, with or without an effect.

    Args:
        elf: the program; the set is empty if it is not for Arm.
        executed: addresses of instructions.
    """
    if elf.machine != ARM:
        return set()
    found: set[int] = set()
    for place in executed:
        code = _halfword(elf, place)
        if code & IT_BITS == IT and code & MASK:
            found |= {place, *_block(elf, place + 2, code & MASK)}
    return found


def _block(elf: Elf, place: int, mask: int) -> Iterator[int]:
    """The addresses of the conditional instructions: 4 less the zeros below the lowest 1 of the mask."""
    for _ in range(5 - (mask & -mask).bit_length()):
        yield place
        place += 4 if _halfword(elf, place) >> 11 >= LONG else 2


def _halfword(elf: Elf, place: int) -> int:
    """0 where the program has no bytes, such as in the chip's own start-up code."""
    return int.from_bytes(elf.bytes_at(place, 2), "little")
