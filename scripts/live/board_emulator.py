"""Compiles the emulator of boards with an AVR for the page: simavr, and the program around it."""

from __future__ import annotations

import tarfile
from pathlib import Path

from scripts.live.emscripten import ROOT, call
from scripts.live.toolchain import Toolchain

__all__ = ["compile_emulator"]

HERE = Path(__file__).with_name("emulator")
OWN = ROOT / "wbfirmware" / "emulators" / "programs"
SHARED = [ROOT / "firmware_templates" / "boards" / "shared" / one for one in ("registers", "emulated_parts")]
KINDS = {"mega328": "MEGA328", "mega2560": "MEGA2560", "mega32u4": "MEGA32U4"}
"""simavr's processors: those of Arduino boards."""
FAMILY = "megax8"
"""What processors share."""
REPLACED = ("run_avr.c", "sim_elf.c", "sim_gdb.c")
INTERRUPTS = "sim_interrupts.c"
FRONT = "(table->pending.read + mini) % avr_int_pending_fifo_size"
MOVED = f"table->pending.buffer[{FRONT}] =\n\t\t\tavr_int_pending_read(&table->pending);"
SEQUENCED = (
    f"const int place = {FRONT};\n\ttable->pending.buffer[place] = avr_int_pending_read(&table->pending);"
)
"""simavr moves the front of the waiting interrupts to the place of the one that is served. Reading the front
changes `read`, and C leaves open whether the place is computed before: GCC does so, Clang does not, and there
a second waiting interrupt was lost for ever."""
EXPORTED = "-sEXPORTED_FUNCTIONS=_main,_obey_text"
METHODS = "-sEXPORTED_RUNTIME_METHODS=FS,callMain,ccall"
MODULE = (
    "-sMODULARIZE",
    "-sDEFAULT_TO_CXX=0",
    "-sEXPORT_ES6",
    "-sINVOKE_RUN=0",
    "-sALLOW_MEMORY_GROWTH",
    "-sSTACK_SIZE=1048576",
    "-sENVIRONMENT=worker,node",
)


def compile_emulator(tools: Toolchain, build: Path, parts: Path) -> None:
    """Write simavr.mjs and simavr.wasm, unless they are newer than their sources.

    Args:
        tools: the toolchain.
        build: for the sources.
        parts: where they are written.

    Raises:
        subprocess.CalledProcessError: the compiler fails; it says why.
    """
    target = parts / "simavr.mjs"
    folders = [HERE, OWN, *SHARED]
    own = [file for folder in folders for file in sorted(folder.glob("*.[ch]")) if _is_used(file)]
    newest = max(file.stat().st_mtime for file in (*own, Path(__file__)))
    if target.exists() and target.stat().st_mtime >= newest:
        return
    source = _unpacked(tools, build)
    _write_kinds(source)
    _put_in_order(source / "sim" / INTERRUPTS)
    library = [file for file in sorted((source / "sim").glob("*.c")) if file.name not in REPLACED]
    cores = [source / "cores" / f"sim_{name}.c" for name in (*KINDS, FAMILY)]
    includes = [f"-I{folder}" for folder in (*folders, source, source / "sim", source / "cores")]
    registers = tools.packages / "usr" / "lib" / "avr" / "include"  # their names, after the system's headers
    words = ["-O2", "-w", *includes, f"-idirafter{registers}", EXPORTED, METHODS, *MODULE]
    programs = [file for file in own if file.suffix == ".c"]
    call(tools, "emcc", *words, "-o", target, *programs, *library, *cores)


def _is_used(file: Path) -> bool:
    return file.parent != OWN or file.name.startswith("simavr")


def _unpacked(tools: Toolchain, build: Path) -> Path:
    """Return the folder of simavr's library."""
    if not build.exists():
        with tarfile.open(next(tools.archives.glob("simavr_*.orig.tar.xz"))) as archive:
            archive.extractall(build, filter="data")
    return next(build.glob("simavr-*")) / "simavr"


def _put_in_order(file: Path) -> None:
    """Let an interrupt be served by any compiler as GCC compiles it.

    Raises:
        ValueError: the statement is not there.
    """
    text = file.read_text()
    if MOVED not in text and SEQUENCED not in text:
        raise ValueError(f"{file} does not move interrupts as in simavr 1.6: read it again")
    file.write_text(text.replace(MOVED, SEQUENCED))


def _write_kinds(source: Path) -> None:
    """Write the lists of processors that simavr's own Makefile writes."""
    names = "".join(f"#define CONFIG_{name} 1\n" for name in KINDS.values())
    (source / "sim_core_config.h").write_text(f'#pragma once\n#define CONFIG_SIMAVR_VERSION "1.6"\n{names}')
    declared = "".join(f"extern avr_kind_t {name};\n" for name in KINDS)
    listed = ", ".join(f"&{name}" for name in KINDS)
    kinds = f"#ifdef AVR_KIND_DECL\navr_kind_t *avr_kind[] = {{{listed}, NULL}};\n#endif\n"
    (source / "sim_core_decl.h").write_text(f'#pragma once\n#include "sim_core_config.h"\n{declared}{kinds}')
