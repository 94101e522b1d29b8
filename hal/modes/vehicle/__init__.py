"""The vehicle library: drives a car with wheels, an engine and lights through the devices of a robot.

Car models store their parameters in the robot's field `customData` and share the names of their devices. From
a controller's speed and steering angle the library commands the motors, brakes and lights.
"""
