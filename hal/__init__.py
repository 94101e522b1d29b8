"""What a robot controller needs, in simulation, on a real robot and inside firmware.

Nothing here imports the simulator.
"""
