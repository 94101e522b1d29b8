"""Does what another robot tells by radio; stops when it hears nothing for half a second."""

import struct

from controller import Robot

PATIENCE = 0.5  # s

robot = Robot()
step = int(robot.getBasicTimeStep())
motors = [robot.getDevice(f"{side} wheel motor") for side in ("left", "right")]
receiver = robot.getDevice("receiver")
receiver.enable(step)
for motor in motors:
    motor.setPosition(float("inf"))
    motor.setVelocity(0)

heard, last, strength = 0, robot.getTime(), 0.0
while robot.step(step) != -1:
    while receiver.getQueueLength() > 0:
        for motor, speed in zip(motors, struct.unpack("dd", receiver.getBytes())):
            motor.setVelocity(speed)
        strength = receiver.getSignalStrength()
        receiver.nextPacket()
        heard, last = heard + 1, robot.getTime()
    if robot.getTime() - last > PATIENCE:
        break
for motor in motors:
    motor.setVelocity(0)
robot.step(step)
if heard:
    print(f"heard {heard} messages, the last one from {strength**-0.5:.2f} m")
else:
    print("heard nothing")
