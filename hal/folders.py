"""Where wbridge keeps files for the user."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cache_folder"]


def cache_folder() -> Path:
    """What can be made or fetched again: $WBRIDGE_CACHE, else wbridge/ in the user's cache folder
    ($XDG_CACHE_HOME or ~/.cache)."""
    own = os.environ.get("WBRIDGE_CACHE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wbridge"
