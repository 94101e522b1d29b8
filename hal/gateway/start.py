"""Start a gateway (see `wbridge.hal.gateway.gateway`), which provides remote control in any language.

    python -m wbridge.hal.gateway.start COMMAND ARGUMENT...
    python -m wbridge.hal.gateway.start --sockets CONTROLLER SIMULATOR local|tcp|guard

The first form starts a controller in remote control. The environment variables are those of a controller,
with the addresses of the simulator and of the real robot. A library uses the second form when its controller
calls `wb_robot_set_mode`. It passes two open sockets; the first one initially delivers an answer (in the form
of local connections) with the robot's configuration. As `guard`, the second one leads back to the
controller, which keeps its connection to the simulator (see `wbridge.hal.gateway.guard`); both then
speak as over TCP.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from wbridge.hal.connection.address import INSTANCE_PATH, ROBOT_NAME, URL, AddressError, from_environment
from wbridge.hal.connection.connect import CannotConnect, connect
from wbridge.hal.connection.sockets import SocketConnection
from wbridge.hal.gateway.gateway import Gateway
from wbridge.hal.gateway.patient_output import make_output_patient
from wbridge.hal.gateway.robot import GatewayRobot, GatewayRoute
from wbridge.hal.gateway.standalone import VARIABLE, begin
from wbridge.hal.heirs import taken_socket
from wbridge.hal.named_port import HOST, opened
from wbridge.hal.process_end import ProcessEnd
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.names import encoded_name, folder_names, shows_token, with_token
from wbridge.hal.protocol.packet import LIMIT, Answer, read_answer
from wbridge.hal.ready import readable

GATEWAY = "WBRIDGE_REMOTE_GATEWAY"
"""Informs a library that it starts in remote control behind a gateway."""
OWN = (VARIABLE, "WBRIDGE_REMOTE_TRACE", "WBRIDGE_REMOTE_MIRROR")
"""Variables for the gateway that are not passed to the controller."""
END_S = 10.0
"""Time for a controller to end after it has disconnected, in s."""
REFUSED = 1
GREETING, NAME = 1024, b"Robot-Name: "
"""Bytes with which a controller begins at most, and what stands before the name of its robot."""
LOOK_S = 0.1
"""Time between two looks for the end of a controller that has not connected, in s."""


def main(arguments: Sequence[str]) -> int:
    """Serve a controller until it ends, and return its exit code."""
    make_output_patient()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the gateway ends with its controller
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if arguments[0] == "--sockets":
        _leave_group()
        controller, simulator, kind = arguments[1:]
        ends = taken_socket(controller), taken_socket(simulator)
        return serve_sockets(*ends, kind != "local", kind == "guard")
    return start(arguments)


def _leave_group() -> None:
    """Become a group of processes of its own: a simulator kills that of a controller that has died, and the
    gateway must stop the robot then."""
    if hasattr(os, "setsid"):
        with suppress(PermissionError):  # a guard is one already
            os.setsid()


# Controllers that the gateway starts.


def start(
    command: Sequence[str],
    simulator: GatewayRoute | None = None,
    folder: Path | None = None,
) -> int:
    """Connect to the real robot, start a controller and serve it; return its exit code.

    Args:
        command: starts the controller.
        simulator: None: the one that the environment variables name.
        folder: the controller's working folder; None: this one.
    """
    try:
        route = simulator or connect(from_environment())
    except (AddressError, CannotConnect) as error:
        print(f"Error: {error}", file=sys.stderr)
        return REFUSED
    with ExitStack() as stack:
        sockets = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wbridge-")))
        is_local = hasattr(socket, "AF_UNIX")
        robot = GatewayRobot(route, sockets if is_local else None)
        stack.callback(robot.cleanup)
        robot.start()
        begin(robot)
        name = robot.info.name
        endpoint = ControllerEndpoint(sockets, name) if is_local else PortEndpoint(name)
        stack.callback(endpoint.listener.close)
        process = subprocess.Popen(list(command), env=endpoint.environment(), cwd=folder)
        stack.callback(_end, process)
        controller = endpoint.wait_for(process)
        if controller is not None:
            stack.callback(controller.close)
            stack.callback(robot.remote_control.cleanup)  # stop the robot before anything is waited for
            _serve(Gateway(robot, controller, tcp=not is_local))
            robot.cleanup()
        return _code(process.wait())


class ControllerEndpoint:
    """The socket to which the controller connects, as to a simulator."""

    def __init__(self, folder: Path, robot: str) -> None:
        self._folder, self._robot = folder, robot
        first, *others = folder_names(robot, len(f"{folder}/ipc//intern"))
        self.listener = socket.socket(socket.AF_UNIX)
        (folder / "ipc" / first).mkdir(parents=True)
        self.listener.bind(str(folder / "ipc" / first / "intern"))
        self.listener.listen(1)
        for name in others:
            (folder / "ipc" / name).symlink_to(first)

    def environment(self) -> dict[str, str]:
        """The environment of the controller."""
        return _kept(OWN) | {INSTANCE_PATH: f"{self._folder}/", ROBOT_NAME: self._robot, GATEWAY: "1"}

    def wait_for(self, process: subprocess.Popen[bytes]) -> socket.socket | None:
        """The controller's connection, or None if its process has ended without connecting."""
        end = ProcessEnd(process)
        ready = readable([self.listener.fileno(), end.fileno()])
        if not end.is_by_thread or process.poll() is not None:
            end.close()
        return self.listener.accept()[0] if self.listener.fileno() in ready else None


class PortEndpoint:
    """The same where there are no local sockets: a port, for who shows the secret in its address."""

    def __init__(self, robot: str) -> None:
        self.listener, secret = opened()
        self._robot, self._secret = robot, secret.hex()

    def environment(self) -> dict[str, str]:
        """The environment of the controller."""
        robot = with_token(encoded_name(self._robot), self._secret)
        url = f"tcp://{HOST}:{self.listener.getsockname()[1]}/{robot}"
        return _kept((*OWN, INSTANCE_PATH, ROBOT_NAME)) | {URL: url, GATEWAY: "1"}

    def wait_for(self, process: subprocess.Popen[bytes]) -> socket.socket | None:
        """The controller's connection, or None if its process has ended without connecting."""
        while process.poll() is None:
            if readable([self.listener], LOOK_S):
                connection, _ = self.listener.accept()
                connection.settimeout(END_S)
                with suppress(OSError):
                    if self._is_shown(connection.recv(GREETING)):
                        connection.sendall(b"CONNECTED")
                        connection.settimeout(None)
                        return connection
                connection.close()
        return None

    def _is_shown(self, greeting: bytes) -> bool:
        """Whether the secret is where the name of the robot has it."""
        name = greeting.partition(NAME)[2].decode("utf-8", "replace").strip("\0\r\n")
        return shows_token(name, self._secret, [encoded_name(self._robot)])


def _kept(unused: Sequence[str]) -> dict[str, str]:
    """The environment of this process without some variables."""
    return {name: value for name, value in os.environ.items() if name not in unused}


def _end(process: subprocess.Popen[bytes]) -> None:
    """Wait some seconds for the end of a controller whose robot is lost."""
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _code(code: int) -> int:
    """The exit code of a process, as in a shell."""
    return code if code >= 0 else 128 - code


def _serve(gateway: Gateway) -> None:
    """Serve until the controller leaves or sends an invalid request."""
    try:
        gateway.serve()
    except ProtocolError as problem:
        print(
            f"Error: remote control ends: the controller sent an invalid request: {problem}", file=sys.stderr
        )


# Controllers that run already.


class Configured(SocketConnection):
    """A connection of a controller that has its configuration already."""

    def __init__(self, connection: socket.socket, tcp: bool, configuration: Answer) -> None:
        super().__init__(connection, tcp)
        self._configuration: Answer | None = configuration

    def send(self, packet: bytes) -> None:
        """Send a request; drop the first one, which would request the configuration."""
        if self._configuration is None:
            super().send(packet)

    def receive(self) -> Answer | bytes:
        """Return the configuration, then the received answers."""
        configuration, self._configuration = self._configuration, None
        return super().receive() if configuration is None else configuration


def serve_sockets(
    controller: socket.socket, simulator: socket.socket, tcp: bool, as_guard: bool = False
) -> int:
    """Serve a controller that has called `wb_robot_set_mode`.

    Args:
        controller, simulator: connections, which are closed at the end.
        tcp: both speak as over TCP.
        as_guard: the controller itself keeps the connection to the simulator, and leaves it.
    """
    with ExitStack() as stack:
        stack.enter_context(controller)
        stack.enter_context(simulator)
        configuration = _configuration(controller)
        if configuration is None:
            return REFUSED
        folder = None
        if not tcp:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wbridge-")))
        robot = GatewayRobot(Configured(simulator, tcp, configuration), folder)
        robot.start()
        robot.guards_plugins, robot.is_guard = not as_guard, as_guard
        robot.alone = VARIABLE in os.environ
        gateway = Gateway(robot, controller, tcp)
        gateway.configured_already()
        try:
            _serve(gateway)
        finally:
            if gateway.was_used and not as_guard:
                robot.cleanup()
            else:
                robot.remote_control.cleanup()  # the controller continues in its simulation
    return 0


def _configuration(controller: socket.socket) -> Answer | None:
    """Read exactly the first answer, without any later bytes; None if there is none."""
    head = controller.recv(4, socket.MSG_WAITALL)
    size = int.from_bytes(head, "little") - len(head)
    if not 0 <= size <= LIMIT:
        return None
    try:
        return read_answer(head + controller.recv(size, socket.MSG_WAITALL))
    except ProtocolError:
        return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
