"""Flies a Crazyflie forward half a meter above the ground until something is near, and back.

The range sensor ahead sees the obstacle. Place comes from GPS, attitude from the inertial unit; errors become
differences between the speeds of the four motors.
"""

from math import inf

from controller import Robot

HEIGHT, NEAR, SPEED = 0.5, 0.5, 0.3
HOVER = 55.36  # rad/s at which the propellers carry the robot
# Per motor: its sense, and whether it is in front and on the left.
MOTORS = {"m1": (-1, 1, -1), "m2": (1, -1, -1), "m3": (-1, -1, 1), "m4": (1, 1, 1)}

robot = Robot()
step = int(robot.getBasicTimeStep())
gps, inertia, gyro, ahead = (
    robot.getDevice(name) for name in ("gps", "inertial_unit", "gyro", "range_front")
)
for sensor in (gps, inertia, gyro, ahead):
    sensor.enable(step)
motors = {name: robot.getDevice(f"{name}_motor") for name in MOTORS}
for motor in motors.values():
    motor.setPosition(inf)
    motor.setVelocity(0)


def limited(value, limit):
    """Return a value between -limit and limit."""
    return max(-limit, min(limit, value))


def fly(speed):
    """Turn the motors for one step at a wanted speed in m/s along x; keeps y, height and heading."""
    global before
    roll, pitch, yaw = inertia.getRollPitchYaw()
    rates = gyro.getValues()
    place = gps.getValues()
    vx, vy, vz = ((now - then) * 1000 / step for now, then in zip(place, before))
    before = place
    lift = HOVER + 10 * limited(HEIGHT - place[2], 0.5) - 8 * vz
    pitch_input = 8 * (pitch - limited(0.4 * (speed - vx), 0.3)) + 1.5 * rates[1]
    roll_input = 8 * (roll + limited(-0.2 * place[1] - 0.4 * vy, 0.3)) + 1.5 * rates[0]
    yaw_input = -2 * yaw - 2 * rates[2]
    for name, (sense, front, left) in MOTORS.items():
        spin = lift + front * pitch_input - left * roll_input - sense * yaw_input
        motors[name].setVelocity(sense * spin)


robot.step(step)
before = gps.getValues()
while robot.step(step) != -1 and before[2] < HEIGHT - 0.05:
    fly(0)
print(f"{before[2]:.2f} m high after {robot.getTime():.1f} s", flush=True)
while robot.step(step) != -1 and ahead.getValue() > 1000 * NEAR:
    fly(SPEED)
print(f"{ahead.getValue() / 1000:.2f} m before the wall, at {before[0]:.2f} m", flush=True)
while robot.step(step) != -1 and before[0] > 0.03:
    fly(limited(-before[0], SPEED))
print(f"back after {robot.getTime():.1f} s", flush=True)
while robot.step(step) != -1:
    fly(limited(-before[0], SPEED))
