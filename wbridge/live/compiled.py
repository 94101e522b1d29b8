"""Modules of a site as its own Python compiles them: visitors would wait for that at each visit.

Node.js runs that Python while the site is built. A module's source stays as an empty file, since programs
look for modules by their files; what pages seldom import stays as it is, which takes fewer bytes.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from wbridge.live.packing import ENDING, FIRST_ENDING, open_packed, packed

__all__ = ["NodeMissing", "compile_archives", "node"]

LIBRARY = f"python_stdlib{FIRST_ENDING}"
FOLDERS = {LIBRARY: "/lib/python315.zip", f"code{ENDING}": "/wbridge"}
PACKAGES = "/packages"
"""Where pages have other archives than those of FOLDERS."""
COMPILED = (*FOLDERS, *(f"{name}{ENDING}" for name in ("jinja2", "markupsafe", "numpy", "PIL")))
AS_SOURCE = (
    # what people read
    *("controller/", "vehicle/"),
    # what the start of a run does not import
    *("hal/api/", "hal/gateway/", "hal/link/", "hal/protocol/devices/", "robot_windows/"),
    *("wbcore/importers/", "wbcore/physics_plugins/", "wbcore/profiling/", "wbcore/recordings/"),
    *("wbridge/api/", "wbridge/commands/"),
)
PROGRAM = """
const [parts, folder, script] = process.argv.slice(-3);
const {loadPyodide} = await import(`${parts}/pyodide.mjs`);
const env = {PYTHONNODEBUGRANGES: '1', HOME: '/'}; // lines without columns
const python = await loadPyodide({indexURL: `${parts}/`, env});
python.FS.mkdir('/site');
python.FS.mount(python.FS.filesystems.NODEFS, {root: folder}, '/site');
python.runPython(script);
"""
SCRIPT = """
import importlib.util, sys, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
with zipfile.ZipFile('/site/sources') as sources, zipfile.ZipFile('/site/compiled', 'w') as target:
    for name in sources.namelist():
        data = sources.read(name)
        level = 2 if name.startswith('/lib/') else 0 # 2: without descriptions, as other archives are before
        code = compile(data, name, 'exec', dont_inherit=True, optimize=level)
        target.writestr(name, _code_to_hash_pyc(code, importlib.util.source_hash(data), False))
    target.writestr('tag', sys.implementation.cache_tag)
"""


class NodeMissing(FileNotFoundError):
    """There is no Node.js; the message says how to install it."""


def node() -> str:
    """Return Node.js.

    Raises:
        NodeMissing: there is none.
    """
    program = shutil.which("nodejs") or shutil.which("node")  # Debian's name; that of others
    if program is None:
        raise NodeMissing("Node.js, which compiles the site's Python, is missing: apt install nodejs")
    return program


def compile_archives(folder: Path, parts: Path) -> None:
    """Replace modules in the archives of a site by what the site's Python makes of them.

    Args:
        folder: of the archives.
        parts: has Pyodide; see `wbridge.live.site.PARTS`.

    Raises:
        NodeMissing: there is no Node.js.
        subprocess.CalledProcessError: a module cannot be compiled; Python has said why.
    """
    archives = {file: _content(file) for name in COMPILED if (file := folder / name).exists()}
    sources = {
        f"{FOLDERS.get(file.name, PACKAGES)}/{name}": data
        for file, files in archives.items()
        for name, data in files.items()
        if name.endswith(".py") and not (file.name.startswith("code") and name.startswith(AS_SOURCE))
    }
    compiled = _compiled(parts.resolve(), sources)
    for file, files in archives.items():
        place = FOLDERS.get(file.name, PACKAGES)
        layout = _in_archive if file.name == LIBRARY else _in_folder
        pairs = (
            pair
            for name, data in files.items()
            for pair in layout(name, data, compiled.get(f"{place}/{name}"), compiled["tag"].decode())
        )
        file.write_bytes(packed(pairs, file.name == LIBRARY))


def _content(file: Path) -> dict[str, bytes]:
    with open_packed(file.read_bytes()) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _in_archive(name: str, data: bytes, compiled: bytes | None, _tag: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a module that Python imports from within an archive."""
    yield (name, data) if compiled is None else (f"{name}c", compiled)


def _in_folder(name: str, data: bytes, compiled: bytes | None, tag: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a module that Python imports from a folder."""
    yield name, data if compiled is None else b""
    if compiled is not None:
        above, slash, own = name.rpartition("/")
        yield f"{above}{slash}__pycache__/{own.removesuffix('.py')}.{tag}.pyc", compiled


def _compiled(parts: Path, sources: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return compiled modules by their place in a page, and "tag", which is in the names of their files."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with zipfile.ZipFile(folder / "sources", "w") as archive:
            for place, data in sources.items():
                archive.writestr(place, data)
        words = ["--input-type=module", "--eval", PROGRAM, "--", str(parts), str(folder), SCRIPT]
        subprocess.run([node(), *words], check=True)
        with zipfile.ZipFile(folder / "compiled") as archive:
            return {place: archive.read(place) for place in archive.namelist()}
