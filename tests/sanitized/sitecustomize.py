"""Lets programs in whose PYTHONPATH this folder is use the client that WBRIDGE_SANITIZED_CLIENT names.

WBRIDGE_SANITIZERS names the libraries that such a program must load first; other programs that it starts,
such as compilers, would be slow with them.
"""

from __future__ import annotations

import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType

PRELOADED = "LD_PRELOAD"


class SanitizedClient(MetaPathFinder):
    """Finds that build of the client instead of the usual one, which others may use meanwhile."""

    def find_spec(
        self, name: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The extension module, or None for any other one."""
        if name != "wbridge.hal.client._native":
            return None
        return spec_from_file_location(name, os.environ["WBRIDGE_SANITIZED_CLIENT"])


if "WBRIDGE_SANITIZED_CLIENT" in os.environ:
    libraries = os.environ["WBRIDGE_SANITIZERS"]
    if os.environ.pop(PRELOADED, "") != libraries:
        os.execve(sys.executable, sys.orig_argv, {**os.environ, PRELOADED: libraries})
    sys.meta_path.insert(0, SanitizedClient())
