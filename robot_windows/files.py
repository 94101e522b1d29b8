"""The files that the server provides: those of the package, and the project's own windows."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from wbridge.robot_windows.bundles import bundle
from wbridge.robot_windows.page_files import pages_folder

PAGES = pages_folder()
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".htm": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".ico": "image/x-icon",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".ttf": "font/ttf",
    ".wasm": "application/wasm",
    ".txt": "text/plain; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
    ".mp4": "video/mp4",
}
OWN_POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'"
)
"""Pages of the package load nothing from other servers."""
MOST_BYTES = 64 * 2**20
MOST_SCRIPTS, MOST_SCRIPT_BYTES = 50, 2**20
"""Maximum scripts of a window, and their bytes, to search for imports."""
IMPORT = re.compile(rb"""['"](https?://[^'"\s]{1,200}/RobotWindow\.js)['"]""")
MODULE, SHIM = "/wwi/RobotWindow.js", "/wwi/webots.js"
HEAD = re.compile(rb"<head[^>]*>", re.IGNORECASE)
ADDRESS = re.compile(rb'''(?:src|href)="([^"]+)"''')
BY_CONTENT = re.compile(r"[0-9a-f]{20}")
"""Names of files of the 3D view that are hashes of their content."""


class ServedFile(NamedTuple):
    """A file to send."""

    body: bytes
    type: str
    policy: str = ""
    """The page's Content-Security-Policy; windows of projects may load anything."""
    is_compressed: bool = False
    is_lasting: bool = False
    """The address always has this content: browsers may keep it."""


def prepare() -> None:
    """Bundle and compress what the first page of a browser loads, before one asks for it."""
    for address in ADDRESS.findall((PAGES / "index.html").read_bytes()):
        find_file(address.decode(), None)


def find_file(path: str, windows: Path | None, scenes: Path | None = None) -> ServedFile | None:
    """Return the file at an address, or None if it does not exist or is not public.

    Args:
        path: path of the address, as received.
        windows: the folder `plugins/robot_windows` of the project.
        scenes: the folder with the files of the 3D view.
    """
    parts = unquote(path, errors="replace").split("/")[1:]
    if any(part in ("..", ".") or "\\" in part or "\0" in part for part in parts):
        return None
    if parts[-1] == "qwebchannel.js":
        return ServedFile(b"", TYPES[".js"])  # for older pages; the shim needs none
    if parts[0] == "robot_windows" and len(parts) > 2:
        file = _own_window(parts[1:], windows)
        if file is not None or parts[1:] != ["generic", "generic.html"]:
            return file
        parts = ["pages", "generic.html"]
    if parts[0] == "scene" and len(parts) == 2:
        return _of_scene(parts[1], scenes)
    if parts == [""]:
        parts = ["pages", "index.html"]
    if parts == ["favicon.ico"]:
        parts = ["pages", "icon.svg"]  # browsers request it for every page
    if parts[0] == "wwi":
        return _of_package(["wwi", parts[-1]])
    if parts[0] == "bundles":
        return _bundle(parts[1:])
    return _of_package(parts[1:]) if parts[0] == "pages" else None


def _of_scene(name: str, scenes: Path | None) -> ServedFile | None:
    file = _inside(scenes, [name]) if scenes is not None else None
    if file is None:
        return None
    is_lasting = BY_CONTENT.fullmatch(name) is not None
    return ServedFile(file.read_bytes(), "application/octet-stream", is_lasting=is_lasting)


def _inside(folder: Path, parts: list[str]) -> Path | None:
    """Return a file in a folder; links that lead outside are not followed."""
    try:
        root = folder.resolve()
        file = root.joinpath(*parts).resolve()
        if file.is_relative_to(root) and file.is_file() and file.stat().st_size <= MOST_BYTES:
            return file
    except (OSError, ValueError):
        pass
    return None


def _of_package(parts: list[str]) -> ServedFile | None:
    file = _inside(PAGES, parts)
    if file is None or file.suffix not in TYPES:
        return None
    return _compressed(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _compressed(file: Path, modified_ns: int) -> ServedFile:
    """Compress a file of the package once; `modified_ns` makes a changed file a new entry."""
    return ServedFile(gzip.compress(file.read_bytes(), 9, mtime=0), TYPES[file.suffix], OWN_POLICY, True)


def _bundle(parts: list[str]) -> ServedFile | None:
    """Return a module with all that it imports."""
    file = _inside(PAGES, parts)
    if file is None or file.suffix != ".js":
        return None
    return _bundled("/".join(parts), max(file.stat().st_mtime_ns for file in PAGES.rglob("*.js")))


@lru_cache(maxsize=8)
def _bundled(name: str, modified_ns: int) -> ServedFile:
    """Make a bundle once; `modified_ns` makes it again when a module has changed."""
    text = bundle(PAGES, name).encode()
    return ServedFile(gzip.compress(text, mtime=0), TYPES[".js"], OWN_POLICY, True)


def _own_window(parts: list[str], windows: Path | None) -> ServedFile | None:
    file = _inside(windows, parts) if windows is not None else None
    if file is None or windows is None:
        return None
    type_ = TYPES.get(file.suffix.lower(), "application/octet-stream")
    body = file.read_bytes()
    if type_ == TYPES[".html"]:
        body = _with_api(body, _inside_folder(windows, parts[0]))
    return ServedFile(body, type_)


def _inside_folder(windows: Path, name: str) -> Path:
    return windows.resolve() / name


def _with_api(page: bytes, folder: Path) -> bytes:
    """Return a page that loads our RobotWindow.js instead of a public address, and provides
    `webots.window`."""
    addresses = {
        name.decode("ascii", "replace") for text in (page, *_scripts(folder)) for name in IMPORT.findall(text)
    }
    added = b""
    if addresses:
        imports = json.dumps({"imports": dict.fromkeys(sorted(addresses), MODULE)})
        added += f'<script type="importmap">{imports}</script>'.encode()
    added += f'<script src="{SHIM}"></script>'.encode()
    head = HEAD.search(page)
    at = head.end() if head is not None else 0
    return page[:at] + added + page[at:]


def _scripts(folder: Path) -> Iterator[bytes]:
    count = 0
    for file in sorted(folder.rglob("*.js")):
        if count >= MOST_SCRIPTS:
            return
        if _inside(folder, [*file.relative_to(folder).parts]) and file.stat().st_size <= MOST_SCRIPT_BYTES:
            count += 1
            yield file.read_bytes()
