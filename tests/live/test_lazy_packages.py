"""Packages that a page loads when they are used.

Judge: the contract of `sys.meta_path` in Python's documentation.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from wbridge.live.lazy_packages import LazyPackages


@pytest.fixture
def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the package `parcel` be loaded into a folder; return the names that were loaded so far."""
    names: list[str] = []

    def load(name: str) -> None:
        names.append(name)
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("from parcel.inner import size\n")
        (tmp_path / name / "inner.py").write_text("size = 3\n")

    monkeypatch.setattr(
        sys, "meta_path", [*sys.meta_path, LazyPackages({"parcel": "parcel"}, str(tmp_path), load)]
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield names
    for name in [one for one in sys.modules if one.partition(".")[0] == "parcel"]:
        del sys.modules[name]


def test_a_package_is_loaded_at_its_first_import(loaded):
    assert loaded == []
    assert importlib.import_module("parcel").size == 3
    assert importlib.import_module("parcel.inner").size == 3
    assert loaded == ["parcel"]


def test_other_packages_stay_missing(loaded):
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        importlib.import_module("no_such_package")
    assert loaded == []


def test_a_package_that_could_not_be_loaded_is_tried_again(loaded, monkeypatch):
    def fail(_name: str) -> None:
        raise OSError("no network")

    finder = sys.meta_path[-1]
    with monkeypatch.context() as patch:
        patch.setattr(finder, "_load", fail)
        with pytest.raises(OSError, match="no network"):
            importlib.import_module("parcel")
    assert importlib.import_module("parcel").size == 3
