"""Programs in Intel's hexadecimal format, as compilers for AVR write them."""

from __future__ import annotations

DATA, END, SEGMENT, LINEAR = 0, 1, 2, 4
IGNORED = (3, 5)
"""Records with the place where the program begins: a boot loader begins at the reset vector."""
ERASED = b"\xff"


class HexError(ValueError):
    """The text is not a program; the message names the line."""


def program_of(text: str, most: int) -> bytes:
    """Return the bytes of a program from address 0; gaps are erased flash.

    Args:
        text: of the file.
        most: the size of the flash that a program may use, in bytes.

    Raises:
        HexError: a record is damaged, the end is missing, or the program is too large or empty.
    """
    flash, high, has_ended = bytearray(), 0, False
    for number, line in enumerate(text.split(), 1):
        if has_ended:
            raise HexError(f"line {number}: there is more after the end of the program")
        record = _record(number, line)
        kind, address, data = record[3], int.from_bytes(record[1:3], "big"), record[4:-1]
        if kind == DATA:
            begin = high + address
            if begin + len(data) > most:
                raise HexError(f"line {number}: the program has more than {most} bytes, the board's flash")
            flash.extend(ERASED * (begin + len(data) - len(flash)))
            flash[begin : begin + len(data)] = data
        elif kind in (SEGMENT, LINEAR) and len(data) == 2:
            high = int.from_bytes(data, "big") << (4 if kind == SEGMENT else 16)
        elif kind not in (END, *IGNORED):
            raise HexError(f"line {number}: unknown kind of record {kind}")
        has_ended = kind == END
    if not has_ended or not flash:
        raise HexError("the file is cut off, or is not a program in Intel's hexadecimal format (.hex)")
    return bytes(flash)


def _record(number: int, line: str) -> bytes:
    """Return the bytes of a record: length, address (2), kind, data, sum."""
    try:
        record = bytes.fromhex(line.removeprefix(":")) if line.startswith(":") else b""
    except ValueError:
        record = b""
    if len(record) < 5 or record[0] != len(record) - 5:
        raise HexError(f"line {number} is not a record of Intel's hexadecimal format")
    if sum(record) % 256:
        raise HexError(f"line {number} is damaged: its sum is wrong")
    return record
