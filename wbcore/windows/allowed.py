"""What the pages of a run may write."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Allowed(NamedTuple):
    """What pages may write."""

    saves: Path | None = None
    """The folder in which they may save worlds; None: they may not."""
    code: bool = False
    """Whether they may change controllers, and so run programs."""


NOTHING = Allowed()
