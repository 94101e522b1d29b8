"""Which client a controller's process uses: that of `hal.modes`, or a binding of the C library.

The variable WBRIDGE_CLIENT chooses: "python", the default, or "c".
"""

from __future__ import annotations

import os
import sys

__all__ = ["VARIABLE", "is_native"]

VARIABLE = "WBRIDGE_CLIENT"
CLIENTS = ("python", "c")


def is_native() -> bool:
    """True if this process uses the C library.

    A simulator that runs controllers inside does not, nor does a process that starts with remote control.

    Raises:
        ValueError: the variable has another value.
    """
    chosen = os.environ.get(VARIABLE) or CLIENTS[0]
    if chosen not in CLIENTS:
        raise ValueError(f'{VARIABLE} is "{chosen}"; allowed: {" and ".join(CLIENTS)}')
    is_other = "hal.modes.session" in sys.modules or "WBRIDGE_REMOTE_CONTROL" in os.environ
    return chosen == "c" and not is_other
