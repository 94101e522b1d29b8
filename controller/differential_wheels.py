"""`DifferentialWheels`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.differential_wheels import DifferentialWheels

__all__ = ["DifferentialWheels"]
