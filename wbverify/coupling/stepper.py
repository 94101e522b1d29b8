"""A stepper motor with four inputs: its coils turn a rotor in half steps."""

from __future__ import annotations

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import ActuatorCoupling, BoardNumbers
from wbridge.wbverify.coupling.step_motion import StepMotion


def make(wiring: Wiring, numbers: BoardNumbers) -> ActuatorCoupling:
    """See `wbridge.wbverify.coupling`."""
    values = wiring.values
    return StepMotion(
        wiring, numbers, f"COILS:{values['in1']}:{values['in2']}:{values['in3']}:{values['in4']}"
    )
