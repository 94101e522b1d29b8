"""Build the functions for controllers in MATLAB's language, with the Octave of this machine.

They are in `lib/controller/octave` in the folder of the C library: `wb_call.oct`, which calls each function
of the C API by its name, a file for each function and constant, and `launcher.m`, which runs a controller.
"""

from __future__ import annotations

import logging
import re
import shutil
from pathlib import Path

from wbridge.hal.archives import create_folder
from wbridge.libcontroller import compiling
from wbridge.libcontroller.compiling import BuildError

_LOG = logging.getLogger(__name__)
LAUNCHER = "launcher.m"
FUNCTIONS = "functions"
"""Folder of the functions that controllers call."""
HIDDEN = "hidden"
"""Folder of functions that stand in for figures where Octave cannot show any."""
FIGURES = (
    "axes axis bar cla clf close colorbar colormap contour figure fill grid hist hold image imagesc imshow"
    " legend line loglog mesh patch plot plot3 polar print quiver quiver3 rectangle refresh saveas"
    " scatter scatter3 semilogx semilogy stairs stem subplot surf text title view xlabel xlim ylabel ylim"
    " zlabel zlim"
).split()
FLAGS = ("-std=c++17", "-O1", "-s")
_NAME = re.compile(r"^[A-Z]+\((wbu?_\w+),", re.MULTILINE)
_PLAIN = re.compile(r"^FUNCTION\((wbu?_\w+)\)", re.MULTILINE)


def need_octave_library() -> Path:
    """Build the functions for Octave next to the C library, unless they exist.

    Returns:
        Their folder.

    Raises:
        BuildError: Octave or its compiler is missing, or failed.
    """
    home = compiling.home_path()
    folder = home / "lib" / "controller" / "octave"
    if folder.is_dir():
        return folder
    if shutil.which("mkoctfile") is None:
        raise BuildError(
            "mkoctfile is not installed; controllers in MATLAB's language run in GNU Octave. Install it, for "
            "example with: apt install octave octave-dev"
        )
    _LOG.warning("building the functions for GNU Octave, once on this machine: about half a minute")
    create_folder(folder, lambda place: _build(place, home))
    return folder


def _build(place: Path, home: Path) -> None:
    _compile(place, home)
    _write_functions(place)


def _compile(place: Path, home: Path) -> None:
    include = f"-I{home / 'include' / 'controller' / 'c'}"
    library = home / "lib" / "controller"
    links = [f"-L{library}", "-lController", f"-Wl,-rpath,{library}"]
    sources = [_sources() / name for name in ("wb_call.cpp", "special.cpp")]
    compiling.run(["mkoctfile", *FLAGS, include, "-o", place / "wb_call.oct", *sources, *links], place)
    for file in place.glob("*.o"):
        file.unlink()


def _sources() -> Path:
    return compiling.source_folder() / "octave"


def _write_functions(place: Path) -> None:
    """Write a file for each function and constant, and copy those that exist."""
    sources = _sources()
    shutil.copy(sources / LAUNCHER, place)
    folder = place / FUNCTIONS
    shutil.copytree(sources / FUNCTIONS, folder)
    table = (sources / "generated.h").read_text("utf-8")
    for name in (*_NAME.findall(table), *_PLAIN.findall(table)):
        (folder / f"{name}.m").write_text(
            f"function varargout = {name} (varargin)\n"
            f'  value = wb_call ("{name}", varargin{{:}});\n'
            "  if (nargout > 1)\n"
            "    varargout = num2cell (value);\n"  # [x, y, z] = wb_gps_get_values (tag)
            "  elseif (! isempty (value) || nargout)\n"
            "    varargout{1} = value;\n"
            "  endif\n"
            "endfunction\n"
        )
    (place / HIDDEN).mkdir()
    for name in FIGURES:
        (place / HIDDEN / f"{name}.m").write_text(
            f"function varargout = {name} (varargin)\n  varargout = cell (1, nargout);\nendfunction\n"
        )
    for line in (sources / "constants.txt").read_text("utf-8").splitlines():
        name, value = line.split()
        (folder / f"{name}.m").write_text(f"function value = {name} ()\n  value = {value};\nendfunction\n")
