"""The motion of a stepper motor, as steps.c computes it: when it makes its next step, and in which
direction. A timer makes the steps, so that they come in time also while the controller computes."""

from time import ticks_add, ticks_diff, ticks_ms

from wb import board

INFINITY = float("inf")
FULL_TURN = 6.283185307179586
LEAST_GAIN = 1e-6  # steps per s2
MOST_DUE = 2.0  # steps that a busy board makes up for; more would come too fast for the motor
AT_WORK, BEGINNING, RELEASING, SEEKING, LOST = range(5)


class Steps:
    """Counts the steps of a motor; it starts at position 0, with its maximum velocity. Its velocity rises and
    falls at the same rate, so that the way it takes to stand is known at any time."""

    def __init__(self, settings):
        self._settings = settings
        self._per_unit = settings["steps"] if settings["linear"] else settings["steps"] / FULL_TURN
        self.count = 0
        self._stage, self._is_homed = AT_WORK, not settings["home"]
        self._switch = board.input(settings["home"], True) if settings["home"] else None
        self._halt()
        self.stop()

    def stop(self):
        """Forget all commands and stand still."""
        settings = self._settings
        if self.heading or self._stage != AT_WORK:
            self._is_homed = self._switch is None
        self._stage = AT_WORK
        self._position, self._velocity = 0.0, settings["max_velocity"]
        self.accelerate(settings["acceleration"] or settings["own_acceleration"])
        self._active = False
        self._stays = None  # the place (steps) of a motor without a target

    def _halt(self):
        self.heading, self._rate, self._part = 0, 0.0, 0.0

    def position(self, position):
        """Set the target position."""
        self._position, self._stays = position, None
        self._begin()

    def velocity(self, velocity):
        """Set the velocity; a motor without a target position stays where it is."""
        if not self._active:
            self._stays = self.count
        self._velocity = velocity
        self._begin()

    def accelerate(self, acceleration):
        """Set the acceleration, -1 for any; the limit of the map stands."""
        most = self._settings["acceleration"]
        if most and not 0 <= acceleration <= most:
            acceleration = most
        self._gain = None if acceleration < 0 else max(acceleration * self._per_unit, LEAST_GAIN)
        self._least = 0.0 if self._gain is None else (self._gain / 2) ** 0.5  # mean of a first step

    def _begin(self):
        """Follow the commands, after the way to the switch."""
        if not self._is_homed and self._stage == AT_WORK:
            self._left = self._settings["home_travel"] * self._per_unit
            self._stage = BEGINNING
        self._active = True

    def _is_at_switch(self):
        return bool(self._switch.value()) == self._settings["home_opens"]

    def _direction(self):
        """Return the direction of the command: 1, -1, or 0 if the motor is at its position or stands."""
        if self._velocity == 0:
            return 0
        if self._is_free():
            return 1 if (self._position > 0) == (self._velocity > 0) else -1
        target = self._target()
        return (self.count < target) - (self.count > target)

    def _is_free(self):
        return self._stays is None and abs(self._position) == INFINITY

    def _target(self):
        if self._stays is not None:
            return self._stays
        return _whole(self._position * self._per_unit)

    def next(self, elapsed):
        """Return the next step after some ms: 1 forward, -1 backward, 0 none yet; at most one per call."""
        if not self._active:
            self._halt()
            return 0
        if self._stage != AT_WORK:
            return self._search(elapsed / 1000)
        self._lead(self._direction(), abs(self._velocity) * self._per_unit, elapsed / 1000, self._brakes())
        return self._advance(elapsed / 1000)

    def _brakes(self):
        """Return True if the motor must brake now to stand at its target."""
        if self._is_free() or self._gain is None:
            return False
        ahead = (self._target() - self.count) * self.heading - self._part
        return self._rate * self._rate / (2 * self._gain) >= ahead

    def _lead(self, way, cruise, seconds, brakes):
        """Change rate and heading for some time; `brakes`: to stand at a target."""
        least = min(self._least, cruise)
        if (self._gain is None or self._rate <= least) and way != self.heading:
            self._halt()
            self.heading = way
        if self._gain is None:
            self._rate = cruise
        elif way != self.heading or brakes:
            self._rate = max(self._rate - self._gain * seconds, min(self._rate, least))
        else:
            change = self._gain * seconds
            self._rate += min(max(cruise - self._rate, -change), change)

    def _advance(self, seconds):
        """Let time pass; return the step."""
        if not self.heading:
            return 0
        self._part = min(self._part + self._rate * seconds, MOST_DUE)
        if self._part < 1:
            return 0
        self._part -= 1
        self.count += self.heading
        return self.heading

    def _search(self, seconds):
        """Move toward the switch; return the step. From a closed one the motor moves away first: where a
        switch closes is known better than where it is closed."""
        is_there = self._is_at_switch()
        if self._stage == BEGINNING:
            self._stage = RELEASING if is_there else SEEKING
        leaves = self._stage == RELEASING
        if self._stage == LOST or is_there != leaves:
            self._halt()
            if self._stage == SEEKING:
                self._arrive()
            elif leaves:
                self._stage = SEEKING
            return 0
        velocity = self._settings["home_velocity"]
        self._lead(
            1 if (velocity > 0) != leaves else -1, abs(velocity) * self._per_unit, seconds, brakes=False
        )
        step = self._advance(seconds)
        self._left -= abs(step)
        if self._left <= 0:
            self._stage = LOST
        return step

    def _arrive(self):
        """The motor is at its switch."""
        self._stage, self._is_homed = AT_WORK, True
        self.count = _whole(self._settings["home_position"] * self._per_unit)
        if self._stays is not None:
            self._stays = self.count


def _whole(steps):
    return int(steps - 0.5 if steps < 0 else steps + 0.5)


class Motor:
    """A stepper motor, at position 0 at first. Its drivers make the steps in `tick`, which a timer calls."""

    motors = []
    ticked = 0

    def __init__(self, settings):
        self._inverted = settings["inverted"]
        self._motion = Steps(settings)
        self.position, self.velocity = self._motion.position, self._motion.velocity
        self.acceleration = self._motion.accelerate
        if not Motor.motors:
            Motor.ticked = ticks_ms()
            board.every(1, _tick)
        Motor.motors.append(self)

    def stop(self):
        """Make no step until the next command."""
        self._motion.stop()


def _tick(_timer):
    """Let all motors make their steps; late calls make up for lost time."""
    elapsed = ticks_diff(ticks_ms(), Motor.ticked)
    Motor.ticked = ticks_add(Motor.ticked, elapsed)
    for motor in Motor.motors:
        motor.tick(elapsed)
