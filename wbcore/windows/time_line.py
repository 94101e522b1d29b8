"""Back in time: look at earlier moments of a run, and branch from them.

Looking restores a checkpoint, while the controllers wait; before anything else happens, the world returns to
the present, bit by bit. A branch restores the last checkpoint before its moment: the controllers inside this
process go through what they read until then without the simulation, and the steps from there are simulated
with them (`wbridge.wbcore.controllers.standing`). Where that is not possible, for example with controllers in
processes, it begins at the start again. Both repeat what users did, and need nothing of the controllers but
that the same readings make them do the same; a run that never went back has the same bits.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from wbridge.wbcore.controllers.readings import Logs
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.controllers.standing import Standings, stand_again, standings_of
from wbridge.wbcore.garbage import suspended
from wbridge.wbcore.physics.errors import StateError
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.windows.checkpoints import Checkpoint, Checkpoints
from wbridge.wbcore.windows.driving_pages import KEYBOARD, NO_PAGE
from wbridge.wbcore.windows.hands import Hands
from wbridge.wbcore.windows.history import History, Place
from wbridge.wbcore.windows.interventions import Intervention, Interventions
from wbridge.wbcore.windows.request_handler import WindowRequest

_LOG = logging.getLogger(__name__)
PAUSED = 0
INPUTS = ("control", "stop", "set", "enable", "custom", "key", "release", "message")
"""Requests by which people drive robots; a branch repeats them."""


class _Note(NamedTuple):
    intervention: Intervention
    numbers: tuple[int, ...]
    """Of the nodes that it added, parents first."""

    @property
    def is_of_start(self) -> bool:
        """True for a change that belongs to the start, which a reset keeps."""
        return self.intervention.step == 0 and self.intervention.is_lasting


class _Repeated(NamedTuple):
    """A request that no page sends, so that nobody has to hold what it drives."""

    name: str
    robot: int
    values: Mapping[str, object]
    page: int = NO_PAGE


class _Input(NamedTuple):
    step: int
    request: _Repeated


class _Moment(NamedTuple):
    """What is kept with a checkpoint."""

    steps: int
    """Since the start."""
    standings: Standings
    changes: Place
    hands: Hands


class TimeLine:
    """The past of one run. It attaches itself to `runner.actors` before the interventions when a page first
    shows the world, so that nobody pays for checkpoints before. Logs of controllers begin with the run: a
    controller has to go through all that it has read."""

    def __init__(self, runner: Runner, interventions: Interventions, history: History) -> None:
        self._runner, self._does, self._history = runner, interventions, history
        self.checkpoints = Checkpoints()
        self.is_on = False
        """Whether checkpoints are taken: from the time when a page first shows the world."""
        self.act: Callable[[WindowRequest], None] = lambda request: None
        """Carries out a request again."""
        self.looking: float | None = None
        """The moment (simulated s) that is shown; None: the present."""
        self.target: int | None = None
        """Step at which a branch begins that is on its way."""
        self.hands: Callable[[], Hands] = Hands
        """Returns what people do now."""
        self.note = ""
        """What was special about the last branch, for users."""
        self._present: bytes | None = None
        self._is_broken = False
        """Whether a supervisor has reset the world since the user's start."""
        self._notes: list[_Note] = []
        self._inputs: list[_Input] = []
        self._due_notes: deque[_Note] = deque()
        self._due_inputs: deque[_Input] = deque()
        self._renumbered: dict[int, int] = {}
        interventions.noted.append(self._note)
        interventions.resets.append(self._was_reset)
        self.logs = Logs()
        """What controllers inside this process read, for branches."""
        runner.controllers.prepare_inline(lambda inline: inline.keep_readings(self.logs))

    def begin(self) -> None:
        """Take checkpoints from now on: a page shows the world."""
        self.is_on = True
        self._attach()

    def _attach(self) -> None:
        actors = self._runner.actors
        if self not in actors:
            actors.insert(actors.index(self._does), self)

    def shown(self) -> dict[str, object]:
        """Return what pages show: times (simulated s) of the first and last checkpoint, the moment that is
        shown, and the target of a branch on its way."""
        first, last = self.checkpoints.span
        simulation = self._runner.simulation
        now = last if self.looking is not None else max(last, simulation.time)
        target = None if self.target is None else self.target * simulation.step_s
        return {"first": first, "last": now, "looking": self.looking, "target": target, "note": self.note}

    # Looking.

    @suspended()
    def look(self, moment: float) -> None:
        """Pause, and show the last checkpoint at a moment (simulated s) or before it.

        Raises:
            ValueError: the world had other nodes then.
        """
        simulation = self._runner.simulation
        if self.target is not None:
            raise ValueError("wait until the branch is there")
        checkpoint = self.checkpoints.before(moment)
        if checkpoint is None:
            raise ValueError("there is no moment to look at yet: let the world run for a second")
        if simulation.mode != PAUSED:
            simulation.set_mode(PAUSED)
        if self._present is None:
            self._present = simulation.state()
        try:
            simulation.restore(checkpoint.state)
        except StateError:
            raise ValueError(
                "the world had other nodes at that moment; branch from there to see it"
            ) from None
        self.looking = checkpoint.time

    @suspended()
    def return_to_present(self) -> None:
        """Show the present again; the world goes on from there."""
        if self._present is not None:
            present, self._present = self._present, None
            self._runner.simulation.restore(present)
        self.looking = None

    # Branches.

    def branch(self, moment: float) -> None:
        """Go to a moment (simulated s) of this run, and pause there; what came later is forgotten.

        Raises:
            ValueError: the run has not reached this moment.
        """
        self.return_to_present()
        self._attach()
        if self._is_broken:
            raise ValueError("a supervisor has reset the world: there is no way back before that")
        step = round(moment / self._runner.simulation.step_s)
        if not 0 <= step <= self._does.steps:
            raise ValueError(f"a branch begins between 0 and {self._runner.simulation.time:g} s")
        notes = [note for note in self._notes if note.intervention.step < step]
        inputs = [entry for entry in self._inputs if entry.step < step]
        self._give_back(sorted({entry.request.robot for entry in self._inputs} - {KEYBOARD}))
        begin = self._return_to(self.checkpoints.before(moment), step)
        if begin:
            self._notes = [note for note in notes if note.intervention.step < begin]
            self._inputs = [entry for entry in inputs if entry.step < begin]
        self._due_notes = deque(
            note for note in notes if note.intervention.step >= begin and not note.is_of_start
        )
        self._due_inputs = deque(entry for entry in inputs if entry.step >= begin)
        self._renumbered = {}
        self.target = step
        self._runner.play(None)
        if begin:
            self._runner.answer_step()
        if begin == step:
            self._arrive()

    def _return_to(self, checkpoint: Checkpoint | None, step: int) -> int:
        """Return to a checkpoint with the controllers, or to the start; return the steps until there."""
        moment = checkpoint.beside if checkpoint is not None else None
        if checkpoint is None or not isinstance(moment, _Moment) or moment.steps > step:
            self.note = ""
            self._start_again()
            return 0
        why = self._obstacle(moment)
        try:
            astray = {} if why else stand_again(self._runner, moment.standings, checkpoint.state)
        except StateError:
            why, astray = "the world had other nodes then", {}
        if why:
            self.note = f"simulated again from the start: {why}"
            _LOG.info("the branch is simulated from the start, not from a checkpoint: %s", why)
            self._start_again()
            return 0
        self.note = "".join(f'restarted the controller of "{robot}", ' for robot in astray).rstrip(", ")
        for robot, place in astray.items():
            _LOG.warning(
                'warning: robot "%s": its controller did something else (%s) when it was run again with what '
                "it read before %.3f s, and was restarted",
                robot,
                place,
                checkpoint.time,
            )
        self.checkpoints.cut(checkpoint)
        self._history.return_to(moment.changes)
        self._does.go_back(moment.steps)
        return moment.steps

    def _start_again(self) -> None:
        self._history.return_to_start()
        self._does.start_again()

    def _obstacle(self, moment: _Moment) -> str:
        """Return why no branch can begin at a checkpoint; "" if one can."""
        plugin = self._runner.simulation.plugin
        if plugin is not None and not plugin.saves:
            return "the physics plugin does not save its variables"
        if moment.hands.drives:
            return "somebody drove a robot then"
        if moment.hands != self.hands():
            return "other sensors were enabled by pages then"
        return moment.standings.problem

    def _give_back(self, robots: list[int]) -> None:
        """Let nobody drive, as at the start."""
        for robot in robots:
            with suppress(ValueError):  # it came later
                self.act(_Repeated("control", robot, {"on": False}))
        self.act(_Repeated("release", KEYBOARD, {}))

    def _arrive(self) -> None:
        self.target = None
        self._runner.simulation.set_mode(PAUSED)

    def note_input(self, request: WindowRequest) -> None:
        """Note a request by which a person drives a robot."""
        if self.target is None and request.name in INPUTS:
            repeated = _Repeated(request.name, request.robot, request.values)
            self._inputs.append(_Input(self._does.steps, repeated))

    def note_stop(self, robot: int) -> None:
        """Note that a robot (or `KEYBOARD`) was stopped because nobody drives it any more."""
        name = "release" if robot == KEYBOARD else "stop"
        self._inputs.append(_Input(self._does.steps, _Repeated(name, robot, {})))

    def _note(self, intervention: Intervention) -> None:
        numbers: tuple[int, ...] = ()
        if intervention.name == "add":
            name, at, _ = intervention.values
            value = self._does.user.node(intervention.node).get(name)
            numbers = self._numbers(value[at] if isinstance(value, list) else value)
        self._notes.append(_Note(intervention, numbers))

    def _numbers(self, node: Node) -> tuple[int, ...]:
        number = self._runner.simulation.nodes.number
        return tuple(number(inner) for inner in walk(node, into_protos=False))

    # Implementation of `StepActor`.

    def before_step(self) -> None:
        """Repeat what users did before this step, on the way to a branch."""
        if self.target is None:
            return
        step = self._does.steps
        while self._due_inputs and self._due_inputs[0].step <= step:
            entry = self._due_inputs.popleft()
            self.act(entry.request)
            self._inputs.append(entry)
        while self._due_notes and self._due_notes[0].intervention.step <= step:
            self._repeat(self._due_notes.popleft())

    def _repeat(self, note: _Note) -> None:
        intervention = note.intervention
        try:
            self._does.do(
                intervention.name,
                self._renumbered.get(intervention.node, intervention.node),
                *intervention.values,
            )
        except ValueError:
            return  # it was not possible the first time either
        if note.numbers:
            self._renumbered.update(zip(note.numbers, self._notes[-1].numbers, strict=False))

    def after_step(self) -> None:
        """Take a checkpoint if one is due; pause where the branch begins."""
        if self.is_on:
            self.checkpoints.take(self._runner.simulation, self._moment)
        if self.target is not None and self._does.steps >= self.target:
            self._arrive()

    def _moment(self) -> _Moment:
        standings, changes = standings_of(self._runner), self._history.place
        return _Moment(self._does.steps, standings, changes, self.hands())

    def was_reset(self) -> None:
        """The interventions tell it."""

    def _was_reset(self) -> None:
        """The world is at its start: this is another past."""
        self.checkpoints.forget()
        self.looking = self._present = None
        if self._does.steps:
            self._is_broken = True
            return
        self._is_broken = False
        self._notes = [note for note in self._notes if note.is_of_start]
        self._inputs.clear()
        self._due_notes.clear()
        self._due_inputs.clear()
        if self.target is not None:
            self._arrive()
