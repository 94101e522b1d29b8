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


@pytest.mark.parametrize(("build", "is_built"), [("true", True), (EDIT, False)])
def test_a_source_edited_during_a_build_is_compiled_the_next_time(tmp_path: Path, build: str, is_built: bool):
    shutil.copy(CHECKOUT / "Makefile", tmp_path)
    for name in (
        "scripts/system_packages.sh",
        ".venv/stamps/system",
        ".venv/stamps/venv",
        "pyproject.toml",
        SOURCE,
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    # The files are older than the build, as in a checkout.
    for name in (
        "scripts/system_packages.sh",
        "pyproject.toml",
        SOURCE,
        ".venv/stamps/system",
        ".venv/stamps/venv",
    ):
        os.utime(tmp_path / name, (time.time() - 60,) * 2)
    script = tmp_path / "scripts/build.sh"
    script.write_text(f"#!/bin/bash\n{build}\n")
    script.chmod(0o755)
    subprocess.run(["make", ENGINE], cwd=tmp_path, check=True, capture_output=True)
    answer = subprocess.run(["make", "--question", ENGINE], cwd=tmp_path, capture_output=True)
    assert (answer.returncode == 0) is is_built
