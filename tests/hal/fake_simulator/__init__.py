"""A small simulator that speaks Webots' controller protocol, written without our own protocol code.

    python -m tests.hal.fake_simulator [--dialect R2025a|R2023b|R2023a] [--port 1234] [--once] [--max-steps N]

It serves one robot with an <extern> controller over local sockets and TCP at the same time, also to the
official libraries. There is no physics: motors follow their targets, and sensors return formulas.

Devices: "left motor", "right motor" (RotationalMotor), "left sensor", "right sensor" (PositionSensor), "ds"
(DistanceSensor), "gps", "led", "emitter", "receiver" (hears the emitter), "camera" (16 by 8 pixels).
Scene: the root's children are WorldInfo, Viewpoint, DEF ROBOT Robot (a supervisor) and DEF BALL Solid.
"""
