"""A controller that drives a car in plain Webots style and prints what it reads, one JSON line per step.

It runs with the official library and with this project's, so it may only use what both offer. Its twins in C
and C++ are in tests/c/controllers (driving, driving_classes): they print the same lines.
"""

import json

from vehicle import Car, Driver

STEPS = 600
SENSORS = [f"{side}_{axle}_sensor" for axle in ("front", "rear") for side in ("right", "left")] + [
    "wiper_sensor"
]
LAMPS = (
    "right_indicators left_indicators front_lights rear_lights brake_lights backwards_lights antifog_lights"
)
MOTORS = "right_wiper_motor left_wiper_motor steering_wheel_motor rpm_needle_motor speed_needle_motor".split()
MOTORS += ["indicator_lever_motor"]

car = Car()
sensors = [car.getDevice(name) for name in SENSORS]
for one in sensors:
    one.enable(10)
lamps = [car.getDevice(name) for name in LAMPS.split()]
motors = [car.getDevice(name) for name in MOTORS]
WHEELS = (car.WHEEL_FRONT_RIGHT, car.WHEEL_FRONT_LEFT, car.WHEEL_REAR_RIGHT, car.WHEEL_REAR_LEFT)


def indicate(state):
    """Switch the indicators. Webots' package misspells the name of the function that does it."""
    if Driver.api is None:
        car.setIndicator(state)
    else:
        Driver.api.wbu_driver_set_indicator(state)


def command(count):
    """What the driver does in a step."""
    if count == 5:
        car.setCruisingSpeed(30)
        car.setHazardFlashers(True)
        car.setWiperMode(car.NORMAL)
    if count == 60:
        car.setHazardFlashers(False)
        car.setIndicatorPeriod(0.21)
        indicate(car.INDICATOR_RIGHT)
    if count == 100:
        car.setSteeringAngle(0.1)
    if count == 150:
        car.setSteeringAngle(0.2)
        car.setWiperMode(car.FAST)
    if count == 190:
        car.setSteeringAngle(0.05)  # the indicator ends
    if count == 220:
        car.setSteeringAngle(-0.05)
        car.setThrottle(0.6)
        car.setGear(1)
        car.setDippedBeams(True)
        car.antifog_lights = True
    if count == 260:
        car.enableIndicatorAutoDisabling(False)
        indicate(car.INDICATOR_LEFT)
        car.setSteeringAngle(-0.2)
        car.setWiperMode(car.SLOW)
    if count == 300:
        car.setGear(car.getGearNumber() - 1)  # the last one: the number counts reverse
        car.setSteeringAngle(0)
        car.enableLimitedSlipDifferential(False)
    if count == 350:
        car.setThrottle(0)
        car.setBrakeIntensity(0.7)
        indicate(car.INDICATOR_OFF)
    if count == 400:
        car.setRightSteeringAngle(0.15)
        car.setLeftSteeringAngle(0.12)
        car.setWiperMode(car.DOWN)
    if count == 480:
        car.setBrakeIntensity(0)
        car.setGear(-1)
        car.setThrottle(0.4)
        car.antifog_lights = False
    if count == 540:
        car.setCruisingSpeed(-5)


figures = {
    "kind": [car.getType(), car.getEngineType(), car.getGearNumber()],
    "lengths": [car.getWheelbase(), car.getTrackFront(), car.getTrackRear()],
    "radii": [car.getFrontWheelRadius(), car.getRearWheelRadius()],
}
print(json.dumps(figures))
for count in range(STEPS):
    if car.step() == -1:
        break
    command(count)
    engine = car.getControlMode() == car.TORQUE
    row = {
        "time": car.getTime(),
        "speed": car.getCurrentSpeed(),
        "angles": [car.getSteeringAngle(), car.getRightSteeringAngle(), car.getLeftSteeringAngle()],
        "positions": [one.getValue() for one in sensors],
        "encoders": [car.getWheelEncoder(one) for one in WHEELS],
        "speeds": [car.getWheelSpeed(one) for one in WHEELS],
        "lamps": [one.get() for one in lamps],
        "motors": [one.getTargetPosition() for one in motors],
        "lights": [
            car.getBackwardsLights(),
            car.getBrakeLights(),
            car.getDippedBeams(),
            car.getAntifogLights(),
        ],
        "indicator": [car.getIndicator(), car.getHazardFlashers(), car.getIndicatorPeriod()],
        "mode": car.getControlMode(),
        "wipers": car.getWiperMode(),
        "brake": car.getBrakeIntensity(),
        "targets": [car.getTargetCruisingSpeed(), car.getThrottle()],
        "engine": [car.getRpm(), car.getGear()] if engine else [],
    }
    print(json.dumps(row))
