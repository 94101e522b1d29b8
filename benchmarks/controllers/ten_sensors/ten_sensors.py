"""Reads ten sensors of an e-puck in each step, and turns on the spot."""

import math

from controller import Robot

robot = Robot()
step = int(robot.getBasicTimeStep())
names = [*(f"ps{i}" for i in range(8)), "accelerometer", "gyro"]
sensors = [robot.getDevice(name) for name in names]
for sensor in sensors:
    sensor.enable(step)
for name, velocity in (("left wheel motor", 1.0), ("right wheel motor", -1.0)):
    motor = robot.getDevice(name)
    motor.setPosition(math.inf)
    motor.setVelocity(velocity)
while robot.step(step) != -1:
    for sensor in sensors[:8]:
        sensor.getValue()
    for sensor in sensors[8:]:
        sensor.getValues()
