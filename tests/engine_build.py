"""Lets tests run with another build of the engine: the one with sanitizers, for example."""

from __future__ import annotations

import importlib.util
import os
import sys
from types import ModuleType

import pytest

__all__ = ["take_named_build"]

ENGINE = "wbridge.wbcore.engine._engine"
FILE, PRELOADED = "WBRIDGE_ENGINE", "LD_PRELOAD"
"""Variables: the extension's file, and the sanitizers' libraries, which its process loads first."""
UNNOTED = "greenlets copy stacks without the sanitizers' notes about them"


def take_named_build() -> None:
    """Let `import wbridge.wbcore.engine` take the extension that the variable WBRIDGE_ENGINE names, if it
    does.

    Programs that tests start, such as controllers, inherit neither the build nor the preloaded libraries.
    """
    path = os.environ.pop(FILE, "")
    if not path:
        return
    if os.environ.pop(PRELOADED, ""):
        sys.modules["greenlet"] = _NoGreenlets("greenlet")
    spec = importlib.util.spec_from_file_location(ENGINE, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[ENGINE] = module
    spec.loader.exec_module(module)


class _NoGreenlets(ModuleType):
    """Skips the tests that use greenlets."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        pytest.skip(UNNOTED, allow_module_level=True)
