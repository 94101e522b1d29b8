"""The releases of Webots' controller libraries that can connect, by name."""

from __future__ import annotations

from wbridge.hal.protocol.dialect import DIALECTS, R2025A

__all__ = ["DIALECTS", "NEWEST"]

NEWEST = R2025A.name
