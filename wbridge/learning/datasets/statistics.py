"""Smallest, largest and mean values of columns, by which trainers scale what networks see."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.float64]
LARGEST_COLOR = 255


@dataclass(frozen=True)
class Statistics:
    """Of a column: one number for each of its numbers, or of the channels of a picture (3, 1, 1)."""

    min: Numbers
    max: Numbers
    mean: Numbers
    std: Numbers
    count: Numbers
    """Shape (1,): frames."""

    def to_data(self) -> dict[str, list[object]]:
        """Return it as lists."""
        return {name: np.asarray(value).tolist() for name, value in asdict(self).items()}

    @classmethod
    def from_data(cls, data: dict[str, ArrayLike]) -> Statistics:
        """Return what `to_data` made; further entries are left out."""
        return cls(*(np.asarray(data[field.name], np.float64) for field in fields(cls)))


def of_rows(rows: ArrayLike) -> Statistics:
    """Return those of a column with a row for each frame."""
    values = np.asarray(rows, np.float64)
    values = values.reshape(len(values), -1)
    count = np.array([float(len(values))])
    return Statistics(values.min(0), values.max(0), values.mean(0), values.std(0), count)


def of_pictures(pictures: NDArray[np.uint8]) -> Statistics:
    """Return those of pictures (frames, height, width, 3), from 0 to 1."""
    values = pictures.reshape(-1, 3) / LARGEST_COLOR
    whole = of_rows(values)
    low, high, mean, std = (part.reshape(3, 1, 1) for part in (whole.min, whole.max, whole.mean, whole.std))
    return Statistics(low, high, mean, std, np.array([float(len(pictures))]))


def joined(first: Statistics, second: Statistics) -> Statistics:
    """Return those of two parts of a column together."""
    count = first.count + second.count
    shares = first.count / count, second.count / count
    mean = shares[0] * first.mean + shares[1] * second.mean
    squares = [
        share * (part.std**2 + (part.mean - mean) ** 2)
        for share, part in zip(shares, (first, second), strict=True)
    ]
    low, high = np.minimum(first.min, second.min), np.maximum(first.max, second.max)
    return Statistics(low, high, mean, np.sqrt(squares[0] + squares[1]), count)
