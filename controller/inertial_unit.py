"""`InertialUnit`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.inertial_unit import InertialUnit

__all__ = ["InertialUnit"]
