"""`Connector`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.connector import Connector

__all__ = ["Connector"]
