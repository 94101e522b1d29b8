"""Sets the wheel speeds received by radio from another robot; stops after 0.5 s without a message."""

import struct

from controller import Robot

TIMEOUT = 0.5  # s

robot = Robot()
step = int(robot.getBasicTimeStep())
motors = [robot.getDevice(f"{side} wheel motor") for side in ("left", "right")]
receiver = robot.getDevice("receiver")
receiver.enable(step)
for motor in motors:
    motor.setPosition(float("inf"))
    motor.setVelocity(0)

received, last, strength = 0, robot.getTime(), 0.0
while robot.step(step) != -1:
    while receiver.getQueueLength() > 0:
        for motor, speed in zip(motors, struct.unpack("dd", receiver.getBytes())):
            motor.setVelocity(speed)
        strength = receiver.getSignalStrength()
        receiver.nextPacket()
        received, last = received + 1, robot.getTime()
    if robot.getTime() - last > TIMEOUT:
        break
for motor in motors:
    motor.setVelocity(0)
robot.step(step)
if received:
    print(f"received {received} messages, the last one from {strength**-0.5:.2f} m")
else:
    print("received no messages")
