"""Reads files that controllers save."""

from __future__ import annotations

from pathlib import Path


def read_float_file(path: Path) -> list[float]:
    """The gray numbers of a Radiance file, row by row (Ward 1991: mantissa / 256 times a power of two)."""
    head, _, rest = path.read_bytes().partition(b"\n\n")
    assert head.startswith(b"#?RADIANCE\n")
    size, _, pixels = rest.partition(b"\n")
    _, height, _, width = size.split()
    assert len(pixels) == 4 * int(width) * int(height)
    assert pixels[0::4] == pixels[1::4] == pixels[2::4]
    return [m / 256 * 2.0 ** (e - 128) for m, e in zip(pixels[0::4], pixels[3::4], strict=True)]
