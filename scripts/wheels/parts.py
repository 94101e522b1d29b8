"""What others have made and wheels contain, with licenses: the list of parts (SBOM) of a wheel."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from scripts.wheels.targets import TOOLS, ZIG

__all__ = ["LIST", "PARTS", "WINDOWS_PARTS", "Part", "compiler_licenses", "list_of_parts"]

ROOT = Path(__file__).resolve().parents[2]
LIST = "sboms/wbridge.cdx.json"
"""The file's name in the wheel's metadata (PEP 770)."""


class Part(NamedTuple):
    """A work of others in the wheel."""

    name: str
    version: str
    license: str
    """As an SPDX expression."""
    text: str
    """The end of the path of its license in the wheel."""


def _tracked(end: str) -> Path:
    """The only file of the checkout whose path ends so, in whatever package it is."""
    command = ["git", "-C", str(ROOT), "ls-files", f"*/{end}"]
    (name,) = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return ROOT / name


def _pinned(name: str) -> str:
    """The version in the name of a fetched archive, such as ode_0.16.2.orig.tar.gz."""
    words = _tracked(f"engine/{name}/source.txt").read_text("utf-8").split()
    return words[1].split("_")[1].split(".orig")[0]


def _bundled(name: str, pattern: str) -> str:
    """The version that the first line of a bundled script names."""
    file = _tracked(f"pages/vendor/{name}")
    with file.open(encoding="utf-8") as text:
        version = re.search(pattern, text.readline())
    assert version, f"{file}: no version in its first line"
    return version[1]


PARTS = (
    Part("ode", _pinned("ode"), "BSD-3-Clause", "licenses/ode/LICENSE-BSD.TXT"),
    Part("libccd", "1.0", "BSD-3-Clause", "licenses/libccd/BSD-LICENSE"),
    Part("musl", _pinned("musl"), "MIT", "licenses/musl/COPYRIGHT"),
    Part("nanobind", TOOLS["nanobind"], "BSD-3-Clause", "licenses/nanobind/LICENSE"),
    Part("llvm-runtimes", ZIG, "Apache-2.0 WITH LLVM-exception", "licenses/llvm/LICENSE.TXT"),
    Part("three", _bundled("three.js", r"three@([0-9.]+[0-9])"), "MIT", "vendor/three-LICENSE.txt"),
    Part("uplot", _bundled("uplot.js", r"uPlot \(v([0-9.]+)\)"), "MIT", "vendor/LICENSE.txt"),
    Part("dejavu-fonts", "2.37", "Bitstream-Vera", "fonts/LICENSE.txt"),
)
"""libccd is the copy in ODE's archive; the LLVM runtimes are the C++ library in Zig."""
GCC_LICENSE = "GPL-3.0-or-later WITH GCC-exception-3.1"
WINDOWS_PARTS = (
    *(part for part in PARTS if part.name != "llvm-runtimes"),
    Part("gcc-runtimes", "12.2.0", GCC_LICENSE, "licenses/gcc/copyright"),
    Part("mingw-w64", "10.0.0", "ZPL-2.1 AND MIT AND BSD-3-Clause", "licenses/mingw-w64/copyright"),
)
"""GCC's C++ library is linked into modules for Windows; MinGW has what starts them, and threads."""


def compiler_licenses(packages: Path, zig: Path) -> dict[str, bytes]:
    """Return licenses of what compilers link into extensions, by their names in the wheel's metadata.

    Args:
        packages: the folder with the packages of the tools.
        zig: the compiler.
    """
    (nanobind,) = packages.glob("nanobind-*.dist-info/licenses/LICENSE")
    return {
        "licenses/nanobind/LICENSE": nanobind.read_bytes(),
        "licenses/llvm/LICENSE.TXT": (zig.parent / "lib" / "libcxx" / "LICENSE.TXT").read_bytes(),
    }


def list_of_parts(project: str, version: str, contained: Sequence[Part] = PARTS) -> str:
    """Return the list of the parts that a wheel of a release contains, in the format CycloneDX."""
    whole = {"type": "application", "name": project, "version": version, **_licensed("Apache-2.0")}
    parts = [
        {"type": "library", "bom-ref": part.name, "name": part.name, "version": part.version}
        | _licensed(part.license)
        for part in contained
    ]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"bom-ref": project, **whole}},
        "components": parts,
        "dependencies": [{"ref": project, "dependsOn": [part.name for part in contained]}],
    }
    return json.dumps(document, indent=1) + "\n"


def _licensed(expression: str) -> dict[str, Any]:
    return {"licenses": [{"expression": expression}]}
