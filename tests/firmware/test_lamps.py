"""Gradual lamps of many colors: the duty of their pins."""

from __future__ import annotations

import pytest

from tests.firmware.conftest import require_board
from tests.firmware.test_drivers import device
from wbridge.hal.link.master import Master
from wbridge.hal.link.pipe import VirtualClock
from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.bench import Bench, lockstep_pipe
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.reading import load_hardware

STEP = 32
GREEN = [0.0, 1.0, 0.0]
GRADUAL = [("any", []), ("orange", [[1.0, 0.5, 0.0], GREEN])]
"""Names of gradual lamps with the colors that they have."""


@pytest.fixture(scope="module")
def gradual(tmp_path_factory: pytest.TempPathFactory) -> tuple[Built, DeviceTable]:
    """A firmware with gradual lamps; the second one shines when its pins are low."""
    require_board("host")
    folder = tmp_path_factory.mktemp("gradual")
    lamps = (device(k + 1, name, "LED", {"gradual": True, "color": c}) for k, (name, c) in enumerate(GRADUAL))
    robot = DeviceTable(device(0, "all", "Robot", {}), tuple(lamps))
    text = 'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "host"\n'
    for (name, _), pins in zip(GRADUAL, ((0, 1, 2), (3, 4, 5)), strict=True):
        text += f'[devices.{name}]\ndriver = "rgb_led"\ninverted = {str(name == "orange").lower()}\n'
        text += "".join(f'{key} = "D{n}"\n' for key, n in zip(("red", "green", "blue"), pins, strict=True))
    (folder / "hardware.toml").write_text(text)
    return build(load_hardware(folder / "hardware.toml", robot), folder / "firmware"), robot


@pytest.mark.parametrize(
    ("tag", "value", "shares"),
    [
        (1, 0x80FF33, (0x80 / 255, 1.0, 0.2)),
        (1, 0, (0.0, 0.0, 0.0)),
        (2, 255, (0.0, 1 - 128 / 255, 1.0)),
        (2, 51, (0.8, 0.9, 1.0)),
        (2, 0, (1.0, 1.0, 1.0)),
    ],
)
def test_a_gradual_lamp_shows_any_color_or_a_share_of_its_own(
    gradual: tuple[Built, DeviceTable], tag: int, value: int, shares: tuple[float, ...]
):
    program, robot = gradual
    with Bench(program.board, program.program, lockstep=True) as bench:
        clock = VirtualClock()
        pipe = lockstep_pipe(bench, clock)
        master = Master(robot, lambda: pipe, clock=clock, sleep=lambda seconds: None)
        master.connect(1.0)
        channel = master.numbering.channel(tag, "value")
        assert channel is not None
        master.set(channel, value)
        assert master.step(STEP, 0.5) is not None
        found = [bench.show(f"D{3 * (tag - 1) + k}").value for k in range(3)]
    assert found == pytest.approx(shares, abs=0.003)
