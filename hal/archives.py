"""Folders that an installed wheel holds as one archive, because hundreds of small files take three times the
space. CMakeLists.txt packs them; they are unpacked into the user's cache folder when they are first needed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wbridge.hal.folders import cache_folder, sole_builder

__all__ = ["create_folder", "unpacked"]


def unpacked(archive: Path, kind: str) -> Path:
    """The folder with the content of a .tar.xz archive, which only contains files.

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
    import tarfile  # start-up: 12 ms, only the first use of an archive unpacks it

    with tarfile.open(archive) as packed:
        for member in packed:
            file = place / member.name
            file.parent.mkdir(parents=True, exist_ok=True)
            content = packed.extractfile(member)
            assert content is not None, "the archive contains only files"
            file.write_bytes(content.read())


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
