"""Build a firmware, flash it to the robot's board, and ask the board what it runs."""

from __future__ import annotations

import logging
import shlex
import sys
from argparse import Namespace
from pathlib import Path
from typing import IO

from wbridge.failures import DONE, InputError, RunError
from wbridge.hal.link.errors import LinkError
from wbridge.json_output import print_json
from wbridge.libcontroller.compiling import BuildError
from wbridge.options import MapOptions, options
from wbridge.running.hardware import built_firmware
from wbridge.running.local_ports import Candidate, candidates
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbfirmware.boards.board import COPY, REPL, USB, Board, FlashMethod
from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.flash import flash
from wbridge.wbfirmware.flash.drives import check_drive, drives, is_drive
from wbridge.wbfirmware.flash.serial_ports import (
    SerialPort,
    is_same,
    new_port,
    serial_ports,
    wait_for_access,
)
from wbridge.wbfirmware.map.hardware import Hardware

_LOG = logging.getLogger("wbridge")
_ANSWER = 10.0
"""s for a board to start and tell its build."""
_ABSENT = "PORT"
"""Stands for the port or drive of a board that is not connected, in plans only."""


def flash_firmware(args: Namespace) -> int:
    """Build, describe the plan, flash, and query the board; return the exit code."""
    hardware, built = built_firmware(options(MapOptions, args), args.slave)
    try:
        way = flash.choose_way(built.board, args.tool, also_absent=args.dry_run)
        if args.port and not args.dry_run:
            _check_port(args.port, way)
        port = args.port or _only_port(way, built, args.dry_run)
        is_touched = way.touch and not Path(port).is_dir()
        if not is_touched:
            check_drive(way, built.board, Path(port))
        if not args.json:
            print(_plan(way, built, port) + _wire_note(args, hardware, way), flush=True)
        output = sys.stderr if args.json else None
        build, is_checked = flash.build_name(built), False
        result = {"board": built.board.title, "build": build, "tool": way.tool, "port": port}
        if args.dry_run:
            if args.json:
                print_json({**result, "flashed": False, "checked": False})
            return DONE
        place = _boot_loader(way, port, output) if is_touched else port
        others = _other_ports(built.board, port) if way.touch else []
        flash.flash(way, built, place, output)
        if not args.json:
            print(f"flashed {build}", flush=True)
        if "frame" not in hardware.flavor.parts:
            _LOG.info("build not checked: firmware of the flavor %s has no robot link", hardware.flavor.name)
        else:
            url = args.wire or _link_url(hardware, way, port, others)
            is_checked = _is_same(url, hardware, build)
        if args.json:
            print_json({**result, "flashed": True, "checked": is_checked})
        elif is_checked:
            print("the board reports this build", flush=True)
        return DONE
    except (flash.FlashError, BuildError) as problem:
        raise RunError(str(problem)) from None


def _boot_loader(way: FlashMethod, port: str, output: IO[str] | None) -> str:
    """Return where the boot loader is that the running program was asked for.

    Raises:
        FlashError: it does not answer.
    """
    place = flash.ask_for_boot_loader(way, port)
    if place != port:
        print(f"the boot loader is at {place}", file=output, flush=True)
    return place


def _plan(way: FlashMethod, built: Built, port: str) -> str:
    """Describe the plan."""
    if way.tool == REPL:
        folder = built.program.parent
        head = f"{built.board.title}: {flash.build_name(built)}, {built.size.flash} bytes"
        return f"{head}\n  copy the files of {folder} by {way.about} at {port}"
    size = "" if built.board.project.core else f", {built.size.flash} bytes"
    head = f"{built.board.title}: {flash.build_name(built)}{size}, by {way.about}"
    if way.tool == COPY:
        file = built.program.with_suffix(f".{way.copied}")
        return f"{head}\n  copy {file} to {_drive_name(way, port)}{_absent_tools(built.board, way)}"
    absent = "" if flash.installed(way) else f"; {way.tool} is not installed: {way.installation}"
    return f"{head}\n  {shlex.join(flash.command_of(way, port))}\n  (in {built.program.parent}{absent})"


def _drive_name(way: FlashMethod, port: str) -> str:
    """Return where a file is copied to: a folder, or the name of a drive that is not there yet."""
    if way.touch and not Path(port).is_dir():
        return f"the drive {way.drive} of the board at {port}"
    return f"the drive {way.drive}" if port == _ABSENT else port


def _absent_tools(board: Board, way: FlashMethod) -> str:
    """Return which tools would be used before the drive, if they were installed."""
    tools = [
        method.tool for method in board.flashing[: board.flashing.index(way)] if not flash.installed(method)
    ]
    return f"\n  (not installed: {', '.join(tools)})" if tools else ""


def _wire_note(args: Namespace, hardware: Hardware, way: FlashMethod) -> str:
    """Return what the plan says of a link that is at another port than the one for flashing."""
    has_link = "frame" in hardware.flavor.parts
    if args.wire or not has_link or hardware.link.wire == USB or _is_at_port(hardware, way):
        return ""
    return "\n  (to check the build over the link afterwards, name its URL with --wire)"


def _check_port(port: str, way: FlashMethod) -> None:
    """Check that the port exists. Tools have their own names for others: usb, net:HOST:PORT.

    Raises:
        InputError: it does not exist; the message lists those that do.
    """
    if way.tool == COPY and Path(port).is_dir() and not is_drive(way, Path(port)):
        raise InputError(f"{port}: no board's drive is mounted here; without --port, drives are searched")
    if way.tool == COPY:
        what, there = "drive", [str(drive) for drive in drives(way)]
        if way.touch:
            what, there = "drive or port", [*there, *(_device(candidate) for candidate in candidates()[0])]
    elif way.needs_port:
        what, there = (
            "port",
            [_device(candidate) for candidate in candidates()[0] if candidate.kind == "serial"],
        )
    else:
        return
    if port in there or Path(port).exists() or (way.tool != COPY and (port == "usb" or ":" in port)):
        return
    listed = f"available: {', '.join(there)}" if there else "none found (is the board connected?)"
    raise InputError(f"{port}: no such {what}{did_you_mean(port, there)}; {listed} (details: wbridge ports)")


def _only_port(way: FlashMethod, built: Built, may_lack: bool) -> str:
    """Return the only port at which the board may be.

    Raises:
        InputError: no port or several ports exist.
    """
    if way.tool == COPY:
        what, found = f"a drive {way.drive}", {str(drive): "" for drive in drives(way)}
        if not found and way.touch:
            found = _ports_of(built.board)
        listed = list(found)
    elif way.needs_port:
        ports = [candidate for candidate in candidates()[0] if candidate.kind == "serial"]
        listed = [
            f"{_device(candidate)} ({candidate.name or candidate.ids or 'no USB'})" for candidate in ports
        ]
        # Ports that are not USB may be anything, and are used only if named.
        what, found = (
            "a serial port",
            {_device(candidate): candidate.name for candidate in ports if candidate.ids},
        )
    else:
        return ""
    if len(found) == 1:
        (only,) = found
        _LOG.info("using the only candidate: %s %s", only, found[only])
        return only
    if may_lack and not found:
        return _ABSENT
    there = f"available: {', '.join(listed)}" if listed else "none found (is the board connected?)"
    raise InputError(f"{built.board.title} is flashed through {what}; {there}; choose one with --port")


def _ports_of(board: Board) -> dict[str, str]:
    """Return the serial ports with the numbers of a board's wire `usb`, and their names."""
    if board.usb is None:
        return {}
    ids = _numbers(board)
    return {
        _device(candidate): candidate.name
        for candidate in candidates()[0]
        if candidate.kind == "serial" and candidate.ids == ids
    }


def _numbers(board: Board) -> str:
    """Return vendor and product of a board's wire `usb`; "" without one."""
    return "" if board.usb is None else f"{board.usb.vendor:04x}:{board.usb.product:04x}"


def _device(port: Candidate) -> str:
    return port.url.removeprefix("serial://")


def _other_ports(board: Board, port: str) -> list[SerialPort]:
    """Return ports with the numbers of a board's wire `usb`, while this board's boot loader runs.

    Its program's port, which was touched, may still be there if a boot loader with unknown numbers has it.
    """
    if board.usb is None:
        return []
    return [
        serial_port
        for serial_port in serial_ports()
        if serial_port.numbers == _numbers(board) and not is_same(serial_port, port)
    ]


def _link_url(hardware: Hardware, way: FlashMethod, port: str, others: list[SerialPort]) -> str:
    """Return the URL of the flashed board's link; "" if it is unknown.

    Args:
        hardware: the hardware map.
        way: the flash method.
        port: where the board was flashed.
        others: ports of other boards of this kind, which were there before.

    Raises:
        RunError: the port of the board's wire `usb` does not appear.
    """
    if hardware.link.wire == USB:
        numbers = _numbers(hardware.board)
        found = new_port(others, [numbers], flash.APPEARANCE)
        if found is None or found.numbers != numbers:
            raise RunError(
                f"the board was flashed, but no new port with the numbers {numbers} has appeared within "
                f"{flash.APPEARANCE:g} s (`wbridge ports` lists what is plugged in); name it with --wire"
            )
        wait_for_access(found.name)
        return f"serial://{found.name}"
    return f"serial://{port}?baud={hardware.link.baud}" if _is_at_port(hardware, way) else ""


def _is_at_port(hardware: Hardware, way: FlashMethod) -> bool:
    """Return True if the board's link is at the serial port through which it is flashed."""
    return way.needs_port and not hardware.networked and hardware.board.usb is None


def _is_same(url: str, hardware: Hardware, build: str) -> bool:
    """Query the board for its build; return False if its link is unknown.

    Raises:
        RunError: the build differs, or the board does not reply.
    """
    if not url:
        _LOG.info(
            "build not checked: give the URL of the board's link with --wire, for example --wire serial:///dev/ttyACM0"
        )
        return False
    try:
        told = flash.told_build(url, hardware.table, _ANSWER)
    except LinkError as problem:
        raise RunError(f"the board was flashed, but its link cannot be reached: {problem}") from None
    if told is None:
        raise RunError(f"the board was flashed, but sends nothing at {url} within {_ANSWER:g} s")
    if told != build:
        raise RunError(f'the board reports the build "{told}", but "{build}" was flashed')
    return True
