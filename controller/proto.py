"""`Proto`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from wbridge.hal.controller.proto import Proto

__all__ = ["Proto"]
