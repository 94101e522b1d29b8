"""Runs the program of a board in an emulator."""

import sys

import bench
import host


class _Math:
    """The module `math` with 32-bit constants."""


def _round_constants():
    import math

    import wb_single

    module = _Math()
    for name in dir(math):
        setattr(module, name, wb_single._f(getattr(math, name)))
    sys.modules["math"] = module


host.write("wire lockstep")
if bench.config["single"]:
    _round_constants()
try:
    execfile("main.py")  # noqa: F821 (of MicroPython)
except Exception as problem:  # shown as on a board
    if hasattr(sys, "print_exception"):
        sys.print_exception(problem)
    else:
        host.show(problem)
bench.serve()
