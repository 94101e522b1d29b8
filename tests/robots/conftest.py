"""The rig that drives robots in this process."""

from __future__ import annotations

from tests.devices.conftest import api, drive

__all__ = ["api", "drive"]
