"""`Supervisor`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.supervisor import Supervisor

__all__ = ["Supervisor"]
