"""The checklist of boards with firmware of the flavor slave: Uno, Pico, ESP32."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from wbridge.hal.link.errors import LinkError
from wbridge.wbfirmware.bringup.checklist import DIFFERS, Finding, Step, confirmed
from wbridge.wbfirmware.bringup.device_test import CORRECTED, FAILED, PASSED, SKIPPED, Dialog
from wbridge.wbfirmware.bringup.robot import TestedRobot
from wbridge.wbfirmware.bringup.session import Session
from wbridge.wbfirmware.map.hardware import Hardware

BOARDS = {"uno": "arduino-uno", "pico": "pico", "esp32": "esp32"}
"""Beginnings of the boards' names, by name of the checklist."""
STEPS = 250
"""Of the measurement of the link."""
LATE_MS = 100.0
"""A round trip that takes longer is late."""
SLOW = 0.3
"""Share of the maximum velocity at which wheels turn."""
SILENCE_S = 1.5
"""How long nothing is sent, in s: three times the board's watchdog."""
MOTORS = ("RotationalMotor", "LinearMotor")
WINDOW_S = 10.0
"""Time for the user to interrupt the board, in s."""
UNINTERRUPTED = "the link was never interrupted"
INTERRUPTIONS = {
    "reset": "Press the board's reset button now",
    "cable": "Pull the cable now (or switch off the access point), and plug it in again after 5 seconds",
}


def facts_of(hardware: Hardware, build: str) -> dict[str, str]:
    """Return what the report says about a board."""
    drivers = sorted({wiring.driver.name for wiring in hardware.wirings})
    return {"board": hardware.board.name, "build": build, "drivers": ", ".join(drivers) or "none"}


def board_steps(hardware: Hardware, session: Session, reconnect: Callable[[], TestedRobot]) -> list[Step]:
    """Return the steps for a board.

    Args:
        hardware: its hardware map, as for `wbridge firmware test`.
        session: tests its devices; its robot is connected.
        reconnect: ends the connection and makes another one.
    """
    tests = BoardSteps(hardware, session, reconnect)
    return [
        Step("measure the link", 0.2, tests.measure),
        Step("test each device of the hardware map", 7, tests.devices, tests.device_lines),
        Step("motors stop when the computer is silent", 1, tests.silence),
        Step("motors stop at a reset, and stay off", 1.5, lambda dialog: tests.interruption(dialog, "reset")),
        Step("motors stop when the cable is pulled", 2, lambda dialog: tests.interruption(dialog, "cable")),
        Step("motors stop at the end", 0.5, tests.end),
    ]


class BoardSteps:
    """The steps, and the robot that they use one after the other."""

    def __init__(self, hardware: Hardware, session: Session, reconnect: Callable[[], TestedRobot]) -> None:
        self._session, self._reconnect = session, reconnect
        self._motors = [wiring.device for wiring in hardware.wirings if wiring.device.type in MOTORS]

    @property
    def _robot(self) -> TestedRobot:
        return self._session.robot

    def measure(self, dialog: Dialog) -> Finding:
        """Measure round trips; nobody is asked."""
        times = sorted(1000 * self._robot.round_trip() for _ in range(STEPS))
        late = sum(duration > LATE_MS for duration in times)
        text = f"median {median(times):.1f} ms, 99 % within {times[STEPS * 99 // 100]:.1f} ms, {late} late"
        return Finding(PASSED if late <= STEPS // 100 else DIFFERS, text)

    def devices(self, dialog: Dialog) -> Finding:
        """Test each device."""
        outcomes = self._session.run(lambda name: True, True)
        counts = dict.fromkeys((PASSED, CORRECTED, FAILED, SKIPPED), 0)
        for outcome in outcomes:
            counts[outcome.result] += 1
        text = ", ".join(f"{count} {result}" for result, count in counts.items() if count)
        return Finding(DIFFERS if counts[FAILED] else PASSED, text)

    def device_lines(self) -> list[str]:
        """Return what became of each device so far: its driver, the result, and why or what was corrected."""
        drivers = {wiring.device.name: wiring.driver.name for wiring in self._session.hardware.wirings}
        return [
            f"{outcome.device} ({drivers[outcome.device]}): {': '.join(filter(None, outcome[1:]))}"
            for outcome in self._session.outcomes
        ]

    def silence(self, dialog: Dialog) -> Finding:
        """Turn the motors, then send nothing."""
        if not self._turn(dialog):
            return Finding(SKIPPED, "no motors")
        time.sleep(SILENCE_S)
        self._command(0.0)
        return confirmed(dialog, "Did all motors turn, and stop by themselves within a second?")

    def interruption(self, dialog: Dialog, kind: str) -> Finding:
        """Turn the motors while the user interrupts the board; connect to it again."""
        if not self._turn(dialog):
            return Finding(SKIPPED, "no motors")
        dialog.say(f"{INTERRUPTIONS[kind]}: they turn for another {WINDOW_S:.0f} seconds.")
        text = ""
        try:
            self._robot.run(WINDOW_S)
            self._command(0.0)
            self._robot.run(0.5)
        except LinkError:
            dialog.say("The board does not answer; connecting again ...")
            self._session.robot, text = self._reconnect(), "connected again"
        if kind == "cable" and not text:
            return Finding(SKIPPED, UNINTERRUPTED)
        return confirmed(dialog, "Did all motors stop at once when you did that?", text or UNINTERRUPTED)

    def end(self, dialog: Dialog) -> Finding:
        """Turn the motors, then leave."""
        if not self._turn(dialog):
            return Finding(SKIPPED, "no motors")
        self._session.robot = self._reconnect()
        return confirmed(dialog, "Did all motors turn, and stop at once?")

    def _command(self, share: float) -> None:
        """Let all motors turn at a share of their maximum velocity with the next steps."""
        for motor in self._motors:
            self._robot.turn(motor, share * float(str(motor.constants.get("maxVelocity", 10.0))))

    def _turn(self, dialog: Dialog) -> bool:
        """Let all motors turn slowly; False if there are none."""
        self._command(SLOW)
        if self._motors:
            dialog.say("All motors turn slowly for two seconds.")
            self._robot.run(2.0)
        return bool(self._motors)
