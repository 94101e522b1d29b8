"""Your part: let the e-puck follow the wall on its right.

Eight proximity sensors look around: ps0 and ps7 ahead, ps1 ahead to the right, ps2 to the right, ps5 to the
left. The nearer something is, the larger their values: about 70 far from everything, 100 at 6 cm, and 1000 at
1 cm.
"""

from controller import Robot

robot = Robot()
step = int(robot.getBasicTimeStep())
left = robot.getDevice("left wheel motor")
right = robot.getDevice("right wheel motor")
for motor in (left, right):
    motor.setPosition(float("inf"))
    motor.setVelocity(0)
sensors = [robot.getDevice(f"ps{number}") for number in range(8)]
for sensor in sensors:
    sensor.enable(step)

while robot.step(step) != -1:
    values = [sensor.getValue() for sensor in sensors]
    # Drives straight ahead, into the next wall. What must the wheels do if ps0 or ps7 see it?
    left.setVelocity(3)
    right.setVelocity(3)
