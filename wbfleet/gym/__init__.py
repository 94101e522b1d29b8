"""Environments for learning: robots of a world behind the interfaces of Gymnasium and PettingZoo.

from wbridge.wbfleet.gym import RobotEnv, Task, Verdict

class Forward(Task):
    def judge(self, simulation, robot, action):
        return Verdict(float(simulation.node("ROBOT").linear_velocity[0]))

env = RobotEnv("worlds/two_wheels.wbt", Forward(), episode_s=10)
"""

from wbridge.wbfleet.gym.controls import Controls
from wbridge.wbfleet.gym.env import RobotEnv
from wbridge.wbfleet.gym.readings import Readings
from wbridge.wbfleet.gym.supervisor_task import SupervisorTask
from wbridge.wbfleet.gym.task import Task, VectorTask, Verdict
from wbridge.wbfleet.gym.vector_env import RobotVectorEnv

__all__ = ["Controls", "Readings", "RobotEnv", "RobotVectorEnv", "SupervisorTask", "Task", "VectorTask"]
__all__ += ["Verdict"]
