"""A stepper motor on a driver, which makes a step for each rising edge."""

from __future__ import annotations

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import ActuatorCoupling, BoardNumbers
from wbridge.wbverify.coupling.step_motion import StepMotion


def make(wiring: Wiring, numbers: BoardNumbers) -> ActuatorCoupling:
    """See `wbridge.wbverify.coupling`."""
    values = wiring.values
    return StepMotion(wiring, numbers, f"STEPPER:{values['step']}:{values['direction']}")
