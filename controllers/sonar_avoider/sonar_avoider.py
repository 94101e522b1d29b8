"""Drives a Pioneer around obstacles by its sixteen sonars: each near echo slows the wheels of the other side.

Runs on the Pioneer 3-DX with two motors and on the Pioneer 3-AT with four.
"""

from controller import Robot

CRUISING, SPIN, FASTEST = 5.0, 2.5, 6.4  # rad/s
TURN = 4.0  # rad/s for each unit of echo
NEAR = 819.0  # value of the sonars at 1 m; 1024 at contact
# Sonars at the front, from the left to the right, and how much each turns the robot away.
FRONT = {0: 0.4, 1: 0.7, 2: 1.0, 3: 1.4, 4: -1.6, 5: -1.0, 6: -0.7, 7: -0.4}

robot = Robot()
step = int(robot.getBasicTimeStep())
sonars = {number: robot.getDevice(f"so{number}") for number in FRONT}
for sonar in sonars.values():
    sonar.enable(step)
motors = [name for name in robot.devices if name.endswith("wheel")]
left = [robot.getDevice(name) for name in motors if "left" in name]
right = [robot.getDevice(name) for name in motors if "right" in name]
for motor in left + right:
    motor.setPosition(float("inf"))
    motor.setVelocity(0)

second, spinning = 0, False
while robot.step(step) != -1:
    echoes = {number: max(0.0, (sonar.getValue() - NEAR) / (1024 - NEAR)) for number, sonar in sonars.items()}
    turn = sum(FRONT[number] * echo for number, echo in echoes.items())
    nearest = max(echoes, key=echoes.get)
    # What is near ahead is left behind by turning on the spot until the way is free, also out of corners.
    spinning = echoes[nearest] > (0.1 if spinning else 0.4)
    forward, turn = (0.0, SPIN) if spinning else (CRUISING * (1 - echoes[nearest]), TURN * turn)
    for motor in left:
        motor.setVelocity(max(-FASTEST, min(FASTEST, forward + turn)))
    for motor in right:
        motor.setVelocity(max(-FASTEST, min(FASTEST, forward - turn)))
    if robot.getTime() >= second + 10:
        second += 10
        print(f"{robot.getName()} at {second} s: strongest echo {echoes[nearest]:.2f} of so{nearest}")
