"""Reads all sensors and sets all motors in each step, to positions or velocities around a target."""

import math
import sys

from controller import Motor, Robot

target, is_velocity = float(sys.argv[1]), sys.argv[2] == "velocity"
robot = Robot()
step = int(robot.getBasicTimeStep())
devices = [robot.getDeviceByIndex(index) for index in range(robot.getNumberOfDevices())]
motors = [one for one in devices if isinstance(one, Motor)]
sensors = [one for one in devices if not isinstance(one, Motor)]
for sensor in sensors:
    sensor.enable(step)
if is_velocity:
    for motor in motors:
        motor.setPosition(math.inf)
offset, total = 0.01, 0.0
while robot.step(step) != -1:
    offset = -offset
    for sensor in sensors:
        total += sensor.getValue()
    for motor in motors:
        if is_velocity:
            motor.setVelocity(target + offset)
        else:
            motor.setPosition(target + offset)
