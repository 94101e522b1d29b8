"""Write pins.txt again, with what the current mirror of Debian's unstable release has; see toolchain.py.

The result has to fit together: Pyodide needs one version of Emscripten, which needs one of LLVM.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

from scripts.fetch_source import indexes
from scripts.live.toolchain import PINS

PACKAGES = (
    *("emscripten", "binaryen", "node-acorn", "clang-21", "lld-21", "llvm-21", "llvm-21-linker-tools"),
    *("libllvm21", "libclang-cpp21", "libclang-common-21-dev", "libpython3.15-dev", "libc6", "libstdc++6"),
    *("libgcc-s1", "libxml2-16", "libz3-4", "zlib1g", "libzstd1", "libedit2", "libbsd0", "libmd0"),
    *("libtinfo6", "libicu78", "liblzma5", "libffi8", "python3.15-minimal", "libpython3.15-minimal"),
    *("libpython3.15-stdlib", "zlib1g-dev", "avr-libc", "binutils-avr"),
)
SOURCES = ("freetype", "libjpeg-turbo", "simavr")
"""Packages whose original sources are compiled."""
KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
"""With which apt checks the list of packages."""


def main() -> int:
    """Write the file; return the exit code."""
    mirror = indexes()[0].mirror.rstrip("/")
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "lists" / "partial").mkdir(parents=True)
        kinds = ("deb", "deb-src")
        lists = "".join(f"{kind} [signed-by={KEYS}] {mirror} sid main\n" for kind in kinds)
        (folder / "sources").write_text(lists)
        settings = {
            "Dir::State": folder,
            "Dir::State::status": "/dev/null",
            "Dir::Etc::SourceList": folder / "sources",
            "Dir::Etc::SourceParts": "/dev/null",
            "Dir::Cache": folder / "cache",
        }
        options = [word for key, one in settings.items() for word in ("-o", f"{key}={one}")]
        subprocess.run(["apt-get", *options, "-q", "update"], check=True)
        shown = subprocess.run(
            ["apt-cache", *options, "--no-all-versions", "show", *PACKAGES],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
        listed = subprocess.run(
            ["apt-get", *options, "-q", "--tar-only", "--print-uris", "source", *SOURCES],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
    PINS.write_text("".join(f"{line}\n" for line in [*_pins(shown), *_source_pins(listed)]))
    return 0


def _pins(shown: str) -> list[str]:
    """Return path and digest of each package that apt shows."""
    found = []
    for block in shown.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and line[0] != " ")
        found.append(f"{fields['Filename']} {fields['SHA256']}")
    return found


def _source_pins(listed: str) -> list[str]:
    """Return path and digest of each package's main archive."""
    archives = re.findall(r"'\S+/(pool/\S+\.orig\.tar\.\w+)' .* SHA256:(\w+)", listed)
    return [f"{unquote(path)} {digest}" for path, digest in archives]


if __name__ == "__main__":
    sys.exit(main())
