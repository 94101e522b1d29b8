"""Drives a conveyor belt at a speed (first argument, m/s) for a time (second argument, s; 0: for ever)."""

import sys

from controller import Robot

speed = float(sys.argv[1]) if len(sys.argv) > 1 else 0.5
duration = float(sys.argv[2]) if len(sys.argv) > 2 else 0

robot = Robot()
step = int(robot.getBasicTimeStep())
belt = robot.getDevice("belt_motor")
belt.setPosition(float("inf"))
belt.setVelocity(speed)
while robot.step(step) != -1:
    if 0 < duration <= robot.getTime():
        belt.setVelocity(0)
        break
