"""A test without a marker that uses a tool which `make test` does not install fails on every machine.

Judge: the targets of the Makefile and what they give to scripts/system_packages.sh.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import tools
from tests.conftest import CHECKOUT, require_tool

HEAVY = "arm-none-eabi-gcc"


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Install programs that do nothing into a folder that is on the PATH."""
    folder.mkdir()
    for name in names:
        (folder / name).write_text("#!/bin/sh\nexit 0\n")
        (folder / name).chmod(0o755)
    monkeypatch.setattr(tools, "SEARCHED", (*tools.SEARCHED, str(folder)))
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize("present", [True, False])
def test_a_test_without_the_marker_may_not_require_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, present: bool
):
    installed(tmp_path / "bin", monkeypatch, *([HEAVY] if present else []))
    with pytest.raises(
        pytest.fail.Exception, match=f"does not install {HEAVY}: give the test the marker 'boards'"
    ):
        require_tool(HEAVY, "compiles")


def test_a_test_with_the_marker_may_require_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    installed(tmp_path / "bin", monkeypatch, HEAVY)
    with tools.running(frozenset({"boards"})):
        assert require_tool(HEAVY, "compiles") == str(tmp_path / "bin" / HEAVY)


def test_a_tool_that_nothing_installs_is_for_no_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    installed(tmp_path / "bin", monkeypatch, "ghc")
    with pytest.raises(pytest.fail.Exception, match=r"system_packages\.sh does not install ghc"):
        require_tool("ghc", "compiles")


def test_a_test_without_the_marker_may_not_start_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    installed(tmp_path / "bin", monkeypatch, HEAVY)
    for command in ([HEAVY, "-v"], [str(tmp_path / "bin" / HEAVY)]):
        with pytest.raises(pytest.fail.Exception, match="give the test the marker 'boards'"):
            subprocess.run(command, check=False)


def test_the_programs_of_a_test_without_the_marker_do_not_find_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    installed(tmp_path / "bin", monkeypatch, HEAVY, "innocent")
    look = f"import shutil; print(shutil.which('{HEAVY}'), bool(shutil.which('innocent')))"
    command = [sys.executable, "-c", look]
    with tools.running(frozenset()):
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "None True\n"


def test_what_a_test_puts_in_front_for_itself_may_have_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / HEAVY).symlink_to("/bin/true")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert subprocess.run([HEAVY], check=False).returncode == 0


@pytest.mark.parametrize(
    ("target", "marker"),
    [("test-firmware", "boards"), ("test-windows", "browser"), ("test-languages", "languages")],
)
def test_the_target_of_a_marker_installs_what_the_marker_allows(target: str, marker: str):
    makefile = (CHECKOUT / "Makefile").read_text()
    recipe = makefile[makefile.index(f"\n{target}:") :].split("\n\n")[0]
    assert f"scripts/system_packages.sh {tools.BY_MARKER[marker][0]}" in recipe
    assert f"-m {marker}" in recipe.replace('"', "")
