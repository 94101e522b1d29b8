"""Compiles the packages of Python that some worlds need: numpy, Pillow and lupa; Jinja2 needs no compiler.

The page loads each of them when it is first imported, so they lie in a folder of their own each.
"""

from __future__ import annotations

import shutil
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from scripts.live.emscripten import EXCEPTIONS, SIDE_MODULE, call
from scripts.live.numpy_package import compile_numpy
from scripts.live.toolchain import Toolchain

__all__ = ["compile_packages"]

LIBRARIES = {
    "freetype": (
        "libfreetype.a",
        ("FT_DISABLE_ZLIB", "FT_DISABLE_BZIP2", "FT_DISABLE_PNG", "FT_DISABLE_HARFBUZZ", "FT_DISABLE_BROTLI"),
    ),
    "libjpeg-turbo": ("libjpeg.a", ("WITH_JPEG8",)),
}
"""What Pillow is linked with, by Debian's name of its sources: the library, and what CMake switches on."""
JPEG_OFF = ("ENABLE_SHARED", "WITH_SIMD", "WITH_TURBOJPEG", "WITH_TOOLS", "WITH_TESTS")
LUA = ("_lupa", "lua52", "third-party/lua52")
NOT_LUA = ("lua.c", "luac.c", "ltests.c")
"""Programs among the sources of Lua's library."""


class Build(NamedTuple):
    """What all packages are compiled with."""

    tools: Toolchain
    folder: Path
    """For sources and objects."""
    headers: Path
    """Of Pyodide's Python."""
    suffix: str
    """The end of the names of extension modules."""


def compile_packages(build: Build, target: Path) -> None:
    """Compile the packages that are not there yet, each into a folder of the target.

    Raises:
        subprocess.CalledProcessError: a compiler fails; it says why.
    """
    plain = (("jinja2", _plain), ("markupsafe", _plain))
    for name, compiled in (("lupa", _lupa), ("PIL", _pillow), ("numpy", _numpy), *plain):
        if (target / name).exists():
            continue
        draft = build.folder / f"{name}-package"
        shutil.rmtree(draft, ignore_errors=True)
        compiled(build, draft / name)
        target.mkdir(parents=True, exist_ok=True)
        shutil.move(draft / name, target / name)


def _numpy(build: Build, target: Path) -> None:
    compile_numpy(build.tools, _unpacked(build, "numpy-*.tar.gz"), build.headers, target)


def _plain(build: Build, target: Path) -> None:
    """Take the modules of a wheel that are in Python; what MarkupSafe compiles has a substitute in Python."""
    target.mkdir(parents=True)
    with zipfile.ZipFile(next(build.tools.archives.glob(f"{target.name}-*.whl"))) as wheel:
        for name in wheel.namelist():
            if name.startswith(f"{target.name}/") and name.endswith(".py"):
                (target / Path(name).name).write_bytes(wheel.read(name))


def _unpacked(build: Build, pattern: str) -> Path:
    """Return the folder of an archive of sources."""
    file = next(build.tools.archives.glob(pattern))
    target = build.folder / "sources" / file.name.removesuffix(".tar.gz").removesuffix(".orig.tar.xz")
    if not target.exists():
        with tarfile.open(file) as archive:
            archive.extractall(target, filter="data")
    return next(one for one in target.iterdir() if one.is_dir())


def _module(
    build: Build, target: Path, name: str, sources: Sequence[Path], words: Sequence[str | Path]
) -> None:
    """Compile an extension module."""
    target.mkdir(parents=True, exist_ok=True)
    exported = f"-sEXPORTED_FUNCTIONS=_PyInit_{name}"
    common = ["-O2", "-fPIC", "-w", "-DNDEBUG", *EXCEPTIONS, *SIDE_MODULE, exported, f"-I{build.headers}"]
    call(build.tools, "emcc", *common, *words, "-o", target / f"{name}{build.suffix}", *sources)


def _lupa(build: Build, target: Path) -> None:
    """Compile lupa with the one Lua that templates run in."""
    source = _unpacked(build, "lupa-*.tar.gz")
    lua = source / "third-party" / "lua52"
    files = [file for file in sorted(lua.glob("*.c")) if file.name not in NOT_LUA]
    words = [f"-I{lua}", f"-I{source / 'lupa'}", "-DLUA_COMPAT_ALL"]
    _module(build, target, "lua52", [source / "lupa" / "lua52.c", *files], words)
    for file in (source / "lupa").glob("*.py"):
        shutil.copy(file, target)


def _pillow(build: Build, target: Path) -> None:
    """Compile Pillow with JPEG, PNG and TrueType fonts; zlib is a part of Pyodide."""
    source = _unpacked(build, "pillow-*.tar.gz")
    version = source.name.removeprefix("pillow-")
    zlib = build.folder / "zlib"
    zlib.mkdir(parents=True, exist_ok=True)
    for name in ("zlib.h", "zconf.h"):
        shutil.copy(next((build.tools.packages / "usr" / "include").rglob(name)), zlib)
    jpeg, types = _library(build, "libjpeg-turbo"), _library(build, "freetype")
    images = [*sorted((source / "src" / "libImaging").glob("*.c"))]
    images += [source / "src" / f"{name}.c" for name in ("_imaging", "decode", "encode", "map", "display")]
    images += [source / "src" / f"{name}.c" for name in ("outline", "path")]
    words = ["-DHAVE_LIBJPEG", "-DHAVE_LIBZ", f'-DPILLOW_VERSION="{version}"', f"-I{zlib}", *jpeg]
    _module(build, target, "_imaging", images, words)
    fonts = [source / "src" / "_imagingft.c", source / "src" / "libImaging" / "Mode.c"]
    _module(build, target, "_imagingft", fonts, types)
    for file in (source / "src" / "PIL").glob("*.py"):
        shutil.copy(file, target)


def _library(build: Build, name: str) -> list[str]:
    """Compile a library; return the words with which a module uses it."""
    file, on = LIBRARIES[name]
    source, objects = _unpacked(build, f"{name}_*"), build.folder / name
    toolchain = build.tools.emscripten / "cmake/Modules/Platform/Emscripten.cmake"
    values = {
        "CMAKE_TOOLCHAIN_FILE": toolchain,
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_C_FLAGS": " ".join(["-fPIC", "-w", *EXCEPTIONS]),
        **dict.fromkeys(on, "ON"),
        **(dict.fromkeys(JPEG_OFF, "OFF") if name == "libjpeg-turbo" else {}),
    }
    settings = [f"-D{key}={one}" for key, one in values.items()]
    call(build.tools, "cmake", "-S", source, "-B", objects, "-G", "Ninja", *settings)
    call(build.tools, "ninja", "-C", objects, file)
    headers = (source, source / "src", source / "include", objects)
    return [*(f"-I{one}" for one in headers), str(objects / file)]
