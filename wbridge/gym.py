"""Environments for learning; docs/learning.md shows how to use them.

Importing this module registers tasks with Gymnasium.
"""

from wbridge.learning.datasets.dataset_env import DatasetEnv
from wbridge.learning.datasets.layout import DatasetError
from wbridge.learning.datasets.reader import Dataset, Episode, read_dataset
from wbridge.learning.datasets.writer import DatasetWriter
from wbridge.learning.declared_task import DeclaredTask
from wbridge.learning.environments import make_env, make_vector_env
from wbridge.learning.recorded_env import RecordedEnv
from wbridge.learning.registry import register_all, register_task
from wbridge.learning.seen import Seen
from wbridge.learning.terms import End, Goal, Push, Reward, Truth, Vary
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
from wbridge.wbfleet.gym.episodes import Settings

__all__ = ["Controls", "DeclaredTask", "End", "Goal", "Push", "Readings", "RecordedEnv", "Reward", "RobotEnv"]
__all__ += ["RobotVectorEnv", "Seen", "Settings", "SupervisorTask", "Task", "Truth", "Vary", "VectorTask"]
__all__ += ["Dataset", "DatasetEnv", "DatasetError", "DatasetWriter", "Episode", "read_dataset"]
__all__ += ["Verdict", "make_env", "make_vector_env", "register_task"]

register_all()
