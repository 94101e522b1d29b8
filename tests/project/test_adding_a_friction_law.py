"""docs/adding-a-friction-law.md, followed in a copy of the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.conftest import require_tool
from tests.project.recipes import Copy, changes_of, files_of

PAGE = "adding-a-friction-law.md"
FILES = files_of(PAGE)
WORLD = "worlds/crate.wbt"
BUILD = "build/law"
WAY = """
from wbridge.wbcore import Simulation
with Simulation("worlds/crate.wbt"{}) as simulation:
    simulation.run(2)
    print(simulation.node("CRATE").translation[0], simulation.hash())
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The repository with the law of the page."""
    repository = Copy(tmp_path_factory.mktemp("repository"))
    for name, text in FILES.items():
        repository.write(name, text)
    for name, difference in changes_of(PAGE):
        repository.change(name, difference)
    return repository


@pytest.fixture(scope="module")
def built(copy: Copy) -> Copy:
    """The same with its engine, compiled without optimization: that changes no number."""
    for tool in ("cmake", "c++"):
        require_tool(tool, "the engine is compiled with it")
    options = [f"-DPython_EXECUTABLE={sys.executable}", "-DWBRIDGE_LEVEL=-O0"]
    build = ["cmake", "--build", BUILD, "--target", "_engine", "--parallel", str(os.cpu_count())]
    for command in (["cmake", "-S", ".", "-B", BUILD, *options], build):
        subprocess.run(command, cwd=copy.folder, check=True, stdout=subprocess.DEVNULL)
    (engine,) = (copy.folder / BUILD / "wbcore" / "engine").glob("_engine*.so")
    shutil.copy(engine, copy.folder / "wbcore" / "engine")
    return copy


def _integral() -> float:
    """The way (m) of a body that begins with 2 m/s, by the formula of the page."""
    way, speed, step = 0.0, 2.0, 1e-5
    while speed > 0:
        share = 0.4 + 0.6 / (1 + (speed / 0.5) ** 2)
        speed -= 0.3 * 9.81 * share * step
        way += speed * step
    return way


def test_a_law_takes_a_formula_a_call_and_a_name(copy: Copy):
    changed = {name for name, _ in changes_of(PAGE)}
    assert {*FILES, *changed} - {WORLD} == {
        "wbcore/engine/src/stribeck.h",
        "wbcore/engine/src/world_contacts.cpp",
        "wbcore/engine/src/world.h",
        "wbcore/engine/src/bind_world.cpp",
        "wbcore/scene/contact_law.py",
    }
    assert "stribeck" in copy.wbridge("run", "--help")


@pytest.mark.slow
def test_the_crate_slides_as_far_as_the_formula_says(built: Copy):
    way, first = built.run("-c", WAY.format("")).split()
    assert float(way) == pytest.approx(_integral(), rel=0.01)
    assert built.run("-c", WAY.format("")).split() == [way, first]
    other, second = built.run("-c", WAY.format(', contacts="webots"')).split()
    assert float(other) == pytest.approx(2**2 / (2 * 0.3 * 9.81), rel=0.01)
    assert second != first
