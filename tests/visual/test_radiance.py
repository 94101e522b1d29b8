"""Radiance files. Judge: the format's description (Ward 1991): mantissa / 256 times a power of two."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wbridge.wbcore.visual.images import ImageError
from wbridge.wbcore.visual.radiance import read_radiance

HEAD = b"#?RADIANCE\n# made for a test\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=1\n\n-Y %d +X %d\n"
ONE = bytes((128, 64, 32, 129))
"""Red 1, green 0.5, blue 0.25."""


def write(folder: Path, pixels: bytes, height: int, width: int) -> Path:
    path = folder / "a.hdr"
    path.write_bytes(HEAD % (height, width) + pixels)
    return path


def test_plain_pixels(tmp_path: Path):
    dark, bright = bytes((9, 9, 9, 0)), bytes((255, 0, 1, 136))
    found = read_radiance(write(tmp_path, ONE + dark + bright + ONE, 2, 2))
    assert found.tolist() == [[[1, 0.5, 0.25], [0, 0, 0]], [[255, 0, 1], [1, 0.5, 0.25]]]


def test_runs_within_rows(tmp_path: Path):
    row = b"\2\2\0\10" + b"\210\200" + b"\10" + bytes(range(8)) + b"\204\40\4\1\2\3\4" + b"\210\201"
    found = read_radiance(write(tmp_path, row + row, 2, 8))
    assert (found[..., 0] == 1).all()
    assert found[1, :, 1].tolist() == [i / 128 for i in range(8)]
    assert found[0, :, 2].tolist() == [0.25] * 4 + [i / 128 for i in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG",
        HEAD % (2, 2) + ONE,
        HEAD % (1, 8) + b"\2\2\0\10\211\200",
        HEAD % (1, 8) + b"\2\2\0\10\0",
        HEAD % (1, 8) + b"\2\2\0\11" + bytes(99),
        HEAD % (1, 8) + b"\2\2",
        HEAD % (99999, 99999) + ONE,
        HEAD % (0, 5),
    ],
)
def test_damaged_and_huge_files_are_refused(tmp_path: Path, data: bytes):
    path = tmp_path / "a.hdr"
    path.write_bytes(data)
    with pytest.raises(ImageError, match=r"a\.hdr"):
        read_radiance(path)


def test_large_exponents_are_finite(tmp_path: Path):
    found = read_radiance(write(tmp_path, bytes((255, 255, 255, 255)), 1, 1))
    assert np.isfinite(found).all()
