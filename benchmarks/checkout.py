"""Folders of the benchmarks.

Benchmarks of this version also measure former ones (`benchmarks/against.py`): the measured version is that
of the imported packages, wherever this file lies.
"""

from __future__ import annotations

from pathlib import Path

from wbridge import wbcore

__all__ = ["BENCHMARKS", "BUILD", "CHECKOUT", "SCENE"]

CHECKOUT = Path(wbcore.__file__).resolve().parent.parent
"""The measured checkout: its worlds, PROTO files and controllers."""
BENCHMARKS = Path(__file__).resolve().parent
SCENE = BENCHMARKS / "worlds" / "scene.wbt"
"""A path for worlds made here, so that the controllers of the benchmarks are found."""
BUILD = BENCHMARKS.parent / "build" / "benchmarks"
"""Compiled yardsticks."""
