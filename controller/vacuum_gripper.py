"""`VacuumGripper`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.vacuum_gripper import VacuumGripper

__all__ = ["VacuumGripper"]
