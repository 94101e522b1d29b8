"""The environment of a checkout has a pip that works, of which nothing was compiled in advance."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from scripts import make_venv


def test_pip_installs_and_lists(tmp_path: Path) -> None:
    folder = tmp_path / "environment"
    make_venv.make(folder)
    packages = next(folder.glob("lib/python3*/site-packages"))
    assert not list(packages.glob("pip/**/*.pyc"))
    ours = subprocess.run([folder / "bin" / "pip", "--version"], capture_output=True, text=True, check=True)
    assert str(packages / "pip") in ours.stdout
    module = [folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
    listed = subprocess.run([*module, "list", "--format=freeze"], capture_output=True, text=True, check=True)
    assert [line.split("==")[0] for line in listed.stdout.splitlines()] == ["pip"]
    subprocess.run([*module, "uninstall", "--quiet", "--yes", "pip"], check=True)
    assert not (packages / "pip").exists()


def test_without_a_wheel_python_installs_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {}
    monkeypatch.setattr(make_venv, "pip_wheel", lambda: None)
    monkeypatch.setattr(make_venv.venv, "create", lambda folder, **options: asked.update(options))
    make_venv.make(tmp_path)
    assert asked["with_pip"]
