"""Python packages that a page loads when they are used, each in up to two archives: what most uses need, and
the rest.
"""

from __future__ import annotations

import contextlib
from fnmatch import fnmatchcase
from pathlib import Path

from wbridge.live.bare import bare
from wbridge.live.packing import write_packed

__all__ = ["REST", "write_packages"]

REST = "_more"
"""Follows the package's name in the name of the second archive."""
RARE = {
    "numpy": (
        "char core ctypeslib doc f2py fft ma matlib polynomial random rec strings testing typing"
    ).split(),
    "PIL": (
        # formats that files of worlds seldom have, and what only printers, fonts and desktops use
        "*Plugin PdfParser PSDraw TarIO WalImageFile GdImageFile "
        "ContainerIO ImageGrab ImageQt ImageShow ImageTk ImageWin ImageCms ImageDraw2 features report "
        "_imagingft ImageFont ImageText FontFile BdfFontFile PcfFontFile"
    ).split(),
}
"""Modules of the second archive, as patterns, by package."""
COMMON = frozenset(f"{kind}ImagePlugin" for kind in ("Bmp", "Gif", "Jpeg", "Png", "Ppm"))
"""Modules of the first archive in spite of that: Pillow tries these formats first."""
DESCRIBED = ("numpy/_core/", "numpy/ma/")
"""Modules of NumPy whose descriptions others read when they are imported."""


def write_packages(folder: Path, target: Path) -> dict[str, str]:
    """Write the archives of packages.

    Args:
        folder: has a folder for each package; of a module that is one file, that file.
        target: the folder of the archives.

    Returns:
        the archive of each package and of each module of a second archive.
    """
    archives: dict[str, str] = {}
    for place in sorted(folder.iterdir()):
        package = place.name.partition(".")[0]
        files = [file for file in sorted(place.rglob("*")) if file.is_file()] if place.is_dir() else [place]
        rare = {file: module for file in files if (module := _rare_module(package, file, folder))}
        archives[package] = package
        archives |= dict.fromkeys(sorted(rare.values()), package + REST)
        for name, chosen in ((package, [f for f in files if f not in rare]), (package + REST, list(rare))):
            if chosen:
                contents = ((file.relative_to(folder).as_posix(), _content(file, folder)) for file in chosen)
                write_packed(target, name, contents)
    return archives


def _rare_module(package: str, file: Path, folder: Path) -> str:
    """Return the module of a second archive that has a file; "" if it is in the first one."""
    parts = file.relative_to(folder).parts
    if len(parts) < 2:
        return ""
    below = parts[1].partition(".")[0]
    is_rare = below not in COMMON and any(fnmatchcase(below, one) for one in RARE.get(package, ()))
    return f"{package}.{below}" if is_rare else ""


def _content(file: Path, folder: Path) -> bytes:
    """Return what a page gets of a file: what the computer reads; all of it, if only newer Pythons can."""
    data = file.read_bytes()
    if file.suffix == ".py" and not file.relative_to(folder).as_posix().startswith(DESCRIBED):
        with contextlib.suppress(SyntaxError):
            return bare(data.decode()).encode()
    return data
