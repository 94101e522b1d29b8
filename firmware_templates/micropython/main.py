"""Starts the robot and its controller; stops the robot when the controller ends."""

import sys

sys.path.insert(0, "user")

import wb.robot
import wb.table

try:
    wb.robot.start()
    execfile(wb.table.CONTROLLER)  # noqa: F821 (of MicroPython)
except SystemExit:  # would restart the board
    pass
finally:
    wb.robot.end()
