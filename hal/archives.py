"""Folders that an installed wheel holds as one archive, because hundreds of small files take two or three
times the space. CMakeLists.txt packs them; they are unpacked into the user's cache folder when they are first
needed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wbridge.hal.folders import cache_folder, sole_builder

__all__ = ["MODULES", "SUFFIX", "create_folder", "module_folder", "packed_folder", "unpacked"]

SUFFIX = ".files.xz"
"""The end of the names of archives: lines of sizes (bytes) and names, an empty one, and all content."""
MODULES = f"modules{SUFFIX}"
"""The archive in the folder `wbridge` of a wheel with the modules of packages that only some commands use,
and the firmware templates."""


def packed_folder(package: Path, name: str, kind: str) -> Path:
    """The folder of a package in a checkout, or where the archive of the wheel was unpacked.

    Args:
        package: the folder of the package.
        name: of the folder in it; the archive has this name, too.
        kind: the subfolder of the cache folder.

    Raises:
        OSError: neither the user's cache folder nor the temporary one is writable.
    """
    archive = package / f"{name}{SUFFIX}"
    return unpacked(archive, kind).resolve() if archive.is_file() else package / name


def module_folder(package: str, name: str) -> str:
    """The folder with the modules of a package, for its `__path__`.

    Args:
        package: the folder of the package, which has its modules in a checkout.
        name: the same folder in the archive of the wheel.

    Raises:
        OSError: neither the user's cache folder nor the temporary one is writable.
    """
    archive = Path(__file__).resolve().parent.parent / MODULES
    return str(unpacked(archive, "modules") / name) if archive.is_file() else package


def unpacked(archive: Path, kind: str) -> Path:
    """The folder with the content of an archive.

    Args:
        archive: the archive; another content is unpacked into another folder.
        kind: the subfolder of the cache folder.

    Raises:
        OSError: neither the user's cache folder nor the temporary one is writable.
    """
    import hashlib  # start-up: 4 ms, a checkout has no archives

    digest = hashlib.sha256(archive.read_bytes()).hexdigest()[:16]
    folder = cache_folder() / kind / f"{archive.name.partition('.')[0]}-{digest}"
    if not folder.is_dir():
        create_folder(folder, lambda place: _unpack(archive, place))
    return folder


def _unpack(archive: Path, place: Path) -> None:
    import lzma  # start-up: 2 ms, only the first use of an archive unpacks it

    with lzma.open(archive) as packed:
        lines = iter(lambda: packed.readline().decode().rstrip("\n"), "")
        for size, name in [line.split(" ", 1) for line in lines]:
            file = place / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(packed.read(int(size)))


def create_folder(folder: Path, build: Callable[[Path], None]) -> None:
    """Create a folder atomically, with the files that `build(place)` writes; other processes wait for it."""
    import tempfile  # start-up: 4 ms, only needed once

    with sole_builder(folder) as is_missing:
        if not is_missing:
            return
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix="building-") as made:
            place = Path(made) / "done"
            place.mkdir()
            build(place)
            place.rename(folder)
