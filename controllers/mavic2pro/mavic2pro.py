"""Flies a Mavic 2 Pro around a square, 1.5 m above the ground, and keeps its camera level.

Place and heading come from GPS and inertial unit. Errors of place become angles to lean at, errors of these
become differences between the speeds of the propellers.
"""

from math import cos, inf, sin

from controller import Robot

POINTS = [(0, 0), (2, 0), (2, 2), (0, 2), (0, 0)]
HEIGHT = 1.5
HOVER = 69.1  # rad/s at which the propellers carry the robot

robot = Robot()
step = int(robot.getBasicTimeStep())
gps, inertia, gyro = (robot.getDevice(name) for name in ("gps", "inertial unit", "gyro"))
for sensor in (gps, inertia, gyro):
    sensor.enable(step)
names = ("front left", "front right", "rear left", "rear right")
propellers = [robot.getDevice(f"{name} propeller") for name in names]
for propeller in propellers:
    propeller.setPosition(inf)
    propeller.setVelocity(0)
camera_roll, camera_pitch = robot.getDevice("camera roll"), robot.getDevice("camera pitch")
leds = [robot.getDevice(f"front {side} led") for side in ("left", "right")]


def limited(value, limit):
    """Return a value between -limit and limit."""
    return max(-limit, min(limit, value))


def fly_to(x, y):
    """Turn the propellers for one step on the way to a point; returns the distance to it."""
    global before
    roll, pitch, yaw = inertia.getRollPitchYaw()
    roll_rate, pitch_rate, yaw_rate = gyro.getValues()
    place = gps.getValues()
    speed = [(now - then) * 1000 / step for now, then in zip(place, before)]
    before = place
    east, north = (0.15 * limited(goal - at, 1) - 0.2 * v for goal, at, v in zip((x, y), place, speed))
    lean_ahead, lean_left = cos(yaw) * east + sin(yaw) * north, cos(yaw) * north - sin(yaw) * east
    lift = HOVER + 8 * limited(HEIGHT - place[2], 1) - 8 * speed[2]
    pitch_input = 40 * (pitch - limited(lean_ahead, 0.25)) + 6 * pitch_rate
    roll_input = 40 * (roll + limited(lean_left, 0.25)) + 6 * roll_rate
    yaw_input = -3 * yaw - 3 * yaw_rate
    propellers[0].setVelocity(lift - roll_input + pitch_input - yaw_input)
    propellers[1].setVelocity(-(lift + roll_input + pitch_input + yaw_input))
    propellers[2].setVelocity(-(lift - roll_input - pitch_input + yaw_input))
    propellers[3].setVelocity(lift + roll_input - pitch_input - yaw_input)
    camera_roll.setPosition(limited(-roll, 0.5))
    camera_pitch.setPosition(limited(-pitch, 0.5))
    for side, led in enumerate(leds):
        led.set((int(2 * robot.getTime()) + side) % 2)
    return ((x - place[0]) ** 2 + (y - place[1]) ** 2 + (HEIGHT - place[2]) ** 2) ** 0.5


robot.step(step)
before = gps.getValues()
for x, y in POINTS:
    while robot.step(step) != -1 and fly_to(x, y) > 0.15:
        pass
    print(f"at {x} {y} m, {gps.getValues()[2]:.1f} m high, after {robot.getTime():.1f} s", flush=True)
while robot.step(step) != -1:
    fly_to(*POINTS[-1])
