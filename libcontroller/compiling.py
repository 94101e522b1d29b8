"""Build the C library and controllers in C and C++ for this machine if their sources have changed.

The library folder has the layout of a Webots installation (`include/controller/c` and `cpp`,
`lib/controller`, `resources`), so that controllers' Makefiles can use it as WEBOTS_HOME. Build results are
stored in the user's cache folder; a controller with a Makefile is built as its Makefile defines. The C++
classes are a separate library, which is built for the first controller that needs it.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from wbridge.hal import turns
from wbridge.hal.archives import SUFFIX as ARCHIVES
from wbridge.hal.archives import create_folder, unpacked
from wbridge.hal.folders import cache_folder, sole_builder
from wbridge.hal.linking import SUFFIX, library_options, run_path, runs_here, write_exports

__all__ = [
    "BuildError",
    "compile_controller",
    "home_path",
    "is_foreign",
    "is_outdated",
    "library_path",
    "need_cxx_library",
    "run",
    "source_folder",
    "sources_of",
    "tool",
]

_LOG = logging.getLogger(__name__)
PARTS = ("include", "cpp", "java", "octave", "resources", "src")
"""Folders of the library's sources."""
ARCHIVE = f"sources{ARCHIVES}"
"""The same folders in an installed wheel, which CMakeLists.txt packs: one file instead of 400."""
C_SUFFIXES, CXX_SUFFIXES = (".c",), (".cpp", ".cc", ".cxx")
MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
NAME = f"libController{SUFFIX}"
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
CXX_NAME = f"libCppController{SUFFIX}"
VEHICLE_NAMES = {
    f"libcar{SUFFIX}": NAME,
    f"libdriver{SUFFIX}": NAME,
    f"libCppCar{SUFFIX}": CXX_NAME,
    f"libCppDriver{SUFFIX}": CXX_NAME,
}
"""Libraries in Makefiles of car controllers, and the libraries here that contain their functions."""
CXX_FLAGS = ("-std=c++11", "-O2", "-fPIC", *WARNINGS)
LIBRARY_FLAGS = (
    *("-std=c11", "-D_GNU_SOURCE", "-O2", "-fPIC", "-ffp-contract=off", *WARNINGS),
    "-Wno-strict-prototypes",  # Clang asks for them; headers are written as those of Webots
)
"""Without contraction, products and sums are rounded separately, with the same results as in Python."""
LENIENT = ("-fcommon", "-Wimplicit-function-declaration", "-Wno-error=implicit-function-declaration")
"""Flags for old controllers that newer compilers reject: variables defined in a header, and calls of
undeclared functions, which work if they return int."""
_STANDARD = {f"{name}.h" for name in "assert ctype errno float limits math stdio stdlib string time".split()}
_LINKED = re.compile(rb"/[^\0:]*/c/library-[0-9a-f]{16}/lib/controller")
"""Run path of the library in a linked program."""
_IMPLICIT = re.compile(r"^.*implicit declaration of function '(\w+)'.*$", re.MULTILINE)
_ERROR = re.compile(r"^.*(?:\berror: |undefined reference|implicit declaration of function 'wb)", re.M)
MOST_TEXT = 4000
"""Maximum number of characters of a compiler's output in a message."""


@cache
def source_folder() -> Path:
    """The folder with the library's sources: this package, or where the archive of the wheel was unpacked.

    Raises:
        OSError: neither the user's cache folder nor the temporary one is writable.
    """
    own = Path(__file__).resolve().parent
    archive = own / ARCHIVE
    if not archive.is_file():
        return own
    return unpacked(archive, "c")


class BuildError(RuntimeError):
    """A build failed; the message contains the compiler's output and advice."""


def tool(name: str, variable: str, package: str) -> list[str]:
    """The compiler from an environment variable, or the default one.

    Raises:
        BuildError: the compiler is not installed.
    """
    words = os.environ.get(variable, "").split() or [name]
    if shutil.which(words[0]) is None:
        raise BuildError(
            f"{words[0]} is not installed; controllers and plugins in C need it. Install it, for example "
            f"with: apt install {package}"
        )
    return words


def run(command: Sequence[str | Path], folder: Path, environment: dict[str, str] | None = None) -> None:
    """Run a tool.

    Raises:
        BuildError: it failed, or the source calls an API function without including its header, which would
            lose half of the pointer that it returns.
    """
    words = [str(word) for word in command]
    plain = {**os.environ, **(environment or {}), "LC_ALL": "C"}
    done = subprocess.run(
        words, cwd=folder, env=plain, capture_output=True, text=True, errors="replace", check=False
    )
    implicit = list(_IMPLICIT.finditer(done.stderr))
    ours = [found for found in implicit if found[1].startswith(("wb_", "wbu_"))]
    if done.returncode == 0 and not ours:
        for found in implicit:
            _LOG.warning("%s: %s", folder, found[0])
        return
    said = (done.stderr or done.stdout).strip()
    raise BuildError(f"{words[0]} could not build {folder}:\n{_excerpt(said)}{_advice(said, folder)}")


def _excerpt(said: str) -> str:
    """Return the first part of a compiler's output; of a long one the part from its first error on."""
    error = _ERROR.search(said) if len(said) > MOST_TEXT else None
    return said[error.start() if error else 0 :][:MOST_TEXT]


def _advice(said: str, folder: Path) -> str:
    if (folder / "CMakeLists.txt").is_file():
        return (
            f"\nIts CMakeLists.txt may build it: cd {shlex.quote(str(folder))} && "
            f"WEBOTS_HOME={shlex.quote(str(home_path()))} cmake -B build && cmake --build build"
        )
    if absent := re.search(r"(?:^|: )([\w+.-]+): (?:command )?not found", said, re.MULTILINE):
        return f"\nIts Makefile requires {absent[1]}, which is not installed."
    if re.search(r"fatal error: ode/\w+\.h: No such file", said):
        return "\nPhysics plugins need the headers of ODE: apt install libode-dev"
    if re.search(r"fatal error: GL/\w+\.h: No such file", said):
        return "\nPlugins that draw need the headers of OpenGL: apt install libgl-dev"
    if re.search(r"'GL_[A-Z_]+' undeclared|'(GL_[A-Z_]+|gl[A-Z]\w+)' was not declared", said):
        return "\nPlugins that draw include <GL/gl.h>, a header of OpenGL: apt install libgl-dev"
    missing = re.search(r"fatal error: (\S+\.hp*): No such file", said)
    folders = (source_folder() / "include", source_folder() / "cpp" / "include")
    known = {str(one.relative_to(place)) for place in folders for one in place.rglob("*.h*")} | _STANDARD
    same = [name for name in known if missing and name.lower() == missing[1].lower()]
    if same:  # works on case-insensitive file systems
        return f"\nThe header is named {same[0]}: file names are case-sensitive on this system."
    if undeclared := re.search(r"implicit declaration of function '(wbu?_\w+)'", said):
        return f"\nInclude the header that declares {undeclared[1]}{_header_of(undeclared[1])}."
    if "undefined reference to `w" in said:
        return "\nThis library does not offer the function that the linker misses (see docs/c-api.md)."
    return ""


def _header_of(function: str) -> str:
    """Return ": <webots/gps.h>" for a function of the API; "" if no header declares it."""
    folder = source_folder() / "include"
    pattern = re.compile(rf"\b{function}\(")
    found = [one for one in sorted(folder.rglob("*.h")) if pattern.search(one.read_text("utf-8"))]
    return f": #include <{found[0].relative_to(folder).as_posix()}>" if found else ""


def _digest(files: Iterable[Path], *more: str) -> str:
    """A digest of files and texts."""
    found = hashlib.sha256("\0".join(more).encode())
    for file in files:
        found.update(str(file).encode() + b"\0" + file.read_bytes())
    return found.hexdigest()[:16]


@cache
def home_path() -> Path:
    """The folder that controllers use as WEBOTS_HOME, with the built library.

    Raises:
        BuildError: no compiler is installed, or it failed.
    """
    compiler = tool("cc", "CC", "gcc")
    folder = _home(compiler)
    if not folder.is_dir():
        create_folder(folder, lambda place: _build_library(place, compiler))
    return folder


def _home(compiler: list[str]) -> Path:
    return cache_folder() / "c" / f"library-{_library_digest(*compiler, *LIBRARY_FLAGS)}"


@cache
def _library_digest(*options: str) -> str:
    """A digest of the library's sources and of options; a process reads these 400 files once."""
    files = sorted(one for part in PARTS for one in (source_folder() / part).rglob("*") if one.is_file())
    return _digest([*files, Path(turns.__file__)], *options)


def is_outdated(program: Path) -> bool:
    """True for a program that must be rebuilt: it was linked with an earlier version of this library, in
    another cache folder, with other C++ classes, or for another machine.

    Raises:
        BuildError: no compiler is installed.
    """
    code = program.read_bytes()
    if code.startswith(b"#!"):
        return False
    if not runs_here(code):
        return True
    linked = _LINKED.search(code)
    if linked is None:
        return CXX_NAME.encode() in code
    return linked[0] != bytes(_home(tool("cc", "CC", "gcc")) / "lib" / "controller")


def is_foreign(program: Path) -> bool:
    """True for a program that was not built here and needs the C API library or a related library."""
    code = program.read_bytes()
    names = (NAME, CXX_NAME, *VEHICLE_NAMES)
    return runs_here(code) and _LINKED.search(code) is None and any(one.encode() in code for one in names)


def library_path() -> Path:
    """The library for C controllers, built if its sources have changed.

    Raises:
        BuildError: no compiler is installed, or it failed.
    """
    return home_path() / "lib" / "controller" / NAME


def need_cxx_library() -> None:
    """Build the library of the C++ classes next to the C library, unless it exists.

    Raises:
        BuildError: no compiler is installed, or it failed.
    """
    library = home_path() / "lib" / "controller"
    if (library / CXX_NAME).is_file():
        return
    compiler = tool("c++", "CXX", "g++")
    with sole_builder(library / CXX_NAME) as is_missing:
        if is_missing:
            _build_cxx_library(library, compiler)


def _build_cxx_library(library: Path, compiler: list[str]) -> None:
    own = source_folder()
    sources = own / "cpp" / "src"
    lines = [f'#include "{source.relative_to(sources)}"\n' for source in sorted(sources.rglob("*.cpp"))]
    with tempfile.TemporaryDirectory(dir=library, prefix="building-") as made:
        whole = Path(made) / "all.cpp"  # a single file compiles faster than many
        whole.write_text("".join(lines))
        folders = ["-Iinclude", "-Icpp/include", "-Icpp/src"]
        options = [*library_options(CXX_NAME), run_path()]
        code, result = Path(made) / "all.o", Path(made) / CXX_NAME
        run([*compiler, *CXX_FLAGS, *folders, "-c", whole, "-o", code], own)
        run([*compiler, *options, "-o", result, code, f"-L{library}", "-lController"], Path(made))
        result.replace(library / CXX_NAME)


def _include_options(home: Path) -> list[str]:
    return [f"-I{home / 'include' / 'controller' / language}" for language in ("c", "cpp")]


def _build_library(place: Path, compiler: list[str]) -> None:
    include = place / "include" / "controller" / "c"
    own = source_folder()
    shutil.copytree(own / "include", include)
    shutil.copytree(own / "cpp" / "include", include.with_name("cpp"))
    for header in list(include.parent.rglob("*.h*")):
        _add_spellings(header)
    shutil.copytree(own / "resources", place / "resources")
    (place / "projects").symlink_to("resources/projects")  # where Makefiles of Webots 5 look
    library = place / "lib" / "controller"
    library.mkdir(parents=True)
    exports = place / "lib" / "exports.txt"
    write_exports(exports)
    objects = place / "objects"
    objects.mkdir()

    def compile_one(source: Path) -> Path:
        # Names that do not contain the folder of the build let ccache recognize the call.
        result = objects / ("_".join(source.parts) + ".o")
        run([*compiler, *LIBRARY_FLAGS, "-Iinclude", "-c", source, "-o", result], own)
        return result

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        sources = sorted(source.relative_to(own) for source in own.joinpath("src").rglob("*.c"))
        made = list(pool.map(compile_one, sources))
    made = _with_turns(made, objects, compiler, own)
    options = library_options(NAME, exports)
    run([*compiler, *options, "-o", library / NAME, *made, "-lm", "-lpthread", "-ldl"], place)
    for name, to in VEHICLE_NAMES.items():
        (library / name).symlink_to(to)
    shutil.rmtree(objects)


def _with_turns(objects: list[Path], folder: Path, compiler: list[str], own: Path) -> list[Path]:
    """Return objects in which threads take turns; the same where a system lacks the programs for objects."""
    if shutil.which("nm") is None or shutil.which("objcopy") is None:
        return objects
    whole, names, calls = folder / "whole.o", folder / "names.txt", folder / "calls.c"
    run([*compiler, "-r", "-nostdlib", "-o", whole, *objects], folder)
    listed = subprocess.run(
        ["nm", "--defined-only", "--format=posix", whole], capture_output=True, text=True, check=True
    )
    defined = {line.split(" ", 1)[0] for line in listed.stdout.splitlines()}
    names.write_text(turns.renamed(own / "include", defined))
    calls.write_text(turns.source(own / "include", defined))
    run(["objcopy", f"--redefine-syms={names}", whole], folder)
    result = calls.with_suffix(".o")
    run([*compiler, *LIBRARY_FLAGS, "-Iinclude", "-c", calls, "-o", result], own)
    return [whole, result]


def _add_spellings(header: Path) -> None:
    """Add links with the names of a header that case-insensitive file systems find as well: supervisor.hpp,
    Gps.hpp, Robot.h. Controllers written on Windows or macOS use them."""
    stem = header.stem
    for name in (stem.lower(), stem.capitalize(), stem.title()):
        link = header.with_name(name + header.suffix)
        if not link.exists():
            link.symlink_to(header.name)


def sources_of(folder: Path) -> list[Path]:
    """The C and C++ sources of a controller, directly in its folder."""
    if not folder.is_dir():
        return []
    return sorted(one for one in folder.iterdir() if one.suffix in (*C_SUFFIXES, *CXX_SUFFIXES))


def compile_controller(folder: Path, into: Path | None = None, in_folder: bool = True) -> Path | None:
    """The program of a controller in C or C++, built if its sources are newer.

    Args:
        folder: folder of the controller, which has the same name as the program.
        into: folder for the program if there is no Makefile; default: the user's cache folder.
        in_folder: False if the folder is not writable; its Makefile, which writes there, is then not used.

    Returns:
        The program, or None if the folder contains neither C or C++ sources nor a Makefile.

    Raises:
        BuildError: the build failed.
    """
    folder = folder.resolve()
    if in_folder and any((folder / name).is_file() for name in MAKEFILES):
        return _make(folder)
    sources = sources_of(folder)
    if not sources:
        return None
    home = home_path()
    nearby = sorted(one for one in folder.rglob("*.h*") if one.is_file())
    digest = _digest([*sources, *nearby], str(home), str(folder))
    if into is not None:
        return _compile_into(folder, into, sources, digest)
    place = cache_folder() / "c" / f"{folder.name}-{digest}"
    if not place.is_dir():
        create_folder(place, lambda made: _link(folder, sources, made))
    return place / folder.name


def _compile_into(folder: Path, into: Path, sources: list[Path], digest: str) -> Path:
    """Build into a given folder, unless it contains a program built from the same sources."""
    program, note = into / folder.name, into / f".{folder.name}.built-of"
    if program.is_file() and note.is_file() and note.read_text() == digest:
        return program
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=into, prefix=".building-") as made:
        _link(folder, sources, Path(made))
        (Path(made) / folder.name).replace(program)
    note.write_text(digest)
    return program


def _link(folder: Path, sources: list[Path], place: Path) -> None:
    """Compile each source and link them."""
    home = home_path()
    has_cxx = any(one.suffix in CXX_SUFFIXES for one in sources)
    c = tool("cc", "CC", "gcc")
    cxx = tool("c++", "CXX", "g++") if has_cxx else c
    if has_cxx:
        need_cxx_library()
    objects = []
    options = ["-O2", "-Wall", *_include_options(home), f"-I{folder}"]
    for source in sources:
        compiler = [*c, *LENIENT] if source.suffix in C_SUFFIXES else cxx
        result = place / f"{source.name}.o"
        run([*compiler, *options, "-c", source, "-o", result], folder)
        objects.append(result)
    library = home / "lib" / "controller"
    classes = ["-lCppController"] if has_cxx else []
    links = [f"-L{library}", *classes, "-lController", f"-Wl,-rpath,{library}", "-lm", "-lpthread"]
    run([*cxx, "-o", place / folder.name, *objects, *links], folder)
    for result in objects:
        result.unlink()


def _make(folder: Path) -> Path:
    """Build a controller with its Makefile; make decides what is out of date."""
    home = home_path()
    if any(file.suffix in CXX_SUFFIXES for file in folder.rglob("*")):
        need_cxx_library()
    make = tool("make", "MAKE", "make")
    # Makefiles from before R2021 compute WEBOTS_HOME_PATH in a way that make 4.3 interprets differently; a
    # variable on the command line overrides the Makefile.
    path = str(home).replace(" ", "\\ ")
    programs = (folder / folder.name, folder / "build" / "release" / folder.name)
    if any(one.is_file() and is_outdated(one) for one in programs):
        for file in (folder / "build" / "release").rglob("*.d"):
            file.unlink()  # it refers to headers of the other library, which may not exist any more
        make = [*make, "--always-make"]
    run([*make, f"WEBOTS_HOME_PATH={path}"], folder, {"WEBOTS_HOME": str(home)})
    for program in programs:
        if program.is_file() and os.access(program, os.X_OK):
            return program
    raise BuildError(f"the Makefile in {folder} did not create the program {folder.name}")
