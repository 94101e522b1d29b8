"""Python's headers for Pyodide: those of Debian's package, with the configuration of Pyodide's own Python."""

from __future__ import annotations

import re
import runpy
import shutil
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

__all__ = ["configuration", "extension_suffix", "write_headers"]

SETTING = re.compile(r"^\s*#\s*(?:define|undef)\s+(\w+)|^/\*\s*#undef\s+(\w+)", re.MULTILINE)


def settings(library: Path) -> dict[str, Any]:
    """Return what Pyodide's Python was configured with; `library` is its archive of modules."""
    with zipfile.ZipFile(library) as archive, TemporaryDirectory() as folder:
        name = next(one for one in archive.namelist() if one.startswith("_sysconfigdata"))
        found = runpy.run_path(archive.extract(name, folder))["build_time_vars"]
    return dict(found)


def extension_suffix(library: Path) -> str:
    """Return the end of the file names of extension modules, such as ".cpython-315-wasm32-emscripten.so"."""
    return str(settings(library)["EXT_SUFFIX"])


def configuration(template: str, values: dict[str, Any]) -> str:
    """Return pyconfig.h: the settings that a template names, with these values."""
    names = dict.fromkeys(first or second for first, second in SETTING.findall(template))
    lines = [f"#define {name} {values[name]}" for name in names if values.get(name) not in (None, 0, "")]
    return "\n".join(["#ifndef Py_PYCONFIG_H", "#define Py_PYCONFIG_H", *lines, "#endif", ""])


def write_headers(packages: Path, library: Path, target: Path) -> None:
    """Write the headers into a folder.

    Args:
        packages: the folder into which Debian's packages were unpacked.
        library: Pyodide's archive of modules.
        target: the folder; it is replaced.
    """
    source = next(packages.glob("usr/include/python3.*"))
    template = next(packages.glob(f"usr/include/*-linux-gnu/{source.name}/pyconfig.h"))
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    (target / "pyconfig.h").write_text(configuration(template.read_text(), settings(library)))
