"""Explores an arena with a lidar and draws a map of it: "#" is an obstacle, "." is free, " " is unknown.

The position follows from the wheels and the compass. Each scan marks the cells where rays end, and those that
they pass.
"""

from math import atan2, cos, inf, pi, sin

import numpy as np

from controller import Robot

WHEEL, SPEED = 0.033, 4.5  # m; rad/s
CELL, SIDE = 0.1, 44  # m; cells of the map in each direction
FAR, NEAR, VIEW = 0.6, 0.4, pi / 5  # m ahead: turn from NEAR on until FAR is free; half the angle that counts
PRINT_S = 20

robot = Robot()
step = 5 * int(robot.getBasicTimeStep())
motors = [robot.getDevice(f"{side} wheel motor") for side in ("left", "right")]
wheels = [robot.getDevice(f"{side} wheel sensor") for side in ("left", "right")]
lidar, compass = robot.getDevice("LDS-01"), robot.getDevice("compass")
for motor in motors:
    motor.setPosition(inf)
    motor.setVelocity(0)
for sensor in (*wheels, compass, lidar):
    sensor.enable(step)

count, fov = lidar.getHorizontalResolution(), lidar.getFov()
angles = fov / 2 - (np.arange(count) + 0.5) * fov / count  # to the left of straight ahead
rays = np.stack([np.cos(angles), np.sin(angles)])
ahead, on_left = np.abs(angles) < VIEW, (angles > 0) & (angles < pi / 2)
on_right = on_left[::-1]
passed, ended = np.zeros((SIDE, SIDE), int), np.zeros((SIDE, SIDE), int)


def mark(cells, place, heading, distances, directions):
    """Count the cells at distances along rays that start at a place."""
    c, s = cos(heading), sin(heading)
    points = place[:, None] + np.array([[c, -s], [s, c]]) @ (directions * distances)
    x, y = np.floor(points / CELL).astype(int) + SIDE // 2
    inside = (x >= 0) & (x < SIDE) & (y >= 0) & (y < SIDE)
    np.add.at(cells, (x[inside], y[inside]), 1)


def add_scan(place, heading, ranges):
    """Mark where rays end, and what they pass until shortly before."""
    hit = np.isfinite(ranges)
    mark(ended, place, heading, ranges[hit], rays[:, hit])
    reach = np.where(hit, ranges, lidar.getMaxRange()) - CELL
    for distance in np.arange(CELL, lidar.getMaxRange(), CELL):
        mark(passed, place, heading, distance, rays[:, reach > distance])


def draw():
    """Print the map, with x to the right and y up."""
    signs = np.where(ended * 4 > passed, "#", ".")
    signs[ended + passed == 0] = " "
    for row in signs.T[::-1]:
        print("".join(row))


place, turn, next_print, former = np.zeros(2), 0, PRINT_S, None
while robot.step(step) != -1:
    north = compass.getValues()
    heading = atan2(north[0], north[1])  # from x to y, because north is y
    now = np.array([wheel.getValue() for wheel in wheels])
    if former is not None:
        place += np.mean(now - former) * WHEEL * np.array([cos(heading), sin(heading)])
    former = now
    ranges = np.array(lidar.getRangeImage())
    if turn == 0:  # while turning, the compass and the scan differ too much
        add_scan(place, heading, ranges)
    limit = NEAR if turn == 0 else FAR
    if ranges[ahead].min() > limit:
        turn = 0
    elif turn == 0:
        turn = 1 if np.minimum(ranges[on_left], 3.5).mean() > np.minimum(ranges[on_right], 3.5).mean() else -1
    for motor, side in zip(motors, (-1, 1)):
        motor.setVelocity(SPEED if turn == 0 else side * turn * SPEED / 3)
    if robot.getTime() >= next_print:
        next_print += PRINT_S
        print(f"{robot.getTime():.0f} s, at {place[0]:.2f} {place[1]:.2f} m")
        draw()
