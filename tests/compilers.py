"""Tests compile the same C many times, in folders of their own: ccache keeps what the compilers have made."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests import tools

__all__ = ["keep_results"]

KEPT = Path(sys.prefix) / "ccache"
"""In the environment of the tests; `make clean` removes it."""
SETTINGS = {
    "CCACHE_DIR": str(KEPT),
    "CCACHE_MAXSIZE": "1G",
    "CCACHE_NOHASHDIR": "1",
    "CCACHE_BASEDIR": tempfile.gettempdir(),
}
"""The same sources in other temporary folders are compiled once."""
KINDS = ("cc", "c++", "gcc", "g++")


def keep_results() -> None:
    """Put the installed compilers of the tests behind ccache, for this process and those that it starts."""
    ccache = shutil.which("ccache")
    if ccache is None:
        return
    folder = tools.folder_for_tests("wbridge-compilers-")
    for name in tools.programs("--tests") | tools.programs("--boards"):
        if name.split("-")[-1] in KINDS and shutil.which(name):
            os.symlink(ccache, os.path.join(folder, name))
    os.environ["PATH"] = os.pathsep.join([folder, *tools.SEARCHED])
    os.environ |= SETTINGS
