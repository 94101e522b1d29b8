"""Python's library in two archives: what nearly every world needs; the rest is loaded when it is used."""

from __future__ import annotations

import zipfile
from pathlib import Path

from wbridge.live.packing import FIRST_ENDING, write_packed

__all__ = ["RARE", "REST", "split_library"]

REST = "library"
"""Name of the archive with what is rare."""
RARE = frozenset(
    # for developing and testing, for terminals
    "antigravity bdb cProfile cmd compileall doctest filecmp fileinput modulefinder optparse pdb "
    "pickletools profile profiling pstats pty pyclbr pydoc _pyrepl rlcompleter symtable tabnanny this timeit "
    "trace tracemalloc tty unittest zipapp "
    # for networks and mail, which pages do not have
    "email ftplib http imaplib mailbox mimetypes netrc nturl2path poplib smtplib socketserver "
    "webbrowser wsgiref xmlrpc "
    # for processes
    "multiprocessing sched "
    # for files of certain kinds
    "configparser plistlib shelve sqlite3 tarfile wave xml "
    # for texts of certain kinds, and for dates
    "_ast_unparse _markupbase _strptime calendar code colorsys getopt html pprint py_compile quopri "
    "stringprep "
    # others: of two implementations the slower one, numbers
    "_pydatetime _pyio graphlib statistics uuid zoneinfo".split()
)
"""Modules of the second archive."""
ENCODINGS = "encodings"
COMMON_ENCODINGS = frozenset(
    "__init__ aliases ascii cp1252 cp437 idna latin_1 raw_unicode_escape unicode_escape utf_16 utf_16_be "
    "utf_16_le utf_32 utf_32_be utf_32_le utf_8 utf_8_sig".split()
)
"""Encodings of the first archive."""


def split_library(library: Path, folder: Path) -> list[str]:
    """Write the library that Pyodide loads, and the archive `REST`, into a folder.

    Args:
        library: Pyodide's archive of Python's library.
        folder: the folder.

    Returns:
        the modules of the second archive: at the top level, and encodings with the name of their package.
    """
    with zipfile.ZipFile(library) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    rest = {name for name in files if _is_rare(name)}
    first = ((name, files[name]) for name in sorted(files.keys() - rest))
    write_packed(folder, library.stem, first, FIRST_ENDING)
    write_packed(folder, REST, ((name, files[name]) for name in sorted(rest)))
    return sorted({_module(name) for name in rest})


def _is_rare(name: str) -> bool:
    top, _, below = name.partition("/")
    if top == ENCODINGS:
        return below.removesuffix(".py") not in COMMON_ENCODINGS
    return top.removesuffix(".py") in RARE


def _module(name: str) -> str:
    """Return the module that has to be imported so that a file is used."""
    parts = name.removesuffix(".py").split("/")
    return ".".join(parts[:2]) if parts[0] == ENCODINGS else parts[0]
