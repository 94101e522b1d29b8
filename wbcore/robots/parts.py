"""Handlers for the commands of the robot itself, one per subject."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from wbridge.hal.protocol.codec import Codec
from wbridge.hal.protocol.configure import SelfNode

if TYPE_CHECKING:
    from wbridge.wbcore.robots.robot import Robot
    from wbridge.wbcore.supervisor.view import Label

# The order in which Webots writes the robot's messages; the devices' come between the two lists.
FIRST = (
    *("time", "simulation_mode", "battery", "custom_data", "supervisor", "model", "keys", "joystick"),
    *(
        "joystick_state",
        "mouse",
        "event",
        "node_by_id",
        "node_by_tag",
        "selected_node",
        "node_by_def",
        "proto",
    ),
    *("field", "proto_regenerated", "node_removed", "position", "orientation", "pose", "center_of_mass"),
    *("contact_points", "static_balance", "velocity", "exported_node", "inserted_node", "number_of_fields"),
    *("value", "field_count", "movie_status", "animation_started", "animation_stopped", "world_saved"),
    *("headset_used", "headset_position", "headset_orientation", "urdf"),
)
OUTLASTING = ("simulation_mode", "custom_data", "model", "node_removed", "proto_regenerated", "field_count")
"""Messages that are still valid after a reset."""
LAST = ("show_window", "update_window", "from_window", "quit")
LATE = 0.5
"""The rank from which messages come after the devices'."""


class Part:
    """Handles some commands of the robot: the command `x` of the codec in a method `on_x(*values)`."""

    works = True
    """Whether to call `before_step` and `after_step`, in parts that override them."""

    is_sampled = True
    """Whether to call `sample`, in parts that override it; `let_sample` changes it."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot

    def let_sample(self, on: bool) -> None:
        """Declare whether there are messages at the ends of steps."""
        if self.is_sampled != on:
            self.is_sampled = on
            self.robot.step_calls.collect_samplers(self.robot.parts)

    def handlers(self, codec: Codec) -> dict[int, Callable[..., None]]:
        """Return the handlers of this part by command code."""
        return {
            code: handler
            for name, code in codec.command_codes.items()
            if (handler := getattr(self, f"on_{name}", None)) is not None
        }

    def connect(self) -> None:
        """A controller has connected: drop the requests of the previous one."""

    def sample(self, now: float) -> None:
        """A step has ended (ms): send what is due."""

    def begin_step(self) -> None:
        """Start a step; called for all robots before any device acts."""

    def before_step(self) -> None:
        """Act before a physics step."""

    def after_step(self) -> None:
        """Act after a physics step."""

    def field_changed(self, name: str) -> None:
        """React to a change of one of the robot node's fields during a run."""

    def save(self) -> object:
        """Return the part's state between two steps, as a plain value."""
        return None

    def load(self, state: Any) -> None:
        """Restore what the part's own `save` returned; devices are restored before."""

    def leave(self) -> None:
        """React to the removal of the robot's node."""

    def reset(self) -> None:
        """The simulation was reset."""


class SupervisorPart(Part):
    """The part that answers a supervisor's requests."""

    @property
    def labels(self) -> dict[int, Label]:
        """The labels that this supervisor shows, by number."""
        raise NotImplementedError

    def own_node(self) -> SelfNode:
        """The description of the robot's own node for the controller."""
        raise NotImplementedError


class Supervision:
    """A robot's rights as a supervisor. The field `supervisor` decides those of the next controller."""

    def __init__(self, make: Callable[[], SupervisorPart] | None) -> None:
        """
        Args:
            make: creates the part; None: the robot cannot be a supervisor.
        """
        self._make = make
        self.part: SupervisorPart | None = None
        self.has_changed = False
        """The field `supervisor` was changed since the controller has connected."""

    def set(self, on: bool, parts: list[Part]) -> None:
        """Grant or withdraw the rights: add the part to those of the robot, or remove it."""
        self.has_changed = False
        if on and self.part is None:
            assert self._make is not None, "there is a world to supervise"
            self.part = self._make()
            parts.append(self.part)
        elif self.part is not None and not on:
            self.part.leave()
            parts.remove(self.part)
            self.part = None


@cache
def ranks(codec: Codec) -> dict[int, float]:
    """Return the order of messages in an answer, by code: below `LATE` before the devices', above after."""
    known = {name: i / 1000 for i, name in enumerate(FIRST)} | {
        name: 0.6 + i / 1000 for i, name in enumerate(LAST)
    }
    return {code: known.get(name, 0.4) for name, code in codec.message_codes.items()}
