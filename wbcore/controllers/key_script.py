"""Key presses of a run without a user, from a file: one line for each press or release.

    # time (s)  what     key
    0.5         press    UP
    2.0         release  UP
    2.5         press    CONTROL+B

A controller that reads the keyboard at the given simulated time, or later, gets the new state. Commas between
the three parts are allowed, and empty lines and comments.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.robots.user import Keyboard, code_of
from wbridge.wbcore.scene.diagnostics import did_you_mean

ACTIONS = ("press", "release")
MODIFIERS = ("SHIFT", "CONTROL", "ALT")
SPACE = "SPACE"
_LINE = re.compile(r"(\S+?)(?:\s*,\s*|\s+)(\w+)(?:\s*,\s*|\s+)(\S+)(?:\s+#.*)?")
SAME_TIME_S = 1e-9
"""Rounding of times that are meant to be the end of a step."""


class BadKeyScript(ValueError):
    """Raised for a file of key presses that cannot be used; the text has the place and says why."""


class KeyEvent(NamedTuple):
    """A key that is pressed or released at a time."""

    time_s: float
    is_press: bool
    key: str
    """One character, or a name of `wbridge.wbcore.robots.user.KEYS`."""
    modifiers: frozenset[str] = frozenset()
    """Of a press: some of `MODIFIERS`."""

    def act(self, keyboard: Keyboard) -> None:
        """Press or release the key."""
        if not self.is_press:
            keyboard.release(self.key)
            return
        shift, control, alt = (modifier in self.modifiers for modifier in MODIFIERS)
        keyboard.press(self.key, shift=shift, control=control, alt=alt)


class KeyScript:
    """Presses keys in a run; attach it to `runner.actors`. After a reset it starts again."""

    def __init__(self, runner: Runner, events: Iterable[KeyEvent]) -> None:
        self._runner = runner
        self._events = tuple(events)
        self._left: deque[KeyEvent] = deque()
        self._time = 0.0
        self.was_reset()

    def before_step(self) -> None:
        """Act for all times up to the end of the step to come."""
        simulation = self._runner.simulation
        if simulation.time < self._time:  # another world
            self.was_reset()
        self._time = simulation.time
        end = simulation.time + simulation.step_s + SAME_TIME_S
        while self._left and self._left[0].time_s <= end:
            self._left.popleft().act(simulation.robots.user.keyboard)

    def after_step(self) -> None:
        """Do nothing."""

    def was_reset(self) -> None:
        """Release all keys and start again."""
        self._time = 0.0
        self._left = deque(self._events)
        self._runner.simulation.robots.user.keyboard.release_all()


def read_key_script(path: Path) -> list[KeyEvent]:
    """Read a file of key presses.

    Raises:
        OSError: the file cannot be read.
        BadKeyScript: a line is not a press or a release.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as problem:
        raise BadKeyScript(f"{path}: not a text file: {problem.reason}") from None
    return list(_events(path, lines))


def _events(path: Path, lines: list[str]) -> Iterator[KeyEvent]:
    down: set[int] = set()
    last = 0.0
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            event = _event(text)
            if event.time_s < last:
                raise ValueError(f"the time {event.time_s:g} s is before that of the line above, {last:g} s")
            _note(event, down)
        except ValueError as problem:
            raise BadKeyScript(f"{path}:{number}: {problem}") from None
        last = event.time_s
        yield event


def _event(text: str) -> KeyEvent:
    match = _LINE.fullmatch(text)
    if match is None:
        raise ValueError(f'"{text}" is not a time (s), press or release, and a key, as in: 0.5 press UP')
    time, action, key = match[1], match[2].lower(), match[3]
    if action not in ACTIONS:
        raise ValueError(f'"{action}"; allowed: {" or ".join(ACTIONS)}{did_you_mean(action, ACTIONS)}')
    modifiers, name = _split(key)
    code_of(name)
    return KeyEvent(_seconds(time), action == "press", name, modifiers)


def _seconds(text: str) -> float:
    try:
        time = float(text)
    except ValueError:
        time = math.nan
    if not 0 <= time < math.inf:
        raise ValueError(f'the time "{text}" is not a number of seconds from 0 on')
    return time


def _split(text: str) -> tuple[frozenset[str], str]:
    """Return the modifiers and the key of a combination such as SHIFT+CONTROL+A."""
    if text.upper().removesuffix("+") in MODIFIERS:
        raise ValueError(f"{text} alone is not reported to controllers; combine it with a key, as in SHIFT+A")
    *before, last = text[:-1].split("+")
    modifiers, name = [word.upper() for word in before], last + text[-1]
    for modifier in modifiers:
        if modifier not in MODIFIERS:
            raise ValueError(
                f'no modifier "{modifier}"; allowed: '
                f"{', '.join(MODIFIERS)}{did_you_mean(modifier, MODIFIERS)}"
            )
    if name.upper() in MODIFIERS:
        raise ValueError(
            f"{name} alone is not reported to controllers; combine it with a key, as in {name}+A"
        )
    return frozenset(modifiers), " " if name.upper() == SPACE else name


def _note(event: KeyEvent, down: set[int]) -> None:
    """Follow which keys are down."""
    code = code_of(event.key)
    if event.is_press:
        down.add(code)
    elif code in down:
        down.remove(code)
    else:
        raise ValueError(f'"{event.key}" is released without being pressed before')
