"""Registers tasks with Gymnasium, so that `gymnasium.make("wbridge/EpuckArena-v0")` makes an environment.

`import wbridge.gym` registers the tasks that come with wbridge, and those of other packages: their entry
points of the group `wbridge.tasks`, each with an id and the place of a task. No task is imported
before it is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points

import gymnasium

__all__ = ["GROUP", "SAMPLES", "register_all", "register_task"]

GROUP = "wbridge.tasks"
NAMESPACE = "wbridge"
SAMPLES = {
    "EpuckArena-v0": "epuck_arena:EpuckArena",
    "LineFollowing-v0": "line_following:LineFollowing",
    "ArmReach-v0": "arm_reach:ArmReach",
    "NaoStand-v0": "nao_stand:NaoStand",
    "TwoWheelsExplore-v0": "two_wheels_explore:TwoWheelsExplore",
}
"""The module and class of each task that comes with wbridge."""


def register_task(env_id: str, task: str) -> None:
    """Register a task; a second registration of an id replaces the first one.

    Args:
        env_id: "NAMESPACE/NAME-v0".
        task: "package.module:Class", a `DeclaredTask`; imported when an environment is made.
    """
    gymnasium.registry.pop(env_id, None)
    gymnasium.register(
        env_id,
        entry_point="wbridge.learning.environments:make_env",
        vector_entry_point="wbridge.learning.environments:make_vector_env",
        kwargs={"task": task},
    )


def register_all(points: Iterable[EntryPoint] | None = None) -> None:
    """Register the tasks that come with wbridge, and those of other packages.

    Args:
        points: of other packages; None: of all installed ones.
    """
    for name, place in SAMPLES.items():
        register_task(f"{NAMESPACE}/{name}", f"wbridge.learning.tasks.{place}")
    for point in entry_points(group=GROUP) if points is None else points:
        register_task(point.name, point.value)
