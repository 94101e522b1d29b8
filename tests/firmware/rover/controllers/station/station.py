"""Answers each report of the rover with an order: a count, and the report's bytes reversed."""

from controller import Robot

STEP_MS = 16

robot = Robot()
orders, report = robot.getDevice("orders"), robot.getDevice("report")
report.enable(STEP_MS)
count = 0
while robot.step(STEP_MS) != -1:
    while report.getQueueLength():
        count += 1
        orders.send(bytes([count % 256]) + report.getBytes()[::-1])
        report.nextPacket()
