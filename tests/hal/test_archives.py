"""Archives of the wheel: where the modules of a packed package are."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.pack import pack
from wbridge.hal import archives


def test_modules_of_a_checkout_stay_in_their_folder():
    assert archives.module_folder("/somewhere/part", "part") == "/somewhere/part"


def test_modules_of_a_wheel_are_in_its_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    wheel, checkout = tmp_path / "wbridge", tmp_path / "checkout"
    (wheel / "hal").mkdir(parents=True)
    (checkout / "part").mkdir(parents=True)
    (checkout / "part" / "module.py").write_text("VALUE = 7")
    pack(wheel / archives.MODULES, checkout, ["part/module.py"])
    monkeypatch.setattr(archives, "__file__", str(wheel / "hal" / "archives.py"))
    monkeypatch.setenv("WBRIDGE_CACHE", str(tmp_path / "cache"))
    folder = Path(archives.module_folder(str(wheel / "part"), "part"))
    assert tmp_path / "cache" in folder.parents
    assert (folder / "module.py").read_text() == "VALUE = 7"
    assert archives.module_folder(str(wheel / "part"), "part") == str(folder)
