"""Compact form of columns of numbers that change little from one frame to the next.

The numbers become whole ones; of each column the first one is kept, and then the changes of the changes,
which are small for steady motion. All lowest bytes are stored together, then all second ones, and so on, so
that the many zeros compress well. Arithmetic is modulo 2^32 and so exact for any values. docs/recordings.md
describes the format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Whole: TypeAlias = "NDArray[np.int32]"
POSITION_STEPS = 1 << 16
"""Steps per meter: 15 micrometers each."""
ORIENTATION_STEPS = 1 << 14
"""Steps per unit of a quaternion's component."""
LARGEST = (1 << 31) - 1


class Packed(NamedTuple):
    """Columns in compact form."""

    frames: int
    columns: int
    varying: int
    """The number of columns that change."""
    planes: int
    """Bytes for each change."""
    data: bytes
    """First values (int32), one bit for each column that changes (lowest bit first), changes."""


def pack(values: Whole) -> Packed:
    """Return columns in compact form.

    Args:
        values: frames (at least one) by columns.
    """
    frames, columns = values.shape
    changes = np.diff(values.view(np.uint32), axis=0)
    changes[1:] -= changes[:-1].copy()
    varies = changes.any(axis=0)
    signed = changes[:, varies].T.view(np.int32)
    folded = ((signed << 1) ^ (signed >> 31)).view(np.uint32)
    planes = (int(folded.max()).bit_length() + 7) // 8 if folded.size else 0
    parts = np.ascontiguousarray(folded.astype("<u4")).view(np.uint8).reshape(*folded.shape, 4)
    data = [
        values[0].astype("<i4").tobytes(),
        np.packbits(varies, bitorder="little").tobytes(),
        *(parts[:, :, plane].tobytes() for plane in range(planes)),
    ]
    return Packed(frames, columns, int(varies.sum()), planes, b"".join(data))


def unpack(packed: Packed) -> Whole:
    """Return the values that `pack` has got."""
    frames, columns, varying, planes, data = packed
    first = np.frombuffer(data, "<u4", columns)
    bits = np.frombuffer(data, np.uint8, (columns + 7) // 8, 4 * columns)
    varies = np.unpackbits(bits, count=columns, bitorder="little").astype(bool)
    folded = np.zeros((varying, frames - 1), np.uint32)
    begin = 4 * columns + len(bits)
    for plane in range(planes):
        part = np.frombuffer(data, np.uint8, folded.size, begin + plane * folded.size)
        folded |= part.reshape(folded.shape).astype(np.uint32) << np.uint32(8 * plane)
    changes = np.zeros((frames, columns), np.uint32)
    changes[1:, varies] = ((folded >> 1) ^ -(folded & 1)).T
    steps = np.cumsum(changes, axis=0, dtype=np.uint32)
    steps[0] = first
    values: NDArray[np.uint32] = np.cumsum(steps, axis=0, dtype=np.uint32)
    return values.view(np.int32)


def quantized_poses(positions: NDArray[np.float64], orientations: NDArray[np.float64]) -> Whole:
    """Return poses as whole numbers: frames by 7 columns for each body, position and quaternion.

    A quaternion and its negative are the same orientation; of the two, each frame has the one nearer to the
    frame before, so that the numbers change little.

    Args:
        positions: frames by bodies by 3 (m).
        orientations: frames by bodies by 4, unit quaternions.
    """
    frames = len(positions)
    opposite = (orientations[1:] * orientations[:-1]).sum(axis=2) < 0
    signs = np.ones(orientations.shape[:2])
    np.cumprod(np.where(opposite, -1.0, 1.0), axis=0, out=signs[1:])
    rows = np.concatenate(
        [positions * POSITION_STEPS, orientations * signs[:, :, None] * ORIENTATION_STEPS], axis=2
    ).reshape(frames, -1)
    whole: Whole = np.rint(np.clip(np.nan_to_num(rows), -LARGEST, LARGEST)).astype(np.int32)
    return whole
