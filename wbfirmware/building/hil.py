"""The robot's end of the link for firmware of the flavor hil: a simulation replaces sensors and motors.

    with Bench(built.board, built.program, lockstep=True) as bench:
        clock = VirtualClock()
        listener = SingleListener("board", lockstep_pipe(bench, clock))
        server = Server(listener, Slave(table, side, slave_options(hardware)), clock)

The board is the controller's end. The hardware map limits its messages, and the simulation must use the same
limit: the board refuses a robot that sends larger ones, or reals of another width.
"""

from __future__ import annotations

from wbridge.hal.link.slave import SlaveOptions
from wbridge.wbfirmware.map.hardware import Hardware


def slave_options(hardware: Hardware, virtual: bool = True) -> SlaveOptions:
    """Return the options of the robot's end for a board.

    Args:
        hardware: the hardware map that the board's firmware was made from.
        virtual: time passes only in the controller's steps.
    """
    link = hardware.link
    return SlaveOptions("simulation", link.real, link.message, link.message, virtual, serves_large=True)
