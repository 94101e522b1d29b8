"""Drive an Arduino with the sketch StandardFirmata; a file defines the pins of the devices.

    wb_robot_set_mode(WB_MODE_REMOTE_CONTROL, "serial:///dev/ttyACM0?pins=rover.pins.toml")

Without `pins`, the file is next to the world: rover.pins.toml for rover.wbt. Firmata has no checksum.
Therefore each step sends the outputs of all motors again and queries the modes of their pins and the digital
inputs; the rest is repeated periodically. A reading that does not fit the one before is confirmed first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from wbridge.hal.link.errors import AddressError, ConnectionLost, Refused
from wbridge.remote_controls.common.byte_stream_plugin import ByteStreamPlugin
from wbridge.remote_controls.common.confirmed_input import ConfirmedInput
from wbridge.remote_controls.common.sampling import SamplingSchedule
from wbridge.remote_controls.common.wire import Wire
from wbridge.remote_controls.protocols.firmata import (
    Command,
    FirmataMessage,
    Parser,
    PinMode,
    Sysex,
    analog_write,
    digital_write,
    pin_mode,
    sampling,
    sysex,
)
from wbridge.remote_controls.wiring.firmata_board import FirmataBoard
from wbridge.remote_controls.wiring.part import Part
from wbridge.remote_controls.wiring.read import Wirings, read_wirings

SUFFIX = ".pins.toml"
END = bytes([Command.END_SYSEX])
"""Sent first: an unfinished message of variable length would swallow what follows."""
READ = (PinMode.INPUT, PinMode.PULLUP)
"""Modes of digital inputs."""
LONG_ANSWER = 0.15
"""Duration of the description of many pins at 57600 baud, in s."""
REPEAT = 0.25
"""Interval at which everything is repeated, in s."""
TOLERANCE = 64
"""Analog readings change by 1 part in this many without confirmation."""
BYTES_PER_SECOND, QUERY_BYTES = 5760, 7
"""Of the line, and of the answer to a query."""


class Plugin(ByteStreamPlugin):
    """Firmata as a remote-control plugin."""

    NAME = "firmata"
    CURE = ". Firmware of wbridge stops by itself: wbridge firmware new WORLD --board BOARD"
    BAUD = 57600
    GREETING = 10.0  # many boards restart when their port is opened
    MORE_OPTIONS: Mapping[str, Callable[[str], object]] = {"pins": str}

    def prepare(self) -> None:
        """Record the robot's devices."""
        self._tags: dict[str, int] = {}
        for tag in range(1, self.robot.number_of_devices + 1):
            self._tags.setdefault(self.robot.device_name(tag), tag)
        self._schedule = SamplingSchedule()
        self._wirings = Wirings({}, 0)
        self._moving: list[str] = []
        """Pins of motors."""
        self._unasked: list[str] = []
        """The same, those first whose modes were queried longest ago."""
        self._parts: dict[int, Part] = {}
        self._owed: set[int] = set()

    def configure(self, options: Mapping[str, Any]) -> None:
        """Read the file."""
        types = {name: self.robot.device_type(tag) for name, tag in self._tags.items()}
        self._wirings = read_wirings(self._file(options.get("pins")), types)
        self._parts = {self._tags[name]: part for name, part in self._wirings.parts.items()}
        self._moving = [
            pin
            for tag, part in self._parts.items()
            if "Motor" in self.robot.device_type(tag)
            for pin in part.modes()
        ]
        missing = [name for name in self._tags if name not in self._wirings.parts]
        if missing:
            self.say(f"no pins are defined for {', '.join(missing)}; they have no effect", True)

    def _file(self, path: str | None) -> Path:
        world = self.robot.world_path
        if path is None:
            if not world:
                raise AddressError("the pins of the devices are unknown; name a file: ?pins=FILE")
            return Path(world).with_suffix(SUFFIX)
        return Path(world).parent / path if world else Path(path)

    # Commands of the controller.

    def set_sampling_period(self, tag: int, period: int) -> None:
        """Sample a sensor every `period` ms; 0 stops sampling."""
        self._schedule.sample(tag, period)

    def motor_set_position(self, tag: int, position: float) -> None:
        """Set the position of a servo, in rad or m; infinite: turn with the velocity."""
        if tag in self._parts:
            if problem := self._parts[tag].cannot_go_to(position):
                self.say(f"{self.robot.device_name(tag)}: {problem}", True)
            self._parts[tag].set_position(position)

    def motor_set_velocity(self, tag: int, velocity: float) -> None:
        """Set the velocity of a motor, in rad/s or m/s."""
        if tag in self._parts:
            self._parts[tag].set_velocity(velocity)

    def led_set(self, tag: int, value: int) -> None:
        """Set an LED."""
        if tag in self._parts:
            self._parts[tag].set_light(value)

    # Commands to the board.

    def halt(self) -> bytes:
        """Return outputs without voltage for motors; servos hold their position."""
        if self._board is None:
            return b""
        self._sent.clear()
        stopped = {pin: value for part in self._parts.values() for pin, value in part.stopped().items()}
        return 2 * (END + self._write(stopped))

    def _changes(self) -> bytes:
        """Return outputs that differ from what was sent, and those of all motors."""
        parts = self._parts.values()
        wanted = {
            pin: value
            for part in parts
            for pin, value in (part.resting() if self.is_latched else part.outputs()).items()
        }
        due = {
            pin: value for pin, value in wanted.items() if pin in self._moving or self._sent.get(pin) != value
        }
        return END + self._write(due) if due else b""

    def _write(self, values: dict[str, int]) -> bytes:
        """Write direction pins before PWM, so that a motor never runs in the old direction."""
        assert self._board is not None, "there is a connection"
        self._sent.update(values)
        numbers = {self._board.pins[pin]: value for pin, value in values.items()}
        ports = {number // 8 for number in numbers if self._modes[number] == PinMode.OUTPUT}
        out = b"".join(digital_write(port, self._bits(port)) for port in sorted(ports))
        return out + b"".join(
            analog_write(number, value)
            for number, value in numbers.items()
            if self._modes[number] != PinMode.OUTPUT
        )

    def _bits(self, port: int) -> int:
        """Return the output bits of a port; a 1 keeps the pull-up of an input."""
        assert self._board is not None, "there is a connection"
        levels = {self._board.pins[pin]: value for pin, value in self._sent.items()}
        levels = {pin: levels.get(pin, 0) for pin, mode in self._modes.items() if mode == PinMode.OUTPUT}
        levels |= {pin: 1 for pin, mode in self._modes.items() if mode == PinMode.PULLUP}
        return sum(level << pin % 8 for pin, level in levels.items() if pin // 8 == port)

    def _reports(self) -> bytes:
        """Return commands that make the board report its inputs."""
        assert self._board is not None, "there is a connection"
        out = b""
        for number, mode in self._modes.items():
            if mode == PinMode.ANALOG:
                out += bytes([Command.REPORT_ANALOG | self._board.channels[number], 1])
        return out + self._ask_ports()

    def _ask_ports(self) -> bytes:
        """Return commands that make the board report its digital inputs now."""
        return b"".join(bytes([Command.REPORT_DIGITAL | port, 1]) for port in self._ports)

    def _ask_modes(self, period: int) -> bytes:
        """Return queries for the modes of motors' pins: all, or as many as half of the line can answer."""
        assert self._board is not None, "there is a connection"
        count = max(1, round(period / 1000 * BYTES_PER_SECOND / 2 / QUERY_BYTES))
        asked, rest = self._unasked[:count], self._unasked[count:]
        self._unasked = rest + asked
        return b"".join(sysex(Sysex.PIN_STATE_QUERY, bytes([self._board.pins[pin]])) for pin in asked)

    # The serial line.

    _board: FirmataBoard | None = None

    def greet(self, wire: Wire, end: float) -> None:
        """Reset the board, query its pins, and set their modes."""
        self._parser, self._inputs = Parser(at_board=False), dict[str, ConfirmedInput]()
        self._unasked, self._wrong_modes = list(self._moving), set[int]()
        self._sent: dict[str, int] = {}
        self._repeat_at = 0.0
        self._board = None
        try:
            wire.ask(END + bytes([Command.RESET, Command.VERSION]), _find(Command.VERSION), end)
            board = FirmataBoard(
                _surely(wire, Sysex.CAPABILITY_QUERY, Sysex.CAPABILITY, end),
                _surely(wire, Sysex.ANALOG_MAPPING_QUERY, Sysex.ANALOG_MAPPING, end),
            )
        except ConnectionLost:
            raise ConnectionLost(
                "no board with the sketch StandardFirmata answers: is it loaded, and is this its port?"
            ) from None
        self._check(board)
        modes = {pin: mode for part in self._parts.values() for pin, mode in part.modes().items()}
        self._modes = {board.pins[pin]: mode for pin, mode in modes.items()}
        self._ports = sorted({pin // 8 for pin, mode in self._modes.items() if mode in READ})
        self._board = board
        wire.send(END + b"".join(pin_mode(pin, mode) for pin, mode in self._modes.items()))
        wire.send(sampling(self._wirings.sampling) + self._reports())

    def _check(self, board: FirmataBoard) -> None:
        """Check that the board's pins support their wiring."""
        problems, users = [], dict[int, str]()
        for name, part in self._wirings.parts.items():
            for pin, mode in part.modes().items():
                problem = board.problem(pin, mode)
                number = board.pins.get(pin, -1)
                if not problem and number in users:
                    problem = f"{pin} is a pin of {users[number]}"
                users[number] = name
                problems += [f"{name}: {problem}"] if problem else []
        if problems:
            raise Refused("this board does not support this wiring:\n  " + "\n  ".join(problems))

    def exchange(self, wire: Wire, period: int, end: float) -> None:
        """Send changes, and receive until the end of the step."""
        now = wire.clock()
        if now >= self._repeat_at:
            self._repeat_at = now + REPEAT
            wire.send(self._everything())
        wire.send(self._changes() + self._ask_ports() + self._ask_modes(period))
        while wire.clock() < end:
            for message in self._parser.feed(wire.read(end)):
                wire.send(self._take(message))
        self._owed |= self._schedule.pass_time(period)
        self._inject()

    def _everything(self) -> bytes:
        """Repeat everything that a noisy line may have corrupted; the board answers with its pin modes."""
        outputs, self._sent = self._sent, {}
        questions = b"".join(sysex(Sysex.PIN_STATE_QUERY, bytes([number])) for number in self._modes)
        rate = sampling(self._wirings.sampling)
        return END + self._write(outputs) + rate + self._reports() + questions + bytes([Command.VERSION])

    def _take(self, message: FirmataMessage) -> bytes:
        """Process a message; return the reply to it, if any."""
        board = self._board
        assert board is not None, "there is a connection"
        if message.command == Command.ANALOG:
            name, value = f"A{message.number}", message.data[0] | message.data[1] << 7
            limit = board.limit(name)
            if value < limit:
                self._input(name, limit // TOLERANCE).take(value)
            elif limit:
                self.damage.drop()
        elif message.command == Command.DIGITAL:
            return self._take_port(message.number, message.data[0] | message.data[1] << 7)
        elif (message.command, message.number) == (Command.START_SYSEX, Sysex.PIN_STATE):
            return self._check_mode(message.data)
        return b""

    def _input(self, name: str, tolerance: int) -> ConfirmedInput:
        return self._inputs.setdefault(name, ConfirmedInput(tolerance, self.damage.drop))

    def _take_port(self, port: int, bits: int) -> bytes:
        """Take the levels of a port; if they must be confirmed, return the command for another report."""
        assert self._board is not None, "there is a connection"
        is_doubtful = False
        for pin in range(8 * port, 8 * port + 8):
            if self._modes.get(pin) in READ:
                is_doubtful |= not self._input(f"D{pin}", 0).take(bits >> pin % 8 & 1)
        return END + bytes([Command.REPORT_DIGITAL | port, 1]) if is_doubtful else b""

    def _levels(self) -> dict[str, int]:
        """Return the known inputs by all names of their pins."""
        assert self._board is not None, "there is a connection"
        known = {name: known.value for name, known in self._inputs.items() if known.value is not None}
        for name, value in list(known.items()):
            if name.startswith("D"):
                known |= dict.fromkeys(self._board.names(self._board.pins[name]), value)
        return known

    def _check_mode(self, data: bytes) -> bytes:
        """Set a pin's mode again if it is wrong, also when asked once more: the answer may be damaged."""
        wanted = self._modes.get(data[0]) if len(data) >= 2 else None
        if wanted is None:
            return b""
        self.heard()  # other messages are so short that noise can look like them
        pin = data[0]
        if wanted == data[1]:
            self._wrong_modes.discard(pin)
            return b""
        if pin not in self._wrong_modes:
            self._wrong_modes.add(pin)
            return END + sysex(Sysex.PIN_STATE_QUERY, bytes([pin]))
        self._wrong_modes.discard(pin)
        self._repeat_at = 0.0  # perhaps the board has been reset
        self.damage.repair()
        return END + pin_mode(pin, wanted) + self._write(dict(self._sent))

    def _inject(self) -> None:
        """Inject known readings that are due."""
        self._owed &= set(self._parts)
        levels = self._levels()
        for tag in sorted(self._owed):
            value = self._parts[tag].value(levels)
            if value is not None:
                channel = "position" if self.robot.device_type(tag) == "PositionSensor" else "value"
                self.robot.inject(tag, channel, value)
                self._owed.discard(tag)

    def leave(self, wire: Wire) -> None:
        """Reset the pins as after power-up, which also switches off servos and LEDs."""
        wire.send(END + bytes([Command.RESET]))


def _find(command: int) -> Callable[[bytes], bytes | None]:
    """Return a function that finds the data of the first message of a kind."""

    def find(heard: bytes) -> bytes | None:
        data = (message.data for message in Parser(at_board=False).feed(heard) if message.command == command)
        return next(data, None)

    return find


def _surely(wire: Wire, question: int, answer: int, end: float) -> bytes:
    """Return the data of an answer received twice identically: a single one may be corrupted."""
    seen: set[bytes] = set()
    while (found := wire.ask(END + sysex(question), _find_sysex(answer), end, LONG_ANSWER)) not in seen:
        seen.add(found)
    return found


def _find_sysex(kind: int) -> Callable[[bytes], bytes | None]:
    def find(heard: bytes) -> bytes | None:
        messages = (
            message
            for message in Parser(at_board=False).feed(heard)
            if message.command == Command.START_SYSEX
        )
        return next((message.data for message in messages if message.number == kind), None)

    return find
