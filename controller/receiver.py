"""`Receiver`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.receiver import Receiver

__all__ = ["Receiver"]
