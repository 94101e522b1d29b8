"""The simulator: load worlds, simulate them, and serve the controllers of their robots.

Importing this package loads nothing else, so that tools which only read worlds start in milliseconds;
`Simulation` and the physics are loaded on first use of the name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wbridge.wbcore.simulation import Simulation

__all__ = ["Simulation"]


def __getattr__(name: str) -> object:
    if name == "Simulation":
        from wbridge.wbcore.simulation import Simulation  # start-up: 340 ms, readers of worlds need none

        return Simulation
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
