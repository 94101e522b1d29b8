"""Looks for a red ball with the camera, and drives to it.

Needs OpenCV: pip install opencv-python-headless
"""

import cv2
import numpy as np

from controller import Robot

SEARCH_SPEED = 1.5  # rad/s of the wheels while the robot turns on the spot
CRUISE_SPEED = 4.0
GAIN = 4.0  # rad/s of the wheels when the ball is at the edge of the picture
NEAR = 0.35  # the ball's share of the picture's width at which the robot stops

robot = Robot()
step = int(robot.getBasicTimeStep())
camera = robot.getDevice("camera")
camera.enable(2 * step)
wheels = [robot.getDevice(f"{side} wheel motor") for side in ("left", "right")]
for wheel in wheels:
    wheel.setPosition(float("inf"))
    wheel.setVelocity(0.0)


def red_area():
    """Return the middle (-1 left to 1 right) and the width (0 to 1) of what is red; None without any."""
    width, height = camera.getWidth(), camera.getHeight()
    picture = np.frombuffer(camera.getImage(), np.uint8).reshape(height, width, 4)
    colors = cv2.cvtColor(picture[:, :, :3], cv2.COLOR_BGR2HSV)
    # Red is at both ends of the circle of hues.
    mask = cv2.inRange(colors, (0, 150, 60), (8, 255, 255)) | cv2.inRange(
        colors, (172, 150, 60), (180, 255, 255)
    )
    x, _, wide, _ = cv2.boundingRect(mask)
    if cv2.countNonZero(mask) < 4:
        return None
    return (2 * x + wide) / width - 1, wide / width


robot.step(3 * step)
while robot.step(step) != -1:
    found = red_area()
    if found is None:
        left, right = -SEARCH_SPEED, SEARCH_SPEED
    elif found[1] >= NEAR:
        print(f"found the red ball after {robot.getTime():.1f} s")
        left = right = 0.0
    else:
        left, right = CRUISE_SPEED + GAIN * found[0], CRUISE_SPEED - GAIN * found[0]
    for wheel, speed in zip(wheels, (left, right)):
        wheel.setVelocity(max(-6.28, min(speed, 6.28)))
    if found is not None and found[1] >= NEAR:
        break
robot.step(step)
