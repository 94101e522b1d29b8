"""How libraries are linked; judged for macOS by the manual page ld(1) and <mach-o/loader.h>."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import pytest

from wbridge.hal.linking import library_options, run_path, runs_here, write_exports

ARM = bytes.fromhex("cffaedfe0c000001")
"""The beginning of a program for Apple's processors: MH_MAGIC_64 and CPU_TYPE_ARM64."""
INTEL = bytes.fromhex("cffaedfe07000001")


def test_a_library_for_macos_has_a_place_and_exports_the_interface(tmp_path: Path):
    exports = tmp_path / "exports.txt"
    write_exports(exports, is_macos=True)
    assert exports.read_text().split() == ["_wb_*", "_wbu_*", "_wbr_*", "_wbh_*"]
    assert library_options("libA.dylib", exports, is_macos=True) == [
        "-dynamiclib",
        "-Wl,-install_name,@rpath/libA.dylib",
        f"-Wl,-exported_symbols_list,{exports}",
    ]
    assert run_path(is_macos=True) == "-Wl,-rpath,@loader_path"


def test_a_library_for_linux_lacks_nothing_or_exports_the_interface(tmp_path: Path):
    exports = tmp_path / "exports.txt"
    write_exports(exports, is_macos=False)
    assert exports.read_text() == "{ global: wb_*; wbu_*; wbr_*; wbh_*; local: *; };\n"
    assert "-Wl,--no-undefined" in library_options("libA.so", is_macos=False)
    assert f"-Wl,--version-script={exports}" in library_options("libA.so", exports, is_macos=False)


@pytest.mark.parametrize(("machine", "code"), [("arm64", ARM), ("x86_64", INTEL)])
def test_programs_for_the_processor_run_on_macos(machine: str, code: bytes, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(platform, "machine", lambda: machine)
    assert runs_here(code + bytes(20), is_macos=True)
    other = INTEL if code is ARM else ARM
    assert not runs_here(other + bytes(20), is_macos=True)
    assert not runs_here(Path(sys.executable).read_bytes()[:20], is_macos=True)
