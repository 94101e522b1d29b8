"""Sums and products of arrays with the same bits on every machine.

NumPy's matrix products, and its sums of many numbers, are computed in an order that depends on the processor,
with fused operations on some. Elementwise operations are not: each result is rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["along_rows", "dots", "exact_sum", "plain_sum", "product"]


def exact_sum(values: Floats) -> float:
    """Return the sum of all elements, rounded once."""
    return math.fsum(values.ravel().tolist())


def plain_sum(values: Iterable[float]) -> float:
    """Return the sum from left to right, each rounded: since Python 3.12, `sum` rounds floats differently."""
    result = 0.0
    for value in values:
        result += value
    return result


def dots(a: Floats, b: Floats) -> Floats:
    """Return the scalar products of vectors (n, 3)."""
    product: Floats = a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]
    return product


def along_rows(vectors: Floats, matrix: Floats) -> Floats:
    """Return the products of a matrix (3, 3) with vectors (..., 3): `vectors @ matrix.T`."""
    import numpy as np  # start-up: few worlds have meshes

    return np.stack([dots(vectors, row) for row in matrix], axis=-1)


def product(a: Floats, b: Floats) -> Floats:
    """Return the product of two matrices, (n, m) and (m, k)."""
    result: Floats = a[:, :1] * b[:1]
    for i in range(1, len(b)):
        result = result + a[:, i : i + 1] * b[i : i + 1]
    return result
