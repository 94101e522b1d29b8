"""`RadarTarget`, where Webots has it.

Made by scripts/generate_controller_modules.py.
"""

from hal.controller.by_hand.plain import RadarTarget

__all__ = ["RadarTarget"]
