"""UF2 files, which boards with a USB drive as boot loader program into their flash.

Source: https://github.com/microsoft/uf2, README: blocks of 512 bytes with 256 bytes of the program each.
"""

from __future__ import annotations

import struct

MAGIC_FIRST, MAGIC_SECOND, MAGIC_LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
HAS_FAMILY = 0x2000
"""Flag: the last number of the header is the family of processors."""
PAYLOAD, BLOCK = 256, 512
_HEADER = struct.Struct("<8I")


def uf2(image: bytes, address: int, family: int) -> bytes:
    """Return a program as a UF2 file.

    Args:
        image: the content of the flash; its last block is filled with zeros.
        address: where it begins, a multiple of 256.
        family: the number of the processors that accept it, from the list of the UF2 project.

    Raises:
        ValueError: the address is not a multiple of 256.
    """
    if address % PAYLOAD:
        raise ValueError(f"address {address:#x}: a multiple of {PAYLOAD} is expected")
    parts = [image[k : k + PAYLOAD].ljust(PAYLOAD, b"\0") for k in range(0, len(image), PAYLOAD)]
    return b"".join(
        _block(part, address + PAYLOAD * number, number, len(parts), family)
        for number, part in enumerate(parts)
    )


def _block(data: bytes, address: int, number: int, count: int, family: int) -> bytes:
    header = _HEADER.pack(MAGIC_FIRST, MAGIC_SECOND, HAS_FAMILY, address, len(data), number, count, family)
    end = struct.pack("<I", MAGIC_LAST)
    return (header + data).ljust(BLOCK - len(end), b"\0") + end
