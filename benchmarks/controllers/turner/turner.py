"""Turns an e-puck on the spot, reads its infra-red sensors in each step, and lets an LED blink."""

import math

from controller import Robot

SPEED = 3.0
robot = Robot()
step = int(robot.getBasicTimeStep())
motors = [robot.getDevice(f"{side} wheel motor") for side in ("left", "right")]
sensors = [robot.getDevice(f"ps{number}") for number in range(8)]
for sensor in sensors:
    sensor.enable(step)
for motor in motors:
    motor.setPosition(math.inf)
led = robot.getDevice("led0")
count, total = 0, 0.0
while robot.step(step) != -1:
    count += 1
    for sensor in sensors:
        total += sensor.getValue()
    led.set(count // 20 % 2)
    motors[0].setVelocity(SPEED)
    motors[1].setVelocity(-SPEED)
