"""Build plugins in C and C++: shared libraries.

Physics plugins are loaded into the simulator. They need not be linked with ODE or a library of the simulator:
both are there when they are loaded. Remote controls and robot windows are loaded into
controllers, and linked with the C library.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from wbridge.hal.folders import replacement
from wbridge.libcontroller import compiling
from wbridge.libcontroller.compiling import CXX_SUFFIXES, LENIENT, MAKEFILES, BuildError, sources_of

FLAGS = ("-O2", "-g1", "-Wall", "-fPIC", "-ffp-contract=off")
"""With line tables, so that a debugger names the line of a crash."""


def build_physics_plugin(folder: Path, folders: Mapping[str, str] | None = None) -> Path:
    """Build the physics plugin in a folder, with its Makefile or else from all C and C++ files in it.

    Args:
        folder: of the plugin's sources.
        folders: variables of compilers (such as CPATH), each with the first folder to search for ODE's files.

    Returns:
        The library.

    Raises:
        BuildError: the compiler or make failed; the message contains what it printed.
    """
    folder = folder.resolve()
    around = {name: _first(first, os.environ.get(name)) for name, first in (folders or {}).items()}
    if any((folder / name).is_file() for name in MAKEFILES):
        return _make(folder, around)
    return _link(folder, [], around)


def _first(folder: str, others: str | None) -> str:
    return f"{folder}:{others}" if others else folder


def build_controller_plugin(folder: Path) -> Path:
    """Build the remote control or robot window in a folder, as `build_physics_plugin` does.

    Raises:
        BuildError: the compiler or make failed; the message contains what it printed.
    """
    folder = folder.resolve()
    has_cxx = any(one.suffix in CXX_SUFFIXES for one in folder.rglob("*"))
    if has_cxx:
        compiling.need_cxx_library()
    if any((folder / name).is_file() for name in MAKEFILES):
        return _make(folder)
    library = compiling.home_path() / "lib" / "controller"
    classes = ["-lCppController"] if has_cxx else []
    return _link(
        folder, [f"-L{library}", *classes, "-Wl,--no-as-needed", "-lController", f"-Wl,-rpath,{library}"]
    )


def _make(folder: Path, around: dict[str, str] | None = None) -> Path:
    home = compiling.home_path()
    make = compiling.tool("make", "MAKE", "make")
    path = str(home).replace(" ", "\\ ")
    compiling.run([*make, f"WEBOTS_HOME_PATH={path}"], folder, {**(around or {}), "WEBOTS_HOME": str(home)})
    places = (folder / f"lib{folder.name}.so", folder / f"{folder.name}.so")
    found = [one for one in places if one.is_file()]
    if not found:
        raise BuildError(f"the Makefile in {folder} created neither {places[0].name} nor {places[1].name}")
    return max(found, key=lambda one: one.stat().st_mtime)


def _link(folder: Path, links: list[str], around: dict[str, str] | None = None) -> Path:
    home = compiling.home_path()
    sources = sources_of(folder)
    has_cxx = any(one.suffix in CXX_SUFFIXES for one in sources)
    cxx = compiling.tool("c++", "CXX", "g++") if has_cxx else []
    c = compiling.tool("cc", "CC", "gcc")
    place = folder / "build" / "release"
    place.mkdir(parents=True, exist_ok=True)
    objects = []
    for source in sources:
        compiler = cxx if source.suffix in CXX_SUFFIXES else [*c, *LENIENT]
        result = place / f"{source.name}.o"
        include = [f"-I{home / 'include' / 'controller' / one}" for one in ("c", "cpp")]
        compiling.run(
            [*compiler, *FLAGS, *include, f"-I{folder}", "-c", source, "-o", result], folder, around
        )
        objects.append(result)
    library = folder / f"lib{folder.name}.so"
    with replacement(library) as draft:  # another file: the former one may be loaded somewhere
        parts: list[str | Path] = [*objects, *links, "-lm", "-lpthread"]
        compiling.run([*(cxx or c), "-shared", "-o", draft, *parts], folder, around)
    return library
