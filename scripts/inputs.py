"""Where the worlds of other people lie that the demo, some tests and some benchmarks read."""

from __future__ import annotations

import os
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent


def inputs_directory() -> Path | None:
    """The folder in the variable WBRIDGE_INPUTS, else `../shared/inputs`; None when it does not exist."""
    named = os.environ.get("WBRIDGE_INPUTS")
    folder = Path(named) if named else CHECKOUT.parent / "shared" / "inputs"
    return folder if folder.is_dir() else None
