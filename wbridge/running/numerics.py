"""Import numpy quickly."""

from __future__ import annotations

import os
import sys

__all__ = ["load_numpy"]

THREADS = "OPENBLAS_NUM_THREADS"


def load_numpy() -> None:
    """Import numpy without the threads of its linear algebra: they take 50 ms to start, and no command
    multiplies matrices that are large enough to use them."""
    if "numpy" in sys.modules or THREADS in os.environ:
        return
    os.environ[THREADS] = "1"
    try:
        import numpy  # noqa: F401
    finally:
        del os.environ[THREADS]  # controllers decide for themselves
