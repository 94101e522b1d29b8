"""What is checked of modules for macOS, in texts as LLVM's tools print them (formats: <mach-o/loader.h>)."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from scripts.macos.build import MODULES, SYSTEMS
from scripts.macos.check import foreign_libraries, stands_alone, unknown_names, wrong_target
from scripts.windows.build import MODULES as FOR_WINDOWS

SHOWN = """_engine.abi3.so:
Mach header
      magic cputype cpusubtype  caps    filetype ncmds sizeofcmds      flags
MH_MAGIC_64   ARM64        ALL  0x00       DYLIB    16       1744   NOUNDEFS DYLDLINK
Load command 5
          cmd LC_LOAD_DYLIB
      cmdsize 56
         name /usr/lib/libSystem.B.dylib (offset 24)
Load command 9
      cmd LC_SOURCE_VERSION
  cmdsize 16
  version 0.0
Load command 11
       cmd LC_BUILD_VERSION
   cmdsize 32
  platform macos
       sdk 27.0
     minos 11.0
Load command 13
      cmd LC_CODE_SIGNATURE
"""


def test_a_module_for_each_macos_is_fit():
    assert foreign_libraries(SHOWN) == wrong_target(SHOWN, "arm64") == stands_alone(SHOWN) == []


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("libSystem.B", "libc++.1", "loads /usr/lib/libc++.1.dylib"),
        ("ARM64", "X86_64", "is for X86_64"),
        ("minos 11.0", "minos 13.0", "needs macOS 13.0 instead of 11.0"),
        ("LC_CODE_SIGNATURE", "LC_UUID", "has no signature"),
    ],
)
def test_a_module_that_not_each_macos_loads_is_refused(before: str, after: str, problem: str):
    shown = SHOWN.replace(before, after)
    assert [*foreign_libraries(shown), *wrong_target(shown, "arm64"), *stands_alone(shown)] == [problem]


def test_older_modules_name_their_release_in_another_command():
    shown = re.sub(
        r"cmd LC_BUILD_VERSION(.*\n)+?.*minos 11.0",
        "cmd LC_VERSION_MIN_MACOSX\n  cmdsize 16\n  version 10.13\n      sdk n/a",
        SHOWN.replace("ARM64", "X86_64"),
    )
    assert wrong_target(shown, "x86_64") == []


def test_each_name_comes_from_python_or_from_the_system():
    names = ["_PyList_New", "_poll", "dyld_stub_binder", "_sched_getaffinity", "__Py_Dealloc"]
    lines = unknown_names(names, {"PyList_New", "_Py_Dealloc"}, {"_poll", "dyld_stub_binder"})
    assert lines == ["takes _sched_getaffinity, which nothing offers"]


def test_headers_have_the_sizes_of_both_processors():
    """LP64, as on Linux: the judge is `struct` here."""
    text = (Path(__file__).parents[2] / "scripts" / "macos" / "pyconfig.h").read_text()
    sizes = {name: int(size) for name, size in re.findall(r"#define SIZEOF_(\w+) (\d+)", text)}
    codes = {"INT": "i", "LONG": "l", "LONG_LONG": "q", "SIZE_T": "N", "VOID_P": "P", "_BOOL": "?"}
    assert {name: sizes[name] for name in codes} == {
        name: struct.calcsize(code) for name, code in codes.items()
    }


def test_wheels_have_the_modules_of_the_one_for_windows():
    assert [Path(name).parent for name in MODULES.values()] == [
        Path(name).parent for name in FOR_WINDOWS.values() if name.endswith(".pyd")
    ]  # on a Mac, the library of controllers in C is compiled by its compiler
    assert {system.platform for system in SYSTEMS.values()} == {"macosx_11_0_arm64", "macosx_10_13_x86_64"}
