"""Environments for learning; docs/learning.md shows how to use them."""

from wbridge.wbfleet.gym import (
    Controls,
    Readings,
    RobotEnv,
    RobotVectorEnv,
    SupervisorTask,
    Task,
    VectorTask,
    Verdict,
)

__all__ = ["Controls", "Readings", "RobotEnv", "RobotVectorEnv", "SupervisorTask", "Task", "VectorTask"]
__all__ += ["Verdict"]
