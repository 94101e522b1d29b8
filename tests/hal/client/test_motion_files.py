"""Damaged motion files: whatever they contain, they are read or refused in words, within their bounds.

Seeded; judge: the bounds in docs/limits.md, and the times of a motion, which only grow.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from fuzz.mutate import damaged, damaged_bytes
from scripts.generate_limits_doc import NATIVE, native_value
from wbridge.hal import api
from wbridge.hal.client.native import NativeRobot
from wbridge.hal.protocol.loopback import Loopback, Peer

Attach = Callable[[Loopback], NativeRobot]
MOTION = "#WEBOTS_MOTION,V1.0,a,b\n" + "".join(
    f"00:{k:02}:{40 * k:03},Pose{k},{0.1 * k:.1f},*\n" for k in range(25)
)
BOUNDS = {bound.name: native_value(bound) for bound in NATIVE if "motion" in bound.file}
LONGEST_MS = 2_000_000_000
"""A time has 32 bits."""


@pytest.mark.parametrize("seed", range(8))
def test_damaged_motions_are_read_or_refused(
    attach: Attach, tmp_path: Path, capfd: pytest.CaptureFixture[str], seed: int
):
    random = Random(seed)
    attach(Loopback([Peer("RotationalMotor", "a"), Peer("RotationalMotor", "b")]))
    for k in range(60):
        data = damaged(MOTION, random, [MOTION]).encode("utf-8", "replace")
        file = tmp_path / f"{k}.motion"
        file.write_bytes(damaged_bytes(data, random) if random.random() < 0.3 else data)
        motion = api.wbu_motion_new(str(file))
        if motion is not None:
            assert 0 <= api.wbu_motion_get_duration(motion) < LONGEST_MS
            api.wbu_motion_play(motion)
            api.wb_robot_step(32)
            api.wbu_motion_delete(motion)
        said = capfd.readouterr().err
        assert said.count(f"{file}:") <= BOUNDS["MOST_PROBLEMS"] + 1
        assert motion is not None or re.search(rf"{file}\b", said), said


@pytest.mark.parametrize("above", [0, 1])
def test_the_bounds_of_a_motion_hold(
    attach: Attach, tmp_path: Path, capfd: pytest.CaptureFixture[str], above: int
):
    attach(Loopback([Peer("RotationalMotor", "a")]))
    names = BOUNDS["MOST_MOTORS"] + above
    digits = "0" * (BOUNDS["LONGEST_TIME"] + above - 1) + "1"
    texts = {
        "motors": f"#WEBOTS_MOTION,V1.0{',a' * names}\n0,p{',0' * names}\n",
        "digits": f"#WEBOTS_MOTION,V1.0,a\n0,p,0\n{digits},p,0\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        assert (api.wbu_motion_new(str(tmp_path / name)) is None) == bool(above), name
    assert capfd.readouterr().err.count("could not read the motion") == 2 * above
