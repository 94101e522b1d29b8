"""Servos that share a serial line, as bus_servo.c talks with them: changed commands go to all servos in one
packet, which none of them answers; then one servo is asked for its state, and the line waits for it."""

from wb import board

PER_RAD = 651.8986469044033  # counts: 4096 per turn
PATIENCE_MS, LONGEST_TALK = 4, 131  # for an answer, in addition to the time of these bytes
MOST_MISSED, LOST = 20, 3  # missing answers: no state any more; perhaps it had no power
AT_ONCE = 3  # servos in one packet
INFINITY = float("inf")
line = []
"""The line of the board, once it has servos."""


class Line:
    """The servos; `protocol` has their packets: torque, goals, ask, take."""

    def __init__(self, protocol, baud):
        self.protocol, self.servos = protocol, []
        self._port = board.line(baud)
        self._patience = PATIENCE_MS + 10000 * LONGEST_TALK // baud
        self._asked, self._next, self._waited = None, 0, 0
        self._heard = self._out = b""

    def update(self, elapsed):
        """Send what has changed, or wait for an answer."""
        waiting = self._port.any()
        if waiting:
            self._heard += self._port.read(waiting)
        if self._asked is not None and self._is_answering(elapsed):
            return
        if self._out:
            self._send(b"")
            return
        _ = self._switch_on() or self._send_goals(False) or self._send_goals(True)
        servo = self._asked = self.servos[self._next]
        self._next = (self._next + 1) % len(self.servos)
        self._waited, self._heard = 0, b""
        self._send(self.protocol.ask(servo.id))

    def _send(self, packet):
        """Send a packet, as much of it as the line takes now; the rest follows."""
        self._out += packet
        self._out = self._out[self._port.write(self._out) or 0 :]

    def _is_answering(self, elapsed):
        servo = self._asked
        self._waited += elapsed
        state = self.protocol.take(self._heard, servo.id)
        if state is not None:
            servo.answered(state)
        elif self._waited < self._patience:
            return True
        else:
            servo.miss()
        self._asked = None
        return False

    def _switch_on(self):
        chosen = [one for one in self.servos if one.wants_torque][:AT_ONCE]
        for one in chosen:
            one.wants_torque = False
        if chosen:
            self._send(self.protocol.torque([one.id for one in chosen]))
        return bool(chosen)

    def _send_goals(self, wheels):
        chosen = [one for one in self.servos if one.wants_goal and one.is_wheel == wheels][:AT_ONCE]
        rows = [one.goal() for one in chosen]
        for one in chosen:
            one.wants_goal = one.holds = False
        rows = [row for row in rows if row is not None]
        if rows:
            self._send(self.protocol.goals(rows, wheels))
        return bool(rows)


class Servo:
    """A motor. Subclasses name the protocol of its line."""

    def __init__(self, settings, drivers):
        self.id, self.is_wheel = settings["id"], settings["wheel"]
        self._sign = -1 if settings["inverted"] else 1
        self._zero, self._most_torque = settings["zero"], settings["max_torque"]
        self._position, self._velocity = INFINITY if self.is_wheel else 0.0, settings["max_velocity"]
        self.wants_torque = self.wants_goal = self.holds = False
        self._active, self._state, self._missed = False, None, 0
        if not line:
            line.append(Line(self.protocol(), settings["baud"]))
        self._is_first = not line[0].servos
        line[0].servos.append(self)

    def update(self, elapsed):
        """Let the line work: it is the first servo's."""
        if self._is_first:
            line[0].update(elapsed)

    def _command(self):
        self.wants_torque = self.wants_torque or not self._active
        self.wants_goal, self.holds, self._active = True, False, True

    def position(self, position):
        """Set the target position."""
        self._position = position
        self._command()

    def velocity(self, velocity):
        """Set the velocity."""
        self._velocity = velocity
        if self.is_wheel or self._active:
            self._command()

    def stop(self):
        """Stop a wheel; let a joint hold the position that it has."""
        if self._active:
            self.wants_torque = False
            self.wants_goal = self.holds = self.is_wheel or self._state is not None

    def goal(self):
        """Return number, position and speed in counts; None if there is nothing to send."""
        speed = _whole(self._velocity * self._sign * PER_RAD)
        if self.is_wheel:
            stands = self.holds or abs(self._position) != INFINITY
            return self.id, 0, 0 if stands else -speed if self._position < 0 else speed
        stays = self.holds or speed == 0
        if abs(self._position) == INFINITY or (stays and self._state is None):
            return None
        place = self._state[0] if stays else _whole(self._zero + self._position * self._sign * PER_RAD)
        return self.id, place, abs(speed) or 1

    def answered(self, state):
        """Take position (counts), load (0.1 %), voltage (0.1 V) and temperature (degrees Celsius)."""
        if self._missed >= LOST and self._active:
            self.wants_torque = self.wants_goal = True
        self._state, self._missed = state, 0

    def miss(self):
        """There was no answer."""
        self._missed = min(self._missed + 1, MOST_MISSED)
        if self._missed == MOST_MISSED:
            self._state = None

    def present(self):
        """Return the position; None if the servo does not answer."""
        return None if self._state is None else (self._state[0] - self._zero) * self._sign / PER_RAD

    def health(self, voltage):
        """Return the supply voltage or the temperature; None if the servo does not answer."""
        if self._state is None:
            return None
        return self._state[2] / 10 if voltage else float(self._state[3])

    def torque_feedback(self):
        """Return the torque in Nm; None if the servo does not answer."""
        return None if self._state is None else self._state[1] * self._sign / 1000 * self._most_torque


class Health:
    """The sensor of the temperature or of the supply voltage that a servo reports."""

    def __init__(self, settings, drivers):
        self._motor, self._drivers, self._voltage = settings["motor"], drivers, settings["voltage"]

    def value(self):
        """Return degrees Celsius or V; None if the servo does not answer."""
        servo = self._drivers.get(self._motor)
        return None if servo is None else servo.health(self._voltage)


class Position:
    """The sensor of the position that a servo reports."""

    def __init__(self, settings, drivers):
        self._motor, self._drivers = settings["motor"], drivers

    def position(self):
        """Return the position; None if the servo does not answer."""
        servo = self._drivers.get(self._motor)
        return None if servo is None else servo.present()


def _whole(number):
    limited = min(max(number, -1e6), 1e6)
    return int(limited - 0.5 if limited < 0 else limited + 0.5)


def put(number, size):
    """Return the bytes of a whole number, the low byte first."""
    return bytes([number >> 8 * k & 255 for k in range(size)])
