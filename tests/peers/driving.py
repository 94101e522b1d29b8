"""A controller that drives a car in plain Webots style and prints what it reads, one JSON line per step.

It runs with the official library and with this project's, so it may only use what both offer.
"""

import json

from vehicle import Driver

STEPS = 600
SENSORS = [f"{side}_{axle}_sensor" for axle in ("front", "rear") for side in ("right", "left")]
LAMPS = "right_indicators left_indicators front_lights rear_lights brake_lights backwards_lights".split()

car = Driver()
sensors = [car.getDevice(name) for name in SENSORS]
for one in sensors:
    one.enable(10)
lamps = [car.getDevice(name) for name in LAMPS]


def command(count):
    """What the driver does in a step."""
    if count == 5:
        car.setCruisingSpeed(30)
        car.setHazardFlashers(True)
    if count == 150:
        car.setSteeringAngle(0.2)
        car.setHazardFlashers(False)
    if count == 220:
        car.setSteeringAngle(-0.05)
        car.setThrottle(0.6)
        car.setGear(1)
        car.setDippedBeams(True)
    if count == 300:
        car.setGear(car.getGearNumber() - 1)  # the last one: the number counts reverse
    if count == 350:
        car.setThrottle(0)
        car.setBrakeIntensity(0.7)
    if count == 480:
        car.setBrakeIntensity(0)
        car.setGear(-1)
        car.setThrottle(0.4)
    if count == 540:
        car.setCruisingSpeed(-5)


for count in range(STEPS):
    if car.step() == -1:
        break
    command(count)
    row = {
        "time": car.getTime(),
        "speed": car.getCurrentSpeed(),
        "angle": car.getSteeringAngle(),
        "positions": [one.getValue() for one in sensors],
        "lamps": [one.get() for one in lamps],
        "mode": car.getControlMode(),
        "brake": car.getBrakeIntensity(),
        "targets": [car.getTargetCruisingSpeed(), car.getThrottle()],
        "engine": [car.getRpm(), car.getGear()] if car.getControlMode() == Driver.TORQUE else [],
    }
    print(json.dumps(row))
