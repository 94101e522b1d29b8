"""Run a checklist at a terminal: connect to the robot, ask the user, and write the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wbridge.failures import DONE, FAILED, InputError, RunError
from wbridge.hal.link.errors import LinkError
from wbridge.hal.link.transports import connect
from wbridge.hal.link.url import parse_url
from wbridge.hal.manual_guard import GuardedManualRobot
from wbridge.running.terminal_dialog import TerminalDialog
from wbridge.wbfirmware.bringup.board_checklist import BOARDS, board_steps, facts_of
from wbridge.wbfirmware.bringup.checklist import Checklist, Step, write_report
from wbridge.wbfirmware.bringup.epuck_checklist import PLUGIN, EpuckSteps, epuck_table
from wbridge.wbfirmware.bringup.robot import TestedRobot
from wbridge.wbfirmware.bringup.session import Session
from wbridge.wbfirmware.map.hardware import Hardware

EPUCK = "epuck"
_CONNECT_S, _AGAIN_S = 10.0, 60.0
"""Time for a robot to answer, and to answer again after its cable was pulled, in s."""


def checklist_of(hardware: Hardware) -> str:
    """Return the name of the checklist for a board.

    Raises:
        InputError: there is none.
    """
    name = hardware.board.name
    for checklist, start in BOARDS.items():
        if name.startswith(start):
            return checklist
    listed = ", ".join((*BOARDS, EPUCK))
    raise InputError(f"{hardware.board.title} has no checklist; there are checklists for: {listed}")


def run_board(name: str, hardware: Hardware, url: str, check: Callable[[str], None], report: Path) -> int:
    """Run the checklist of a board with firmware of the flavor slave.

    Args:
        name: of the checklist.
        hardware: the board's map.
        url: of the link.
        check: checks the build that the board reports; raises InputError.
        report: the file to write.

    Raises:
        RunError: the board does not answer, or the report cannot be written.
    """

    def connected(seconds: float) -> TestedRobot:
        return TestedRobot(hardware.table, lambda: connect(url), seconds)

    try:
        session = Session(hardware, connected(_CONNECT_S), TerminalDialog(lambda: session.robot.step()))
    except LinkError as problem:
        raise RunError(str(problem)) from None

    def again() -> TestedRobot:
        session.robot.leave()
        return connected(_AGAIN_S)

    try:
        check(session.robot.build)
        facts = facts_of(hardware, session.robot.build) | {"wire": parse_url(url).scheme}
        return _run(name, facts, board_steps(hardware, session, again), session.dialog, report)
    finally:
        session.robot.leave()


def run_epuck(url: str, report: Path) -> int:
    """Run the checklist of an e-puck; arguments and exceptions as of `run_board`."""
    robot = GuardedManualRobot(epuck_table(), PLUGIN)
    try:
        if not robot.start(url):
            raise RunError("the e-puck does not answer")
        tests = EpuckSteps(robot)
        facts = {"robot": EPUCK, "wire": parse_url(_as_url(url)).scheme}
        return _run(EPUCK, facts, tests.steps(), TerminalDialog(lambda: tests.idle()), report)
    finally:
        robot.close()


def _as_url(place: str) -> str:
    return place if "://" in place else f"serial://{place}"


def _run(name: str, facts: dict[str, str], steps: list[Step], dialog: object, report: Path) -> int:
    """Do the steps and write the report, also of a list that was ended early."""
    assert isinstance(dialog, TerminalDialog), "checklists ask at a terminal"
    checklist = Checklist(name, facts, steps, dialog)
    remark, passed = "", False
    try:
        passed = checklist.run()
        remark = dialog.text("\nA remark for the report, or Enter: ")
    except (KeyboardInterrupt, EOFError, LinkError):
        dialog.say("\nended early")
    try:
        write_report(report, checklist.report(remark))
    except OSError as problem:
        raise RunError(f"cannot write {report}: {problem.strerror}") from None
    dialog.say(f"{report} is the report. It has no addresses, names, tokens or paths; please send it.")
    return DONE if passed else FAILED
