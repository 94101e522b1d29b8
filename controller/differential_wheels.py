"""`DifferentialWheels`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from hal.controller.by_hand.former import DifferentialWheels

__all__ = ["DifferentialWheels"]
