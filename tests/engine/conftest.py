"""Runs the engine's tests with another build of the engine when WBRIDGE_ENGINE names its file."""

from __future__ import annotations

import importlib.util
import os
import sys

NAME = "wbcore.engine._engine"


def use(path: str) -> None:
    """Let `import wbcore.engine` take the extension at `path`."""
    spec = importlib.util.spec_from_file_location(NAME, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = module
    spec.loader.exec_module(module)


if os.environ.get("WBRIDGE_ENGINE"):
    use(os.environ["WBRIDGE_ENGINE"])
