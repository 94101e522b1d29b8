"""A Gymnasium environment in the program of a supervisor; prints how many steps per second it makes."""

import json
import math
import time

import gymnasium
import numpy as np
from gymnasium.spaces import Box

from controller import Supervisor

SLICE_S, SLICES, JOINTS = 0.05, 40, ("base", "shoulder", "elbow")


class ArmEnvironment(gymnasium.Env):
    """The arm, driven by velocity."""

    def __init__(self):
        self.robot = Supervisor()
        self.step_ms = int(self.robot.getBasicTimeStep())
        self.motors = [self.robot.getDevice(f"{one} motor") for one in JOINTS]
        self.sensors = [self.robot.getDevice(f"{one} sensor") for one in JOINTS]
        high = np.array([one.getMaxVelocity() for one in self.motors], np.float32)
        self.action_space = Box(-high, high)
        self.observation_space = Box(-np.inf, np.inf, (len(JOINTS),), np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.robot.simulationReset()
        for motor, sensor in zip(self.motors, self.sensors, strict=True):
            motor.setPosition(math.inf)
            motor.setVelocity(0)
            sensor.enable(self.step_ms)
        self.robot.step(self.step_ms)
        return self.observed(), {}

    def observed(self):
        return np.array([one.getValue() for one in self.sensors], np.float32)

    def step(self, action):
        numbers = np.clip(np.asarray(action, np.float32), self.action_space.low, self.action_space.high)
        for motor, velocity in zip(self.motors, numbers.tolist(), strict=True):
            motor.setVelocity(velocity)
        self.robot.step(self.step_ms)
        observation = self.observed()
        return observation, -float(np.square(observation).sum()), False, False, {}


env = ArmEnvironment()
env.reset(seed=1)
actions = [env.action_space.sample() for _ in range(16)]
rates = []
for _ in range(SLICES):
    count, start = 0, time.perf_counter()
    while time.perf_counter() - start < SLICE_S:
        env.step(actions[count // 8 % 16])
        count += 1
    rates.append(count / (time.perf_counter() - start))
print(json.dumps({"steps per second": max(rates)}))
