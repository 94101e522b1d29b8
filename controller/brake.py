"""`Brake`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.brake import Brake

__all__ = ["Brake"]
