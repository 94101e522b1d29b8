"""What physics plugins are compiled with: the headers of the ODE in the engine."""

from __future__ import annotations

from pathlib import Path

from wbridge.hal.archives import packed_folder
from wbridge.wbcore.engine import HAS_OWN_ODE, _engine


def plugin_environment() -> dict[str, str]:
    """Return variables of compilers for plugins: the folders of ODE's headers and of the library of `-lode`.

    There are none for the installed ODE, whose files compilers find by themselves.

    Raises:
        OSError: neither the user's cache folder nor the temporary one is writable.
    """
    if not HAS_OWN_ODE:
        return {}
    folder = Path(str(_engine.__file__)).resolve().parent
    return {"CPATH": str(packed_folder(folder, "include", "ode")), "LIBRARY_PATH": str(folder)}
