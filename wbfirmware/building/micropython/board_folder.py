"""What the folder of a board with Python contains."""

from __future__ import annotations

MAIN, USER, OURS, BUILD = "main.py", "user", "wb", "wb/build.py"
TELEMETRY = "wbridge.telemetry"
"""The module of wbridge that boards have, too."""
SHARED = TELEMETRY.partition(".")[0]
"""The package that boards share with this computer."""
