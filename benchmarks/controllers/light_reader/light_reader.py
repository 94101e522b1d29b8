"""Reads the robot's light sensors in each step; with the argument "off", they stay off."""

import sys

from controller import Robot

robot = Robot()
step = int(robot.getBasicTimeStep())
sensors = [robot.getDevice(f"ls{number}") for number in range(0 if "off" in sys.argv else 8)]
for sensor in sensors:
    sensor.enable(step)
total = 0.0
while robot.step(step) != -1:
    for sensor in sensors:
        total += sensor.getValue()
