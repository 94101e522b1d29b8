"""Rounds of direct steps: several controllers step a world together, as greenlets."""

from __future__ import annotations

from functools import partial

import greenlet

from wbridge.wbcore.engine import _engine

STEP_MS = 8
AGES_S = 100.0


class Two:
    """Two controllers that step a world together, as greenlets."""

    def __init__(self, *durations: int) -> None:
        self.world = _engine.World(dt=STEP_MS / 1000)
        self.said: list[str] = []
        self.active = ""
        enter = partial(setattr, self, "active")
        self.round = _engine.DirectRound(self.world, {}, self, enter, greenlet.getcurrent().switch)
        self.delivered: list[str] = []
        for name, duration in zip("ab", durations, strict=False):
            self._add(name, duration)
        self.round.open(0.0, 0, STEP_MS / 1000, [None, None])

    def _add(self, name: str, duration: int) -> None:
        stepper = _engine.DirectStepper(self.world)

        def work() -> None:
            while True:
                self.said.append(f"{name}{self.world.steps}")
                if stepper.step(duration, []) != 1:
                    self.said.append(f"{name} waits")
                    greenlet.getcurrent().parent.switch()  # type: ignore[union-attr]

        switch = greenlet.greenlet(work).switch
        process = _engine.ProcessFields(None, None, None, None, None)
        deliver = partial(self.delivered.append, name)
        self.round.add(stepper, switch, deliver, process, name, name, "link")


def test_controllers_step_in_turn() -> None:
    """Judge: a step ends when all controllers that it concerns wait, in the order of their start."""
    two = Two(STEP_MS, 2 * STEP_MS)
    two.round.run(4, AGES_S)
    assert two.said == ["a0", "b0", "a1", "a2", "b2", "a3", "a4", "b4"]
    assert two.active == "b"
    two.round.run(1, AGES_S)
    assert two.said[-1] == "a5"
    assert two.round.made == two.world.steps == 5
    assert two.round.close() == [(40, 48, 40), (32, 48, 32)]
    assert two.delivered == []


def test_a_controller_that_ends_leaves_the_round() -> None:
    two = Two(STEP_MS, 0)
    two.round.run(4, AGES_S)
    assert two.said == ["a0", "b0", "b waits"]
    assert (two.round.running, two.round.made) == (1, 0)
    assert two.round.close() == [(0, STEP_MS, None), (None, None, None)]
