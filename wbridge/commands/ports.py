"""`wbridge ports`: list serial ports and USB devices that may be robots."""

from __future__ import annotations

import json
import logging
import sys
from argparse import ArgumentParser, Namespace

from wbridge.failures import DONE
from wbridge.hal.printable import printable
from wbridge.running.local_ports import Candidate, candidates
from wbridge.text_table import columns

HELP = "list serial ports and USB devices, and the remote-control plugins that fit"

_LOG = logging.getLogger("wbridge")
_HEADER = ["url", "usb", "name", "remote control", "hint"]


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--json", action="store_true", help="print the list as one JSON object")


def run(args: Namespace) -> int:
    """Print the candidates; an empty list is not a failure."""
    found, notes = candidates()
    if args.json:
        _print_json(found, notes)
        return DONE
    if found:
        print("\n".join(columns([_HEADER, *map(_row, found)])))
    else:
        _LOG.info("no device found that looks like a robot; TCP and MQTT need no port")
    for note in notes:
        _LOG.warning("%s", note)
    first = next((candidate for candidate in found if candidate.plugins), None)
    if first is not None:
        plugin = first.plugins[0]
        choice = "" if plugin == "wblink" else f" --plugin {plugin}"
        _LOG.info("for example: wbridge remote WORLD%s --url %s", choice, first.url)
    return DONE


def _row(candidate: Candidate) -> list[str]:
    """Return the cells of a device; no cell is empty or has two spaces, which separate columns."""
    cells = [candidate.url, candidate.ids, candidate.name, ", ".join(candidate.plugins), candidate.hint]
    return [" ".join(printable(cell).split()) or "-" for cell in cells]


def _print_json(found: list[Candidate], notes: list[str]) -> None:
    json.dump({"ports": [candidate._asdict() for candidate in found], "notes": notes}, sys.stdout, indent=2)
    print()
