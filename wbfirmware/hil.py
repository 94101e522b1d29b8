"""The robot's end of the link for firmware of the flavor hil: a simulation in place of sensors and motors.

    with Bench(built.board, built.program, lockstep=True) as bench:
        clock = VirtualClock()
        listener = SingleListener("board", lockstep_pipe(bench, clock))
        server = Server(listener, Slave(table, side, slave_options(hardware)), clock)

The board is the controller's end. Its messages are as small as its hardware map says, and so must those of
the simulation be: the board refuses a robot that sends larger ones, or reals of another width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hal.link.slave import SlaveOptions

if TYPE_CHECKING:
    from wbfirmware.hardware import Hardware

__all__ = ["slave_options"]


def slave_options(hardware: Hardware, virtual: bool = True) -> SlaveOptions:
    """How the robot's end must behave for a board.

    Args:
        hardware: the hardware map that the board's firmware was made from.
        virtual: time passes in the controller's steps only.
    """
    link = hardware.link
    return SlaveOptions("simulation", link.real, link.message, link.message, virtual, serves_large=True)
