"""Targets of the Makefile build what has changed. Judge: `make`, on a copy whose build only takes notes."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT

ENGINE = ".venv/stamps/engine"
SOURCE = "wbcore/engine/src/body.cpp"
# File systems know times to a few milliseconds: wait until the source is newer than the start of the build.
EDIT = f"touch first; until [ {SOURCE} -nt first ]; do touch {SOURCE}; done"


NAMES = (
    "scripts/system_packages.sh",
    "pyproject.toml",
    SOURCE,
    ".venv/stamps/system",
    ".venv/stamps/venv",
)


def copy(tmp_path: Path, build: str) -> None:
    """Copy the Makefile next to a script that builds, and to files that are older, as in a checkout."""
    shutil.copy(CHECKOUT / "Makefile", tmp_path)
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (time.time() - 60,) * 2)
    script = tmp_path / "scripts/build.sh"
    script.write_text(f"#!/bin/bash\n{build}\n")
    script.chmod(0o755)


@pytest.mark.parametrize(("build", "is_built"), [("true", True), (EDIT, False)])
def test_a_source_edited_during_a_build_is_compiled_the_next_time(tmp_path: Path, build: str, is_built: bool):
    copy(tmp_path, build)
    subprocess.run(["make", ENGINE], cwd=tmp_path, check=True, capture_output=True)
    answer = subprocess.run(["make", "--question", ENGINE], cwd=tmp_path, capture_output=True)
    assert (answer.returncode == 0) is is_built


def test_tools_for_development_are_installed_once_beside_the_engine(tmp_path: Path):
    copy(tmp_path, 'echo "$@" > words')
    tools = ".venv/stamps/dev"
    subprocess.run(["make", tools], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "words").read_text() == ".venv/bin/python dev\n"
    os.utime(tmp_path / "pyproject.toml", (time.time() + 60,) * 2)
    os.utime(tmp_path / ENGINE, (time.time() + 120,) * 2)
    again = subprocess.run(["make", tools], cwd=tmp_path, capture_output=True, text=True)
    assert "installing the tools for development" in again.stdout, (
        "the engine is there, the tools are outdated"
    )


def test_a_demo_needs_no_tools_for_development(tmp_path: Path):
    copy(tmp_path, "true")
    planned = subprocess.run(["make", "--dry-run", "demo"], cwd=tmp_path, capture_output=True, text=True)
    assert "scripts/build.sh .venv/bin/python \n" in planned.stdout
