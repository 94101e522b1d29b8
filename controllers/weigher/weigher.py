"""Prints the weight that the physics plugin measures at the contacts of the scales' pan."""

import struct

from controller import Robot

SETTLED_S = 2.0

robot = Robot()
step = int(robot.getBasicTimeStep())
receiver = robot.getDevice("receiver")
receiver.enable(step)

weight = 0.0
while robot.step(step) != -1 and robot.getTime() < SETTLED_S:
    while receiver.getQueueLength() > 0:
        (weight,) = struct.unpack("d", receiver.getBytes())
        receiver.nextPacket()

print(f"the load weighs {weight:.3f} N")
