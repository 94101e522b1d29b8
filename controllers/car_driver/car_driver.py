"""Drives a car: speeds up, changes to the left lane with its indicator on, drives straight on, and stops.

Prints a line each second and ends when the car has stopped.
"""

from vehicle import Driver

CRUISING = 50.0  # km/h
CHANGE, BACK, STRAIGHT, BRAKING = 6.0, 7.2, 8.4, 10.0  # s
ANGLE = 0.04  # rad; negative is left

driver = Driver()
driver.setCruisingSpeed(CRUISING)
driver.setDippedBeams(True)


def steering(now):
    """The steering angle at a time."""
    if CHANGE <= now < BACK:
        return -ANGLE
    return ANGLE if BACK <= now < STRAIGHT else 0.0


second = 0
while driver.step() != -1:
    now, speed = driver.getTime(), driver.getCurrentSpeed()
    driver.setSteeringAngle(steering(now))
    changing = CHANGE - 1 <= now < STRAIGHT
    if changing != (driver.getIndicator() == Driver.INDICATOR_LEFT):
        driver.setIndicator(Driver.INDICATOR_LEFT if changing else Driver.INDICATOR_OFF)
    if now >= BRAKING and not driver.getBrakeIntensity():
        driver.setThrottle(0)
        driver.setBrakeIntensity(0.5)
    if now >= second + 1:
        second += 1
        print(f"{second:2d} s: {speed:5.1f} km/h, steering {driver.getSteeringAngle():5.2f} rad")
    if now > BRAKING and abs(speed) < 0.1:
        print(f"the car stopped after {now - BRAKING:.1f} s of braking")
        break
