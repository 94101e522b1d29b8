"""Rewards and ends by the program of a supervisor, in any language: it writes them to its customData."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wbridge.wbcore.scene.node import Node
from wbridge.wbfleet.gym.others import OthersError
from wbridge.wbfleet.gym.task import Task, Verdict

if TYPE_CHECKING:
    from wbridge.wbcore.simulation import Simulation

__all__ = ["SupervisorTask"]

FIELD = "customData"
ALLOWED = 'a number, or {"reward": NUMBER, "over": true or false, "info": {...}} in JSON'
EMPTY: Mapping[str, object] = {"reward": 0.0, "over": False, "info": {}}
"""What a message says that leaves a part out."""
SHOWN = 80
"""Characters of a wrong message that are shown."""


class SupervisorTask(Task):
    """The program of a supervisor in the world judges.

    What the supervisor writes to its field `customData` before it makes a step is a message, which counts
    once: a reward, or JSON such as `{"reward": 0.5, "over": true, "info": {"way": 1.2}}`. The rewards of all
    messages during a step of the environment are added.
    """

    def __init__(self, supervisor: str, inline: bool = False, timeout_s: float | None = 60.0) -> None:
        """
        Args:
            supervisor: name of the robot whose program judges; it does not learn.
            inline: run the world's controllers inside this process, if they are in Python: faster, for
                programs that you trust.
            timeout_s: maximum real time that a controller may take between two steps (s); None: any.
        """
        self.supervisor, self.inline, self.timeout_s = supervisor, inline, timeout_s
        self._node: Node | None = None
        self._reward, self._is_over = 0.0, False
        self._info: dict[str, Any] = {}

    def prepare(self, simulation: Simulation) -> None:
        """Forget messages, at the start of an episode."""
        self._node = next(robot.node for robot in simulation.robots if robot.name == self.supervisor)
        simulation.set_field(self._node, FIELD, "")
        self._forget()

    def take(self, simulation: Simulation) -> None:
        """Take the message of a basic time step, if there is one; the field is empty then.

        Raises:
            OthersError: it is not a message; the error says what is allowed.
        """
        assert self._node is not None, "an episode has begun"
        text = str(self._node.get(FIELD))
        if not text:
            return
        simulation.set_field(self._node, FIELD, "")
        reward, is_over, info = self._parsed(text, simulation.steps)
        self._reward += reward
        self._is_over |= is_over
        self._info |= info

    def judge(self, simulation: Simulation, robot: str, action: NDArray[np.float32]) -> Verdict:
        """Return what the messages of this step say."""
        verdict = Verdict(self._reward, self._is_over, self._info)
        self._forget()
        return verdict

    def _forget(self) -> None:
        self._reward, self._is_over, self._info = 0.0, False, {}

    def _parsed(self, text: str, step: int) -> tuple[float, bool, dict[str, object]]:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        message = {**EMPTY, **(found if isinstance(found, dict) else {"reward": found})}
        reward, is_over, info = (message[key] for key in EMPTY)
        is_number = isinstance(reward, int | float) and not isinstance(reward, bool)
        is_valid = is_number and abs(reward) <= sys.float_info.max and message.keys() == EMPTY.keys()
        if not is_valid or not isinstance(is_over, bool) or not isinstance(info, dict):
            raise OthersError(
                f'supervisor "{self.supervisor}", step {step}: {FIELD} is "{text[:SHOWN]}"; '
                f"expected {ALLOWED}"
            )
        return float(reward), is_over, info
