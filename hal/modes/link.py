"""A robot's link to its simulator: devices, time, steps, and the exchange of packets."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, Any

from hal.modes import report
from hal.modes.battery import Battery, Window
from hal.modes.channel import Channel, ConnectionLost, Lane
from hal.modes.device import Device, handlers_of
from hal.modes.devices import device_class
from hal.modes.inputs import Joystick, Keyboard, Mouse
from hal.modes.routine import AnswerShapes, RequestShapes, ignore, key_of_command
from hal.protocol.configure import (
    CONFIGURE,
    NEW_DEVICES,
    Entry,
    Own,
    RobotInfo,
    read_new_devices,
    read_own,
    read_robot,
)
from hal.protocol.devices import codec_of
from hal.protocol.dialect import R2025A, Dialect
from hal.protocol.errors import ProtocolError
from hal.protocol.packet import GOOD_BYE, UNASKED, Answer, read_answer, write_answer, write_request
from hal.protocol.supervisor import robot_codec

if TYPE_CHECKING:
    from hal.modes.motion import Motion
    from hal.modes.remote.mode import RemoteMode
    from hal.modes.scene.scene import Scene
    from hal.modes.vehicle.car import Car
    from hal.modes.vehicle.driver import Driver
    from hal.modes.window_plugin import WindowPlugin

__all__ = ["RobotLink"]

HEAD = struct.Struct("<HB")
QUIT, LEAVE, JOYSTICK, REMOTE_ON, REMOTE_OFF = 2, 38, 35, 32, 33
PAUSED = 0
END = -1
"""What a step returns when the simulation ends."""
LONGEST_STEP = 2**31 - 1


class RobotLink:
    """One robot, connected to its simulator; `hal.modes.robot` adds what the API asks it."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.info = RobotInfo("")
        self.dialect: Dialect = R2025A
        self.devices: list[Device | None] = [None]
        self.own: Own | None = None
        self.time = 0.0
        self.duration = 0
        """Of the packet that is being written, in ms."""
        self.custom_data = self.model = self.urdf = ""
        self.supervisor = False
        self.simulation_mode = 0
        self.busy: set[int] = set()
        self.numbers: dict[int, float] = {}
        """Commands of devices that have one number, by `key_of_command`, for the next packet."""
        self.pending: dict[int, tuple[Any, ...]] = {}
        self.queued: list[tuple[int, tuple[Any, ...]]] = []
        self.motions: list[Motion] = []
        self.events: int | None = None
        self.stepping = self.quitting = self.told = self.closed = False
        self.turn = RLock()
        """Threads of a controller take turns: one asks, and has its answer, before another one asks."""
        self.is_cut_off = False
        """An answer was waited for when something else happened: nothing can be asked any more."""
        self.keyboard, self.mouse, self.joystick = Keyboard(self), Mouse(self), Joystick(self)
        self.battery, self.window = Battery(self), Window(self)
        self.handlers: dict[int, Callable[..., None]] = {}
        self._scene: Scene | None = None
        self.lane: Lane | None = None
        """Makes steps without packets, while the simulator allows it."""
        self._requests = RequestShapes(self)
        self._answers = AnswerShapes(getattr(channel, "native", None))
        self.remote: RemoteMode | None = None
        """The plugin of remote control, once it was loaded."""
        self.car: Car | None = None
        self.driver: Driver | None = None
        """Of the vehicle library, once a controller has begun it."""
        self.greet_remote = False
        """The simulator must be told about remote control before the next step."""
        self.window_plugin: WindowPlugin | None = None
        """Beside the controller."""
        self.alone = False
        """There is no simulation: the controller drives a real robot, or ends."""

    @property
    def scene(self) -> Scene:
        """The scene that a supervisor sees."""
        if self._scene is None:
            from hal.modes.scene.scene import Scene

            self._scene = Scene(self)
            self.handlers.update(self._scene.handlers())
            self._answers.forget()
        return self._scene

    def start(self) -> None:
        """Send the first request and take the configure packet."""
        self.command(JOYSTICK, 0)
        self._send(0)
        self._receive()

    # Commands of the robot itself.

    def command(self, code: int, *values: Any) -> None:
        """Send a command with the next packet; it takes the place of an earlier one with the same code."""
        self.pending[code] = values

    def queue(self, code: int, *values: Any) -> None:
        """Send a command with the next packet, behind all that are queued."""
        self.queued.append((code, values))

    def _own_block(self) -> bytearray:
        out, codec = bytearray(), robot_codec(self.dialect)
        pending, self.pending = self.pending, {}
        queued, self.queued = self.queued, []
        for code, values in [*sorted(pending.items()), *queued]:
            codec.write_command(out, code, values)
        return out

    # The exchange.

    def may_ask(self, function: str) -> bool:
        """False, with a warning, while a step is under way."""
        with self.turn:
            if self.stepping:
                text = (
                    "ignored: it needs an answer at once, which is not possible between step_begin and "
                    "step_end."
                )
                report.warning(function, text, once=False)
            return not self.stepping

    def exchange(self) -> bool:
        """Send all that waits and take the answer, no time passing; False when the simulation has ended."""
        with self.turn:
            if self.quitting or self.closed:
                return False
            self._send(0)
            self._receive()
            return not self.closed

    def _is_waiting(self, tag: int) -> bool:
        device = self.devices[tag]
        return device is not None and device.waiting

    def _send(self, duration: int) -> None:
        self.duration = duration
        remote = self.remote if self.remote is not None and self.remote.active else None
        if self.numbers:
            packet = None
            if not (self.busy or self.pending or self.queued or remote):
                packet = self._requests.pack(duration, self.numbers, learn=True)
            if packet is not None:
                self.numbers.clear()
                self._send_packet(packet)
                return
            self._requests.spread(self.numbers)
        if remote is not None:
            remote.divert_own(self.pending)
        blocks: list[tuple[int, bytearray]] = []
        if self.pending or self.queued:
            blocks.append((0, self._own_block()))
        if self.busy:
            for tag in sorted(self.busy):
                device = self.devices[tag]
                if device is not None:
                    if remote is not None and remote.divert(device):
                        continue
                    out = bytearray()
                    device.flush(out)
                    if out:
                        blocks.append((tag, out))
            self.busy = {tag for tag in self.busy if self._is_waiting(tag)}
        self._send_packet(write_request(duration, blocks))

    def _send_packet(self, packet: bytes) -> None:
        try:
            self.channel.send(packet)
        except ConnectionLost as error:
            self._lost(error)

    def _receive(self) -> int:
        while True:
            try:
                packet = self.channel.receive()
                if isinstance(packet, bytes):
                    if self._answers.take(packet):
                        return 0
                    packet = read_answer(packet)
                answer = packet
                self._take(answer)
            except (ConnectionLost, ProtocolError) as error:
                self._lost(error)
            except BaseException:  # the user's interruption, for example
                self.is_cut_off = True
                raise
            if answer.delay != UNASKED:
                return answer.delay

    def _lost(self, error: Exception) -> None:
        """The simulator is gone: so goes the controller, as with Webots' own library."""
        self.closed = True
        self.channel.close()
        print(f"Lost the simulator: {error}", file=sys.stderr, flush=True)
        raise SystemExit(1)

    def _take(self, answer: Answer) -> None:
        if not self._answers.take(write_answer(0, answer.data)):
            self._take_messages(answer.data)
        devices = self.devices
        for tag, code, pixels in answer.images:
            device = devices[tag] if tag < len(devices) else None
            take = getattr(device, "take_image", None)
            if take is not None:
                take(code, pixels)

    def _take_messages(self, data: bytes) -> None:
        at, end = 0, len(data)
        known: list[Any] = []
        while at < end:
            if end - at < 3:
                raise ProtocolError("the head of a message is cut off")
            tag, code = HEAD.unpack_from(data, at)
            at += 3
            if tag == 0:
                if code in (CONFIGURE, NEW_DEVICES):
                    at, known = self._take_devices(code, data, at), [None]
                    continue
                codec, handlers = robot_codec(self.dialect), self.handlers
            else:
                device = self.devices[tag] if tag < len(self.devices) else None
                if device is None:
                    raise ProtocolError(f"a message {code} for device {tag}, which there is not")
                codec, handlers = device.codec, device.handlers
            values, at = codec.read_message(code, data, at)
            handler: Callable[..., None] = handlers.get(code, ignore)
            handler(*values)
            known.append((tag, code, codec.messages[code].layout, handler))
        if None not in known:
            self._answers.learn(end, known)

    def _take_devices(self, code: int, data: bytes, at: int) -> int:
        self._answers.forget()
        if code == NEW_DEVICES:
            entries, at = read_new_devices(data, at, self.dialect)
            self._add_devices(entries)
        elif self.own is None and self.info.supervisor:
            self.own, at = read_own(data, at)
        else:
            info, self.dialect, at = read_robot(data, at)
            self._configure(info)
        return at

    def _configure(self, info: RobotInfo) -> None:
        self.info, self.own = info, None
        self.time, self.model, self.custom_data = info.time, info.model, info.custom_data
        self.supervisor, self.simulation_mode = info.supervisor, info.simulation_mode
        self.devices = [None]
        self.handlers = {}
        self._scene = None
        for owner in (self, self.keyboard, self.mouse, self.joystick, self.battery, self.window):
            self._add_handlers(owner)
        self._add_devices(info.devices)

    def _add_handlers(self, owner: object) -> None:
        self.handlers.update(handlers_of(owner, robot_codec(self.dialect)))

    def watch_window(self, plugin: WindowPlugin) -> None:
        """Let a plugin take the simulator's messages about the robot's window."""
        self._add_handlers(plugin)

    def _add_devices(self, entries: tuple[Entry, ...]) -> None:
        for node_type, name, model in entries:
            codec = codec_of(node_type, self.dialect)
            tag, device = len(self.devices), None
            if codec is not None:
                device = device_class(node_type)(self, tag, node_type, name, model, codec)
            self.devices.append(device)

    @staticmethod
    def command_key(tag: int, code: int) -> int:
        """The key of a device's command in `numbers`."""
        return key_of_command(tag, code)

    def listener(self, tag: int, code: int) -> Callable[..., None]:
        """Who takes messages with this code, of a device or (tag 0) of the robot."""
        device = self.device(tag)
        handlers = self.handlers if device is None else device.handlers
        return handlers.get(code, ignore)

    # What comes with the answers.

    def take_time(self, seconds: float) -> None:
        """The simulated time; one that goes back means that the simulation was reset."""
        if self.alone and self.remote is not None and self.remote.active:
            return  # the clock of the room counts: the stand-in for a simulator knows of no late steps
        if seconds < self.time and self._scene is not None:
            self._scene.take_simulation_was_reset()
        self.time = seconds

    def take_quit(self) -> None:
        """The simulation ends."""
        self.quitting = True

    def take_simulation_mode(self, mode: int) -> None:
        """The speed has changed."""
        self.simulation_mode = mode
        if mode == PAUSED and self.remote is not None:
            self.remote.pause()

    def take_custom_data(self, data: str) -> None:
        """Somebody else changed the custom data."""
        self.custom_data = data

    def take_supervisor(self, supervisor: bool) -> None:
        """The robot has become a supervisor, or is none any more."""
        self.supervisor = supervisor

    def take_model(self, model: str) -> None:
        """The model has changed."""
        self.model = model

    def take_urdf(self, text: str) -> None:
        """The URDF that was asked for."""
        self.urdf = text

    def take_event(self, events: int) -> None:
        """An event that was waited for has happened."""
        self.events = events

    # Steps.

    def step_begin(self, duration: int) -> int:
        """Begin a step; the simulation goes on while the controller computes (see `step_end`).

        Args:
            duration: in ms, a multiple of the basic time step.

        Returns:
            0, or -1 when the simulation ends.
        """
        duration = int(duration)
        if not 0 <= duration <= LONGEST_STEP:
            report.error("wb_robot_step", f"called with a duration of {duration} ms; allowed are 0 and more.")
            return 0
        if self.stepping:
            report.error("wb_robot_step", "called between step_begin and step_end; call step_end first.")
            return 0
        if self.quitting:
            return self._end()
        if self.closed:
            raise SystemExit(0)
        for motion in self.motions:
            motion.play_step(duration)
        if self._scene is not None:
            self._scene.send_sets()
        if self.greet_remote:
            self._greet_remote()
        self._send(duration)
        self.stepping = True
        return 0

    def _greet_remote(self) -> None:
        """Let no time pass, then tell the plugin all that lasts."""
        self.greet_remote = False
        self.pending[REMOTE_ON] = ()
        self.exchange()
        self.battery.say_again()
        for device in self.devices:
            if device is not None:
                device.say_all()

    def step_end(self) -> int:
        """Wait for the end of the step that `step_begin` began.

        Returns:
            0 for a synchronous robot, else by how many ms the simulation was ahead; -1 when it ends.
        """
        if not self.stepping:
            if self.quitting:
                return END
            report.error("wb_robot_step_end", "called without step_begin.")
            return 0
        try:
            late = self._step_remote()
            delay = self._receive()
        finally:
            self.stepping = False
        return self._end() if self.quitting else delay if late is None else late

    def _step_remote(self) -> int | None:
        """Let the plugin make the step; by how many ms it was late, None in simulation."""
        if self.remote is None or not self.remote.active:
            return None
        late = self.remote.step(self.duration)
        if self.alone:
            self.time = round(1000 * self.time + self.remote.duration) / 1000  # the clock of the room
        if self.remote.failed:
            self.leave_remote()
            if self.alone:
                raise SystemExit(1)
        return late

    def leave_remote(self) -> None:
        """Back to simulation: the plugin stops the robot, and the simulator is told all that lasts."""
        if self.remote is None or not self.remote.active:
            return
        self.remote.stop()
        self.tell_simulation()

    def tell_simulation(self) -> None:
        """Tell the simulator that remote control has ended, and all that lasts."""
        if self.greet_remote:
            self.greet_remote = False  # the simulator never knew
            return
        self.pending[REMOTE_OFF] = ()
        self.battery.say_again()
        for device in self.devices:
            if device is not None:
                device.say_again()

    def step(self, duration: int) -> int:
        """Let the simulation run: send commands, wait, and take the sensors' values.

        Args:
            duration: in simulated ms, a multiple of the basic time step.

        Returns:
            0 for a synchronous robot, else by how many ms the simulation was ahead; -1 when it ends: the
            controller has then a second to clean up.
        """
        with self.turn:
            says_more = self.busy or self.pending or self.queued or self.motions or self.stepping
            if not (says_more or self._scene is not None or self.remote is not None or self.greet_remote):
                lane = self.lane
                if lane is not None:
                    done = lane.step(duration, self.numbers)
                    if done:
                        return 0 if done > 0 else self._await_end(duration)
                if self.numbers and type(duration) is int and 0 <= duration <= LONGEST_STEP:
                    packet = self._requests.pack(duration, self.numbers)
                    if packet is not None and not (self.quitting or self.closed):
                        return self._step_at_once(packet, duration)
            if self.step_begin(duration) == END:
                return END
            return self.step_end() if self.stepping else 0

    def _step_at_once(self, packet: bytes, duration: int) -> int:
        """A step that has nothing to do but to send commands with one number."""
        self.numbers.clear()
        try:
            self.channel.send(packet)
        except ConnectionLost as error:
            self._lost(error)
        return self._await_end(duration)

    def _await_end(self, duration: int) -> int:
        """Wait for the end of a step that has begun, with nothing to do meanwhile."""
        self.duration = duration
        self.stepping = True
        try:
            delay = self._receive()
        finally:
            self.stepping = False
        return self._end() if self.quitting else delay

    def _end(self) -> int:
        if self.told:
            raise SystemExit(0)
        self.told = True
        self.close()
        return END

    def cleanup(self) -> None:
        """Tell the simulator that the controller has done its work, and leave."""
        with self.turn:
            if self.stepping and not (self.closed or self.quitting or self.is_cut_off):
                self.step_end()
            if self.remote is not None:
                self.remote.cleanup()
            if not (self.closed or self.quitting or self.is_cut_off):
                self.pending[LEAVE] = ()
                if self.exchange():
                    self._good_bye()
            self.close()

    def _good_bye(self) -> None:
        try:
            self.channel.send(GOOD_BYE)
        except ConnectionLost:
            self.closed = True

    def close(self) -> None:
        """End the connection without a word."""
        if not self.closed:
            self.closed = True
            self.channel.close()

    # Devices.

    def device(self, tag: int) -> Device | None:
        """The device with a tag; None when there is none."""
        return self.devices[tag] if 0 < tag < len(self.devices) else None

    def names(self) -> list[str]:
        """The names of all devices."""
        return [one.name for one in self.devices if one is not None]
