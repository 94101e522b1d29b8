"""The robot link: messages about a device table, and how they travel between a controller and a robot.

docs/robot-link.md specifies it byte by byte. `messages` and `values` are the codec, `framing` cuts streams of
bytes into messages, `slave` is the robot's end and `master` the controller's, `transports` are the wires.
Firmware speaks the same bytes; `vectors.json` holds examples of them.
"""
