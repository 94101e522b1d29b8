"""Why a program on a Cortex-M has reset its board, from its stack and fault registers (ARMv7-M, B3.2.15)."""

from __future__ import annotations

from typing import Protocol

STACK = 13
"""Number of the stack pointer register."""
FAULTS = 0xE000ED28
"""CFSR; zero on a Cortex-M0, which does not implement it."""
REASONS = (
    (1 << 16, "an undefined instruction (bad opcode)"),
    (1 << 17, "a jump to an address that is not a function"),
    (1 << 24, "an unaligned memory access"),
    (1 << 25, "a division by zero"),
    (0xFFFF, "an access to an unmapped address"),
)


class HaltedMachine(Protocol):
    """A machine that is stopped."""

    symbols: dict[str, int]

    def registers(self) -> list[int]:
        """The processor's first 16 registers."""

    def read(self, place: int, size: int) -> int:
        """A number in memory, or a register."""


def why_it_fell(machine: HaltedMachine) -> str:
    """Return the reason as text."""
    registers = machine.registers()
    variables_end = machine.symbols.get("bss_end", 0)
    if len(registers) > STACK and registers[STACK] < variables_end:
        return "the firmware has crashed: its stack has grown into its variables (stack overflow)"
    faults = machine.read(FAULTS, 4)
    reason = next((text for bits, text in REASONS if faults & bits), "a fault of the processor (hard fault)")
    return f"the firmware has crashed: {reason}"
