"""Python in the root of a checkout, with wbridge installed elsewhere by `pip install .`.

Judge: Python's own search for modules, by which the sources in the current folder hide the installed package.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from wbridge.wbcore.engine import _engine

ENGINE = Path("wbcore", "engine")
PRINT = "from wbridge.wbcore.engine import World; print(World.__module__)"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The sources of the engine's package."""
    place = tmp_path / "checkout" / ENGINE
    place.mkdir(parents=True)
    (tmp_path / "checkout" / "wbridge").mkdir()
    for name in ("wbcore", "wbridge"):
        shutil.copy(CHECKOUT / name / "__init__.py", tmp_path / "checkout" / name)
    for file in (CHECKOUT / ENGINE).glob("*.py*"):
        if file.is_file():
            shutil.copy(file, place)
    return tmp_path / "checkout"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed packages, with the engine in it."""
    place = tmp_path / "site" / "wbridge" / ENGINE
    place.mkdir(parents=True)
    shutil.copy(str(_engine.__file__), place)
    shutil.copy(CHECKOUT / ENGINE / "_engine.pyi", place)
    return tmp_path / "site"


def python(folder: Path, *packages: Path) -> subprocess.CompletedProcess[str]:
    """Import in a folder, with packages installed in others only; without site, nothing else is found."""
    paths = [*map(str, packages), *(one for one in sys.path if one.endswith("site-packages"))]
    code = f"import sys; sys.path += {paths!r}; {PRINT}"
    command = [sys.executable, "-S", "-c", code]
    return subprocess.run(command, cwd=folder, env={}, capture_output=True, text=True, check=False)


def test_the_installed_engine_serves_the_sources(checkout: Path, site: Path):
    done = python(checkout, site)
    assert (done.stdout, done.stderr) == ("wbridge.wbcore.engine._engine\n", "")


def test_an_engine_of_another_version_is_refused(checkout: Path, site: Path):
    (site / "wbridge" / ENGINE / "_engine.pyi").write_text("class Other: ...\n")
    line = python(checkout, site).stderr.splitlines()[-1]
    assert f"{checkout} has no compiled engine, and the installed wbridge ({site}" in line
    assert "compile it with `make build` there" in line
