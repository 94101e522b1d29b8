"""Runs a board's Python in the Python of this computer, with the arguments of micropython.mjs.

Its modules come from the bundle, without files: `python cpython_vm.py BUNDLE`.
"""

from __future__ import annotations

import builtins
import importlib.abc
import importlib.machinery
import io
import json
import math  # noqa: F401 (some modules import `time`, which is the board's later)
import random  # noqa: F401
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, ModuleType

Spec = importlib.machinery.ModuleSpec
FOLDERS = ("user/", "")
"""Folders of modules on a board, see firmware_templates/micropython/main.py."""


class Bundle(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules in the files of a bundle."""

    def __init__(self, files: dict[str, str]) -> None:
        self._files = files

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> Spec | None:
        """See `importlib.abc.MetaPathFinder`."""
        for place in (folder + name.replace(".", "/") for folder in FOLDERS):
            for file, is_package in ((f"{place}.py", False), (f"{place}/__init__.py", True)):
                if file in self._files:
                    return Spec(name, self, origin=file, is_package=is_package)
            if any(file.startswith(f"{place}/") for file in self._files):
                return Spec(name, self, is_package=True)
        return None

    def exec_module(self, module: ModuleType) -> None:
        """See `importlib.abc.Loader`."""
        assert module.__spec__ is not None
        if module.__spec__.origin is not None:
            exec(self.code(module.__spec__.origin), module.__dict__)

    def code(self, file: str) -> CodeType:
        """Return a compiled file."""
        return compile(self._files[file], file, "exec")


class Host(ModuleType):
    """The module `host` of the emulated board."""

    def __init__(self, config: dict[str, object]) -> None:
        super().__init__("host")
        self._config, self._input, self._output = config, sys.stdin, sys.stdout
        self._printed = sys.stdout = sys.stderr = io.StringIO()

    def config(self) -> str:
        """The board's description."""
        return json.dumps(self._config)

    def readline(self) -> str:
        """The next line from the bench; ends the program when there is none."""
        line = self._input.readline()
        if not line:
            raise SystemExit(0)
        return line.rstrip("\n")

    def write(self, line: str) -> None:
        """Write a line for the bench."""
        self._output.write(line + "\n")
        self._output.flush()

    def printed(self) -> str:
        """What the program has printed since the last call."""
        data = self._printed.getvalue().encode("utf-8", "replace")
        self._printed.seek(0)
        self._printed.truncate()
        return data.hex()

    def show(self, problem: BaseException) -> None:
        """Print an exception."""
        traceback.print_exception(type(problem), problem, problem.__traceback__)


def main() -> None:
    """Run the program."""
    data = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    bundle = Bundle(data["files"])
    sys.meta_path.insert(0, bundle)
    host = sys.modules["host"] = Host(data["config"])
    sys.modules.pop("time", None)
    space: dict[str, object] = {"__name__": "__main__"}
    builtins.execfile = lambda file: exec(bundle.code(file), space)  # type: ignore[attr-defined]
    for module in ("controller", "wbridge"):
        sys.modules.pop(module, None)
    try:
        exec(bundle.code(data["start"]), {"__name__": "start"})
    except Exception as problem:
        host.write(f"ended {type(problem).__name__}: {problem}")


if __name__ == "__main__":
    main()
