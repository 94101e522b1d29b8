"""Pages of episodes: read back part by part."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.fleet.declared_cart import cart_task
from tests.fleet.learning_worlds import SPEED, STEP_MS
from wbridge.gym import RecordedEnv, make_env
from wbridge.wbcore.recordings.page_parts import parts_of

FAST = np.array([SPEED], np.float32)


def parts(path: Path) -> dict[str, Any]:
    return {part.kind: part.content() for part in parts_of(path)}


def test_a_page_has_what_was_varied_and_how_the_episode_ended(tmp_path: Path):
    env = RecordedEnv(make_env(cart_task(tmp_path)), tmp_path / "pages")
    _, info = env.reset(seed=1)
    total, is_over, steps = 0.0, False, 0
    while not is_over:
        _, reward, is_over, *_ = env.step(FAST)
        total, steps = total + reward, steps + 1
    env.reset(seed=2)
    env.close()
    first, second = (parts(tmp_path / "pages" / f"episode_{number}.html") for number in (0, 1))
    head = json.loads(first["head"])
    assert head["varied"] == info["varied"]
    assert head["signals"] == ["return", "reward", "place", "goal", "set drive.velocity"]
    assert head["frame_s"] == pytest.approx(2 * STEP_MS / 1000)
    assert [line[3] for line in json.loads(first["lines"])] == [
        f"{place} = {value}" for place, value in info["varied"].items()
    ]
    assert json.loads(first["end"])["reason"] == f"arrived; return {total:.6g}"
    assert json.loads(second["end"])["reason"].startswith("closed")
    size = int.from_bytes(first["values"][:4], "little")
    assert json.loads(first["values"][4 : 4 + size])["frames"] == steps + 1
