"""Tolerances that a hardware map states: read with their reasons, applied in `verify`, told if not needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.conftest import WORLD, two_wheels
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError
from wbridge.wbverify.step_table import TableRow
from wbridge.wbverify.tolerances import apply_tolerances, unneeded

FRONT = '[devices."front"]\n'
REASON = 'reason = "the motors disturb its supply"\n'


def load(folder: Path, lines: str) -> Hardware:
    """A map with these lines for the distance sensor "front"."""
    text = propose(two_wheels(), str(WORLD), "arduino-uno")
    assert FRONT in text
    file = folder / "hardware.toml"
    file.write_text(text.replace(FRONT, FRONT + lines))
    return load_hardware(file, two_wheels())


def row(desktop: float, board: float, bound: float = 0.0, device: str = "front", value: str = "value"):
    return TableRow(3, 96.0, "slave", device, value, desktop, board, bound)


def test_a_map_states_a_tolerance_with_its_reason(tmp_path: Path):
    found = {one.device.name: one.tolerance for one in load(tmp_path, "tolerance = 2\n" + REASON).wirings}
    assert found.pop("front") == (2.0, "the motors disturb its supply")
    assert set(found.values()) == {None}


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("tolerance = 0.5\n", '"front": tolerance needs reason, for example reason = "'),
        (REASON, '"front": reason needs tolerance, for example tolerance = 0.5'),
        (
            "tolerance = 0\n" + REASON,
            "tolerance: found 0; expected a number above 0, in the unit of the device's",
        ),
        ("tolerance = true\n" + REASON, "tolerance: found True; expected a number above 0"),
        ('tolerance = 0.5\nreason = " "\n', "reason: found ' '; expected why the values may differ"),
        ("tolerence = 0.5\n" + REASON, 'did you mean "tolerance"?'),
    ],
)
def test_a_wrong_tolerance_is_refused(tmp_path: Path, lines: str, words: str):
    with pytest.raises(HardwareError) as refused:
        load(tmp_path, lines)
    assert words in str(refused.value)


def test_all_that_is_wrong_is_reported_in_one_pass(tmp_path: Path):
    with pytest.raises(HardwareError) as refused:
        load(tmp_path, "tolerance = -1\nreason = 3\ncurrent = -1\n")
    texts = [one.text for one in refused.value.problems]
    assert [text.split(": ")[1] for text in texts] == ["tolerance", "reason", "current"]
    assert len({one.line for one in refused.value.problems}) == 3


def test_values_may_differ_by_the_tolerance_and_not_by_more(tmp_path: Path):
    hardware = load(tmp_path, "tolerance = 0.5\n" + REASON)
    given = [
        row(1.0, 1.0),
        row(1.0, 1.25),
        row(1.0, 1.5),
        row(1.0, 1.75),
        row(1.0, float("nan")),  # it has no value at all
        row(1.0, 1.25, device="status"),
    ]
    rows, (used,) = apply_tolerances(hardware, given)
    assert [one.agrees for one in rows] == [True, True, True, False, False, False]
    assert (used.compared, used.needed, used.exceeded) == (5, 2, 2)
    text = str(used)
    assert (
        '"front" may differ by 0.5 (slave), because: the motors disturb its supply; needed in 2 of 5' in text
    )


def test_a_tolerance_does_not_narrow_what_is_always_allowed(tmp_path: Path):
    hardware = load(tmp_path, "tolerance = 0.5\n" + REASON)
    rows, (used,) = apply_tolerances(hardware, [row(1.0, 1.75, bound=1.0)])
    assert rows[0].agrees
    assert rows[0].bound == 1.0
    assert used.needed == 0


@pytest.mark.parametrize(
    "value",
    [
        "packet.size",
        "PWM frequency of D3",
        "set_sampling_period",
        "set_channel",
        "pixels that differ",
        "whole pictures",
    ],
)
def test_counts_and_settings_have_no_tolerance(tmp_path: Path, value: str):
    hardware = load(tmp_path, "tolerance = 0.5\n" + REASON)
    rows, (used,) = apply_tolerances(hardware, [row(1.0, 1.25, value=value)])
    assert not rows[0].agrees
    assert used.compared == 0


def test_a_tolerance_without_need_is_told(tmp_path: Path):
    hardware = load(tmp_path, "tolerance = 0.5\n" + REASON)
    for given, words in (
        ([row(1.0, 1.0)], "all values are equal"),
        ([row(1.0, 1.25, bound=0.3)], "the largest difference is 0.25, which is always allowed"),
        ([], "it applies to none of the compared values"),
    ):
        _, used = apply_tolerances(hardware, given)
        (line,) = unneeded(used)
        assert line.startswith('"front": tolerance = 0.5 was not needed (slave); ')
        assert words in line
    for given in ([row(1.0, 1.25)], [row(1.0, 2.0)]):
        assert unneeded(apply_tolerances(hardware, given)[1]) == []


def test_one_flavor_that_needs_a_tolerance_is_enough(tmp_path: Path):
    hardware = load(tmp_path, "tolerance = 0.5\n" + REASON)
    both = [*apply_tolerances(hardware, [row(1.0, 1.0)])[1], *apply_tolerances(hardware, [row(1.0, 1.25)])[1]]
    assert unneeded(both) == []
