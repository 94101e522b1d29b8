"""Locate the third-party worlds used by the demo, some tests and some benchmarks."""

from __future__ import annotations

import os
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent


def inputs_directory() -> Path | None:
    """Return the folder in the variable WBRIDGE_INPUTS, else `../shared/inputs`; None if it does not
    exist."""
    named = os.environ.get("WBRIDGE_INPUTS")
    folder = Path(named) if named else CHECKOUT.parent / "shared" / "inputs"
    return folder if folder.is_dir() else None
