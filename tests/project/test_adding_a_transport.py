"""docs/adding-a-transport.md, followed in a copy of the repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.project.recipes import Copy, files_of

PAGE = files_of("adding-a-transport.md")
WORLD = str(CHECKOUT / "worlds" / "four_wheel_robot.wbt")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The repository with the transport of the page."""
    made = Copy(tmp_path_factory.mktemp("repository"))
    for name, text in PAGE.items():
        made.write(name, text)
    return made


@pytest.fixture
def served(copy: Copy, tmp_path: Path) -> Iterator[str]:
    """The address of a simulated robot that is served over the transport."""
    url = f"unix://{tmp_path}/rover.sock"
    bridge = copy.start("bridge", WORLD, "--url", url)
    assert bridge.stderr is not None
    for line in bridge.stderr:
        if url in line:
            break
    else:
        pytest.fail("the bridge ended before it served the robot")
    yield url
    bridge.terminate()
    bridge.communicate()


def test_one_file_makes_a_transport():
    assert list(PAGE) == ["hal/link/transports/unix.py"]


def test_a_controller_drives_a_robot_over_it(copy: Copy, served: str):
    record = copy.folder / "rover.csv"
    copy.wbridge("remote", WORLD, "--url", served, "--duration", "0.5", "--record", str(record))
    head, *rows = record.read_text(encoding="utf-8").splitlines()
    assert len(rows) > 1
    assert head.count(",") == rows[-1].count(",")


def test_wrong_addresses_are_reported_as_the_page_says(copy: Copy, tmp_path: Path):
    program = (
        "from wbridge.main import main\n"
        f"for url in ('unix://host/x', 'unix://{tmp_path}/nobody.sock'):\n"
        f"    print(main(['remote', {WORLD!r}, '--url', url]))\n"
    )
    told = copy.run("-c", program)
    assert told.startswith("2\n")
    assert "expected unix:///PATH, for example unix:///run/rover.sock" in told
    assert "No such file or directory" in told
