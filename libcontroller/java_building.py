"""Build the library for controllers in Java, and these controllers, with the JDK and SWIG of this machine.

The library is `lib/controller/java` in the folder of the C library, as in a Webots installation:
`Controller.jar` and `libJavaController.so`. It is built for the first controller that needs it.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from wbridge.libcontroller import compiling
from wbridge.libcontroller.compiling import BuildError

_LOG = logging.getLogger(__name__)
PACKAGES = {
    "controller.i": "com.cyberbotics.webots.controller",
    "vehicle.i": "com.cyberbotics.webots.controller.vehicle",
}
"""Java packages by the interface for SWIG that makes them. All are in one archive and one library."""
ARCHIVE = Path("lib", "controller", "java", "Controller.jar")
"""The classes, in the folder that controllers use as WEBOTS_HOME."""
LIBRARY = "libJavaController.so"
JDK = "apt install default-jdk-headless"


def need_java_library() -> Path:
    """Build the library for Java next to the C library, unless it exists.

    Returns:
        The archive with the classes.

    Raises:
        BuildError: a JDK, SWIG or a compiler is missing, or failed.
    """
    home = compiling.home_path()
    archive = home / ARCHIVE
    if archive.is_file():
        return archive
    jdk = _jdk()
    if shutil.which("swig") is None:
        raise BuildError(
            "swig is not installed; the library for controllers in Java is generated with it. Install it, "
            "for example with: apt install swig"
        )
    _LOG.warning("building the library for controllers in Java, once on this machine: about half a minute")
    compiling.need_cxx_library()
    archive.parent.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=archive.parent.parent, prefix="building-") as made:
        _build(Path(made), home, jdk)
        archive.parent.mkdir(exist_ok=True)
        for name in (LIBRARY, ARCHIVE.name):  # the archive last: it means that all is there
            (Path(made) / name).replace(archive.parent / name)
    return archive


def _jdk() -> Path:
    """The JDK with the compiler.

    Raises:
        BuildError: there is none.
    """
    found = shutil.which("javac")
    if found is None:
        raise BuildError(
            f"javac is not installed; controllers in Java need a JDK. Install it, for example with: {JDK}"
        )
    jdk = Path(found).resolve().parent.parent
    if not (jdk / "include" / "jni.h").is_file():
        raise BuildError(f"{jdk} has no include/jni.h; install a complete JDK: {JDK}")
    return jdk


def _build(place: Path, home: Path, jdk: Path) -> None:
    includes = [f"-I{home / 'include' / 'controller' / one}" for one in ("cpp", "c")]
    wrappers = [_generate(place, interface, includes) for interface in PACKAGES]
    classes = place / "classes"
    compiling.run(["javac", "-nowarn", "-d", classes, *sorted(place.rglob("*.java"))], place)
    compiling.run(["jar", "cf", place / ARCHIVE.name, "-C", classes, "."], place)
    native = [f"-I{jdk / 'include'}", f"-I{jdk / 'include' / 'linux'}"]
    options = ["-std=c++11", "-O1", "-fPIC", "-shared", "-Wl,--no-undefined", "-Wl,-rpath,$ORIGIN/.."]
    links = [f"-L{home / 'lib' / 'controller'}", "-lCppController", "-lController"]
    compiler = compiling.tool("c++", "CXX", "g++")
    compiling.run([*compiler, *options, *native, *includes, *wrappers, "-o", place / LIBRARY, *links], place)


def _generate(place: Path, interface: str, includes: list[str]) -> Path:
    """Write the classes of a package, and return the source that connects them with the C++ classes."""
    folder, own = compiling.source_folder() / "java", place / Path(interface).stem
    own.mkdir()
    wrapper = own / "wrapper.cpp"
    options: list[str | Path] = [
        "-c++",
        "-java",
        "-package",
        PACKAGES[interface],
        "-outdir",
        own,
        "-o",
        wrapper,
    ]
    compiling.run(["swig", *options, *includes, f"-I{folder}", folder / interface], place)
    return wrapper


def is_compiled(folder: Path) -> bool:
    """True if a controller has no source in Java, or its class is not older than its sources."""
    source, result = folder / f"{folder.name}.java", folder / f"{folder.name}.class"
    if not source.is_file():
        return True
    newest = max(one.stat().st_mtime for one in folder.rglob("*.java"))
    return result.is_file() and result.stat().st_mtime >= newest


def compile_java(folder: Path, library: Path, environment: Mapping[str, str]) -> None:
    """Compile a controller in Java and the classes that it uses.

    Args:
        folder: folder of the controller, which has the same name as its class.
        library: the archive with the classes of the API.
        environment: environment of the controller, whose CLASSPATH names more archives.

    Raises:
        BuildError: the compiler is missing or found errors.
    """
    _jdk()
    source, result = folder / f"{folder.name}.java", folder / f"{folder.name}.class"
    more = filter(None, environment.get("CLASSPATH", "").split(os.pathsep))
    paths = [str(library), str(folder), *map(str, sorted(folder.glob("*.jar"))), *more]
    # classes beside the sources may be of another JDK
    options = ["-nowarn", "-g", "-Xprefer:source", "-encoding", "UTF-8", "-classpath", os.pathsep.join(paths)]
    compiling.run(["javac", *options, "-sourcepath", folder, "-d", folder, source], folder)
    if not result.is_file():
        raise BuildError(
            f"{source} defines no class {folder.name} outside of packages: a controller's class has the name "
            "of its folder and no package"
        )
    os.utime(result)
