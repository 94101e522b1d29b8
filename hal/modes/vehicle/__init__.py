"""The vehicle library: a car with wheels, an engine and lights, driven like one. Built on a robot's devices.

The models of cars tell their figures in the field `customData` of the robot and name their devices all alike,
so a controller says how fast and where to, and the library commands the motors, brakes and lamps.
"""
