"""Instructions of Cortex-M programs that are executed conditionally.

Source: Armv7-M Architecture Reference Manual, A5.1 (length of an instruction) and A7.7.38 (IT).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wbridge.wbfirmware.building.elf import ARM, Elf

IT, IT_BITS, MASK = 0xBF00, 0xFF00, 0x000F
"""The If-Then instruction; a mask of 0 means another hint, such as NOP."""
LONG = 0b11101
"""From this value on, the five highest bits of a halfword begin a 4-byte instruction."""


def conditional(elf: Elf, executed: Iterable[int]) -> set[int]:
    """Return the instructions of If-Then blocks: the processor passes through them with or without effect.

    Args:
        elf: the program; the set is empty if it is not for Arm.
        executed: addresses of instructions.
    """
    if elf.machine != ARM:
        return set()
    places: set[int] = set()
    for place in executed:
        code = _halfword(elf, place)
        if code & IT_BITS == IT and code & MASK:
            places |= {place, *_block(elf, place + 2, code & MASK)}
    return places


def _block(elf: Elf, place: int, mask: int) -> Iterator[int]:
    """Return the addresses of the conditional instructions: 4 minus the trailing zeros of the mask."""
    for _ in range(5 - (mask & -mask).bit_length()):
        yield place
        place += 4 if _halfword(elf, place) >> 11 >= LONG else 2


def _halfword(elf: Elf, place: int) -> int:
    """Return 0 where the program has no bytes, such as in the chip's own start-up code."""
    return int.from_bytes(elf.bytes_at(place, 2), "little")
