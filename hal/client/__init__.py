"""Which client a controller's process uses: that of `hal.modes`, or a binding of the C library.

The variable WBRIDGE_CLIENT chooses: "python", the default, or "c".
"""

from __future__ import annotations

import os
import sys

__all__ = ["VARIABLE", "is_native", "wants_native"]

VARIABLE = "WBRIDGE_CLIENT"
CLIENTS = ("python", "c")


def is_native() -> bool:
    """True if the program of this process uses the C library.

    A simulator does not, which chooses for each controller inside, nor does a process that starts with remote
    control.

    Raises:
        ValueError: the variable has another value.
    """
    is_other = "hal.modes.session" in sys.modules or "WBRIDGE_REMOTE_CONTROL" in os.environ
    return wants_native() and not is_other


def wants_native() -> bool:
    """True if the variable chooses the C library.

    Raises:
        ValueError: it has another value.
    """
    chosen = os.environ.get(VARIABLE) or CLIENTS[0]
    if chosen not in CLIENTS:
        raise ValueError(f'{VARIABLE} is "{chosen}"; allowed: {" and ".join(CLIENTS)}')
    return chosen == "c"
