"""What a page's Python does before its memory is kept, and after it got that back.

Judge: the folders of a page (wbridge.live.compiled), and modules as a new Python imports them.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from types import ModuleType

import pytest

from wbridge.live.kept_memory import Present, fit_for_use, imported


def module(name: str, file: str | None) -> ModuleType:
    made = ModuleType(name)
    made.__file__ = file
    return made


def test_modules_of_the_site_and_of_the_library_are_kept_and_those_of_worlds_are_not(monkeypatch):
    files = {
        "wbridge.wbcore.scene": "/wbridge/wbcore/scene/__init__.py",
        "numpy": "/packages/numpy/__init__.py",
        "json": "/lib/python315.zip/json/__init__.py",
        "arm": "/wbridge/controllers/arm/arm.py",
        "helper": "/project/controllers/helper/helper.py",
        "__main__": "/wbridge/wbcore/__main__.py",
        "itself": None,
    }
    monkeypatch.setattr(sys, "modules", {name: module(name, file) for name, file in files.items()})
    assert json.loads(imported()) == ["wbridge.wbcore.scene", "numpy", "json"]


def test_modules_that_cannot_be_imported_are_left_out():
    program = """
import gc, sys
from wbridge.live.kept_memory import import_all
import_all('["colorsys", "no_such_module", "wbridge.live.page_run", "fractions"]')
print([name in sys.modules for name in ("colorsys", "no_such_module", "wbridge.live.page_run", "fractions")])
print(gc.get_freeze_count() > 0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[True, False, False, True]\nTrue\n"


def test_an_archive_that_is_not_there_is_no_import():
    load = Present('["numpy"]')
    load("numpy")
    with pytest.raises(ImportError, match="lupa is not loaded yet"):
        load("lupa")


def test_random_numbers_of_one_memory_differ():
    state = random.getstate()
    try:
        numbers = set()
        for _ in range(2):
            random.setstate(state)
            fit_for_use()
            numbers.add(random.random())
    finally:
        random.setstate(state)
    assert len(numbers) == 2
