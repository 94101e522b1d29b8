"""The parts that robot controllers need in simulation, on real robots and in firmware.

Nothing here imports the simulator.
"""
