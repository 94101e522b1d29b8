"""Run a controller on a real robot without a simulator: `wbridge-controller`.

    wbridge-controller TABLE --remote-control NAME --url ADDRESS CONTROLLER [ARGUMENT...]

The device table, as `wbridge devices --json` prints it, describes the robot. The gateway (see
`wbridge.hal.gateway.gateway`) runs the plugin, and starts the controller.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from wbridge.hal.gateway.loading import TABLE
from wbridge.hal.gateway.patient_output import make_output_patient
from wbridge.hal.gateway.standalone import VARIABLE
from wbridge.hal.gateway.start import start
from wbridge.hal.protocol.codec import CONSTANTS
from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.protocol.dialect import R2025A
from wbridge.hal.protocol.loopback import Loopback, Peer
from wbridge.hal.protocol.packet import Request
from wbridge.hal.protocol.table_constants import SIBLINGS, camel, unsimulated_constants, wire_constants
from wbridge.hal.remote_plugins import PluginError, check_plugin
from wbridge.hal.table import DeviceEntry, DeviceTable, TableError

REFUSED = 2


class TableSimulator(Loopback):
    """Tells a controller which devices there are, and answers its steps."""

    def __init__(self, table: DeviceTable, plugin: str) -> None:
        """
        Args:
            table: the device table of the robot.
            plugin: name of its remote control.
        """
        peers = [Peer(entry.type, entry.name, _constants(entry), entry.model) for entry in table.devices]
        step_ms = float(table.robot.constants["basicTimeStep"])
        super().__init__(peers, name=table.name, time_step=step_ms)
        self.info = self.info._replace(remote_library=plugin, model=table.robot.model)
        self._table = table

    has_waiting = False

    def fileno(self) -> int:
        """No file: everything arrives as an answer."""
        return -1

    def _take(self, request: Request) -> None:
        """Handle commands; a request for the other device of a joint is answered by its tag."""
        super()._take(request)
        for peer, entry in zip(self.peers, self._table.devices, strict=True):
            for command in peer.commands:
                if command.name.endswith("get_sibling"):
                    constant = SIBLINGS.get(self.dialect.node(command.values[-1]), "")
                    peer.send("sibling", entry.constants.get(constant, 0))
            peer.commands.clear()


def _constants(entry: DeviceEntry) -> dict[str, object]:
    """The constants of a device by the names of its codec."""
    codec = codec_of(entry.type, R2025A)
    if codec is None or CONSTANTS not in codec.messages:
        return {}
    known = entry.type, entry.constants
    own = wire_constants(*known) | unsimulated_constants(*known)
    names = codec.messages[CONSTANTS].layout.names
    return {name: own[name] if name in own else entry.constants[camel(name)] for name in names}


def _read_table(file: Path, robot: str) -> DeviceTable:
    """The table of a robot.

    Args:
        file: a table, or the tables of the robots of a world.
        robot: name of the robot; "": the only one.

    Raises:
        TableError: it is not there.
    """
    try:
        data = json.loads(file.read_bytes())
    except ValueError as problem:
        raise TableError([f"not JSON: {problem}"]) from None
    if not isinstance(data, dict) or "robots" not in data:
        return DeviceTable.from_data(data)
    names = [described["name"] for described in data["robots"]]
    fitting = [described["table"] for described in data["robots"] if robot in ("", described["name"])]
    if len(fitting) != 1:
        raise TableError([f"choose a robot with --robot; there are: {', '.join(names)}"])
    return DeviceTable.from_data(fitting[0])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a controller until it ends, and return its exit code."""
    parser = argparse.ArgumentParser("wbridge-controller", description="Run a controller on a real robot.")
    parser.add_argument("table", type=Path, help="output of `wbridge devices --json`")
    parser.add_argument("--robot", default="", metavar="NAME", help="one of several robots in the table")
    parser.add_argument("--remote-control", default="wblink", metavar="NAME", help="plugin; default: wblink")
    parser.add_argument("--url", required=True, metavar="ADDRESS", help="address of the robot")
    parser.add_argument("controller", type=Path, help="program of the controller")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="arguments of the controller")
    options = parser.parse_args(arguments)
    try:
        table = _read_table(options.table, options.robot)
        check_plugin(options.remote_control)
    except (OSError, TableError, PluginError) as problem:
        print(f"wbridge-controller: {options.table}: {problem}", file=sys.stderr)
        return REFUSED
    if not options.controller.is_file():
        print(f"wbridge-controller: {options.controller}: no such file", file=sys.stderr)
        return REFUSED
    program = options.controller.resolve()
    interpreter = [sys.executable] if program.suffix == ".py" else []
    command = [*interpreter, str(program), *options.arguments]
    with tempfile.NamedTemporaryFile("w", encoding="ascii", suffix=".json") as own:
        own.write(table.canonical())
        own.flush()
        os.environ |= {VARIABLE: options.url, TABLE: own.name}
        make_output_patient()
        return start(command, TableSimulator(table, options.remote_control), program.parent)


if __name__ == "__main__":
    sys.exit(main())
