"""Which client a controller's process uses: a binding of the C library, or that of `wbridge.hal.modes`.

The variable WBRIDGE_CLIENT chooses "c" or "python". Without it, the C library is used wherever its binding
was compiled.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["VARIABLE", "is_native", "may_be_native"]

VARIABLE = "WBRIDGE_CLIENT"
CLIENTS = ("python", "c")


def is_native() -> bool:
    """True if this program connects by the C library.

    Raises:
        ValueError: the variable has another value.
    """
    chosen = _chosen()
    if chosen == "python" or "wbridge.hal.modes.session" in sys.modules:
        return False
    return chosen == "c" or _is_compiled()


def _chosen() -> str:
    chosen = os.environ.get(VARIABLE, "")
    if chosen and chosen not in CLIENTS:
        raise ValueError(f'{VARIABLE} is "{chosen}"; allowed: {" and ".join(CLIENTS)}')
    return chosen


def may_be_native(environment: Mapping[str, str]) -> bool:
    """True if controllers with these variables use the C library, unless their interpreter cannot load it."""
    return environment.get(VARIABLE) != "python" and _is_compiled()


def _is_compiled() -> bool:
    """True if this interpreter can load the binding."""
    try:
        import wbridge.hal.client._native  # noqa: F401 # start-up: not with the other client
    except ImportError:
        return False
    return True
