"""The archives of the site have all that its Python reads; found without a browser.

Judges: the checkout, which has all files; the same worlds run from there.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import numpy as np

from tests.live.site_python import STEPS
from tests.project.files import CHECKOUT
from wbridge.hal.client import _native
from wbridge.live.packing import ENDING, open_packed
from wbridge.live.site import LIBRARY, PARTS, build_site
from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.scene.load import load_world

WORLDS = ("two_wheels", "nao", "lidar_mapping")
"""With a model in the checkout, with meshes and motions, and with a controller that uses NumPy."""
LINKS = {"src/wbridge", "wbridge/hal"}
"""The checkout's links, by which Python finds its parts."""


def unpacked_site(folder: Path) -> Path:
    """Return a folder with the archives of a site whose compiled modules are those of this machine."""
    extensions = folder / "parts" / "extensions"
    for module, place in ((_engine, "wbcore/engine"), (_native, "hal/client")):
        (extensions / place).mkdir(parents=True)
        shutil.copy(str(module.__file__), extensions / place)
    for name in PARTS[:-2]:
        (folder / "parts" / name).touch()
    zipfile.ZipFile(folder / "parts" / LIBRARY, "w").close()
    (folder / "parts" / "packages").mkdir()
    version = build_site(folder / "parts", CHECKOUT, folder / "site", compiles=False)
    for name in ("code", "models", "robots", "firmware"):
        with open_packed((version / f"{name}{ENDING}").read_bytes()) as archive:
            archive.extractall(folder / "wbridge")
    return folder / "wbridge"


def digest(world: str) -> str:
    """Return the hash of a run from the checkout."""
    with Runner(load_world(CHECKOUT / "worlds" / f"{world}.wbt"), RunOptions(inline=True)) as runner:
        runner.limit = STEPS
        runner.run()
        return runner.simulation.hash()


def test_pages_find_each_file_of_the_checkout_that_they_look_for(tmp_path: Path):
    packages = Path(np.__file__).parent.parent
    words = ["-S", "-m", "tests.live.site_python", str(unpacked_site(tmp_path)), str(packages), *WORLDS]
    done = subprocess.run(
        [sys.executable, *words],
        cwd=CHECKOUT,
        env={"PYTHONPATH": str(CHECKOUT), "PATH": str(Path(sysconfig.get_path("scripts")))},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[: len(WORLDS)] == [digest(world) for world in WORLDS]
    assert set(lines[len(WORLDS) :]) - LINKS == set()
