"""Reads all sensors of joints, and with the argument "moving" swings all motors about where they are."""

import math
import sys

from controller import Motor, PositionSensor, Robot

SWING = 0.1
"""rad or m"""
TURNS_PER_S = 0.5

robot = Robot()
step = int(robot.getBasicTimeStep())
devices = [robot.getDeviceByIndex(i) for i in range(robot.getNumberOfDevices())]
sensors = [device for device in devices if isinstance(device, PositionSensor)]
motors = [device for device in devices if isinstance(device, Motor)] if "moving" in sys.argv else []
limits = [(motor.getMinPosition(), motor.getMaxPosition()) for motor in motors]
limits = [(low, high) if low < high else (-math.inf, math.inf) for low, high in limits]
for sensor in sensors:
    sensor.enable(step)
while robot.step(step) != -1:
    readings = [sensor.getValue() for sensor in sensors]
    phase = math.sin(2 * math.pi * TURNS_PER_S * robot.getTime())
    for number, (motor, (low, high)) in enumerate(zip(motors, limits, strict=True)):
        motor.setPosition(min(max(SWING * phase * (-1) ** number, low), high))
