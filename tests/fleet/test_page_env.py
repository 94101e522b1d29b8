"""`render_mode="human"`: a page shows the world that is stepped."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.fleet.declared_cart import cart_task
from tests.fleet.learning_worlds import SPEED
from wbridge.gym import make_env
from wbridge.learning.page_env import HERE, PageEnv
from wbridge.wbcore.controllers.runner import FAST, PAUSED

Numbers = NDArray[np.float32]
FAST_DRIVE = np.array([SPEED], np.float32)


def test_a_page_shows_the_world_and_may_pause_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    task = cart_task(tmp_path)
    plain = make_env(task)
    expected = [plain.reset(seed=4)[0], *(plain.step(FAST_DRIVE)[0] for _ in range(2))]
    windows = replace(HERE, open=False)
    env = PageEnv(task.world, task(), windows=windows, **task.settings._asdict())
    assert env.render_mode in env.metadata["render_modes"]
    with closing(env):
        check(env, expected, monkeypatch)


def check(env: PageEnv, expected: list[Numbers], monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [env.reset(seed=4)[0], env.step(FAST_DRIVE)[0]]
    with build_opener(HTTPCookieProcessor()).open(env.handler.subscribers.url) as page:
        assert page.status == 200
    polls = []

    def poll() -> None:
        polls.append(env.simulation.time)
        if len(polls) == 3:
            env.simulation.set_mode(FAST)

    env.simulation.set_mode(PAUSED)
    monkeypatch.setattr(env.handler, "poll", poll)
    seen.append(env.step(FAST_DRIVE)[0])
    assert len(polls) == 4 and len(set(polls)) == 2
    assert np.array_equal(seen, expected)
