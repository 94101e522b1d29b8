"""docs/adding-a-device.md, carried out in a copy of the repository: a sensor in four files, and a driver."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.project.recipes import Copy, files_of

BLOCKS = files_of("adding-a-device.md")
ENTRIES = ("hal/catalogue/devices.json", "hal/catalogue/spec/methods.json")
"""Files into which an entry goes."""
NEXT = '"TouchSensor": {'
"""The entry before which the new one goes."""
GENERATORS = (
    *("node_types", "schema", "api", "controller_modules", "c_headers", "python_client"),
    *("firmware_api", "firmware_headers", "coverage"),
)
MOST_FILES = 4


def _write(copy: Copy, name: str, text: str) -> None:
    """Write a file of the page; entries go into the files that have them."""
    if name in ENTRIES:
        old = (copy.folder / name).read_text(encoding="utf-8")
        assert old.count(NEXT) == 1
        text = old.replace(NEXT, text + NEXT)
    copy.write(name, text)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The repository with all that the page adds."""
    made = Copy(tmp_path_factory.mktemp("repository"))
    for name, text in BLOCKS.items():
        _write(made, name, text)
    for name in GENERATORS:
        made.run(f"scripts/generate_{name}.py")
    return made


def test_a_sensor_takes_four_files_by_hand_and_a_driver_one_folder():
    users = [name for name in BLOCKS if name.startswith(("worlds/", "controllers/"))]
    drivers = {Path(name).parent for name in BLOCKS if name.startswith("firmware_templates/")}
    others = [name for name in BLOCKS if name not in users and Path(name).parent not in drivers]
    assert len(users) == 3
    assert drivers == {Path("firmware_templates/drivers/tmp36")}
    assert len(others) <= MOST_FILES


@pytest.mark.slow
def test_controllers_in_python_read_it(copy: Copy):
    copy.compile_client()
    assert re.search(r"^14\.35$", copy.wbridge("run", "worlds/air.wbt", "--duration", "1"), re.MULTILINE)


@pytest.mark.slow
def test_controllers_in_c_read_it(copy: Copy):
    require_tool("cc", "controllers in C are compiled with it")
    world = copy.folder / "worlds" / "air.wbt"
    c_world = world.with_name("air_c.wbt")
    c_world.write_text(world.read_text().replace('"warm"', '"warm_c"'))
    assert re.search(r"^14\.35$", copy.wbridge("run", str(c_world), "--duration", "1"), re.MULTILINE)


def test_the_device_table_has_its_channel(copy: Copy):
    assert re.search(r"air +Thermometer +sense temperature f64", copy.wbridge("devices", "worlds/air.wbt"))


@pytest.mark.slow
def test_the_driver_reads_it_on_a_board(copy: Copy):
    require_tool("avr-gcc", "firmware for the Uno is compiled with it")
    copy.wbridge("firmware", "new", "worlds/air.wbt", "--board", "arduino-uno", "--out", "hardware.toml")
    text = (copy.folder / "hardware.toml").read_text()
    assert 'driver = "tmp36"' in text
    (copy.folder / "hardware.toml").write_text(
        text.replace('flavor = "slave"', 'flavor = "hil"\ncontroller = "controllers/warm_c"')
    )
    told = copy.wbridge("firmware", "verify", "hardware.toml", "--steps", "10")
    assert re.search(r"hil .*agrees in \d+ comparisons", told)
