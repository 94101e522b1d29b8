"""Plugins of installed packages, by the rules of the entry points specification (packaging.python.org)."""

from __future__ import annotations

import sys
import zipfile
from importlib.metadata import DistributionFinder
from pathlib import Path

import pytest

from wbridge.hal.plugins import Plugins

POINTS = "[wbridge.remote_controls]\ncopper = wires:Plugin\n"
PLUGINS = Plugins("remote_controls")


def test_plugins_in_folders_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wires-1.dist-info").mkdir()
    (tmp_path / "wires-1.dist-info" / "METADATA").write_text("Name: wires\nVersion: 1\n")
    (tmp_path / "wires-1.dist-info" / "entry_points.txt").write_text(POINTS)
    assert "copper" not in PLUGINS.installed()
    monkeypatch.syspath_prepend(tmp_path)
    assert PLUGINS.installed()["copper"].value == "wires:Plugin"
    assert "copper" not in Plugins("robot_windows").installed()


def test_plugins_in_archives_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "wires.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("wires-1.dist-info/METADATA", "Name: wires\nVersion: 1\n")
        made.writestr("wires-1.dist-info/entry_points.txt", POINTS)
    monkeypatch.syspath_prepend(archive)
    assert "copper" in PLUGINS.installed()


def test_a_finder_of_packages_is_heard(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A tool that imports packages from elsewhere may offer their entry points."""
    asked = []

    class Finder(DistributionFinder):
        def find_spec(self, *_: object) -> None: ...

        def find_distributions(self, context: DistributionFinder.Context = ...) -> list[object]:  # type: ignore
            asked.append(context)
            return []

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
    PLUGINS.installed()
    assert asked
