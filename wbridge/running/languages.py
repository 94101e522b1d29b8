"""Prepare controllers in Java and Octave: build the library that they call, and compile Java."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from wbridge.failures import InputError
from wbridge.libcontroller.compiling import BuildError
from wbridge.libcontroller.java_building import ARCHIVE, compile_java, is_compiled, need_java_library
from wbridge.libcontroller.octave_building import need_octave_library
from wbridge.wbcore.controllers.java_release import needed_by, release_of
from wbridge.wbcore.controllers.program_types import java_class, matlab
from wbridge.wbcore.controllers.runtime_ini import RuntimeIni, read_runtime_ini

_LOG = logging.getLogger("wbridge")


def prepare_java(folder: Path) -> None:
    """Compile a controller in Java, and build the library that it calls.

    Raises:
        InputError: something cannot be built; the message names the package to install.
    """
    home = os.environ.get("WEBOTS_HOME", "")
    has_webots = bool(home) and (Path(home) / ARCHIVE).is_file()
    environment = dict(os.environ)
    ini = read_runtime_ini(folder)
    ini.apply(environment)
    try:
        archive = Path(home) / ARCHIVE if has_webots else need_java_library()
        if not is_compiled(folder) or _is_for_newer_java(folder, ini):
            _LOG.info("building %s", folder)
            compile_java(folder, archive, environment)
    except BuildError as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        raise InputError(f"cannot build {folder}: {problem.strerror or problem}") from None
    if not has_webots:
        java_class.BUILT[:] = [archive]


def _is_for_newer_java(folder: Path, ini: RuntimeIni) -> bool:
    """True if another, newer JDK has compiled the controller, whose source is there."""
    needed = needed_by(folder / f"{folder.name}.class", folder.name)
    present = release_of(ini.command("java", ["java"])[0])
    has_source = (folder / f"{folder.name}.java").is_file()
    return has_source and needed is not None and present is not None and needed > present


def prepare_octave() -> None:
    """Build the library that controllers in Octave call.

    Raises:
        InputError: it cannot be built; the message names the package to install.
    """
    try:
        matlab.BUILT[:] = [need_octave_library()]
    except BuildError as problem:
        raise InputError(str(problem)) from None
