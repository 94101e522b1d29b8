"""Flies a blimp to an altitude and around: the physics plugin turns the thrusts that it sends into forces."""

import struct

from controller import Robot

ALTITUDE_M = 2.0
END_S = 30.0

robot = Robot()
step = int(robot.getBasicTimeStep())
gps = robot.getDevice("gps")
gps.enable(step)
emitter = robot.getDevice("emitter")

while robot.step(step) != -1 and robot.getTime() < END_S:
    lift = 0.5 * (ALTITUDE_M - gps.getValues()[2])
    emitter.send(struct.pack("3f", 0.2, max(-0.3, min(0.3, lift)), 0.01))

x, y, z = gps.getValues()
print(f"after {END_S:g} s: {z:.2f} m up, at {gps.getSpeed():.2f} m/s")
