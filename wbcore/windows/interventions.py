"""What the user does to a running world: carried out between two steps, noted, and repeated from the notes.

Each intervention is noted with the number of steps before it, since the start or since the user has reset the
world. The same world, controllers, seed and interventions give the same motion bit by bit. A file of
interventions has one JSON object per line:

    {"step": 120, "do": "set", "node": 7, "values": ["translation", -1, [0, 0, 1]]}

`do` is "set" (field, element of a list or -1, value), "push" (force in N, point in the solid's frame in m),
"turn" (torque in N m), "hold" (stop the solid for a step), "add" (field of `node`, place in it, text of the
new node) or "remove". `node` is the number of the node, as for supervisors; 0 is the whole world.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.windows.user_supervisor import Back, FieldBefore, Removed, UserSupervisor

ACTIONS = ("set", "push", "turn", "hold", "add", "remove")
LASTING = ("set", "add", "remove")
"""Those that change the world itself; before the first step they belong to its start."""
_VECTORS = {"push": 2, "turn": 1, "hold": 0, "remove": 0}
"""Number of vectors that these have."""
PAUSED = 0
MOST_WAITING = 2000
"""Maximum interventions that wait for the next step."""
Done = Callable[[str], object]
"""Called with the reason why an intervention was not possible; "" if it was."""


class BadFile(ValueError):
    """Raised for a file of interventions that cannot be read; the text names the line and says why."""


class Intervention(NamedTuple):
    """One change by the user."""

    step: int
    """Steps before it, since the start or the user's last reset."""
    name: str
    """One of `ACTIONS`."""
    node: int
    """Number of the node, as for supervisors."""
    values: tuple[Any, ...]

    @property
    def is_lasting(self) -> bool:
        """True for a change of the world itself, which belongs to its start before the first step."""
        return self.name in LASTING

    def line(self) -> str:
        """Return the line of a file."""
        data = {"step": self.step, "do": self.name, "node": self.node, "values": self.values}
        return json.dumps(data, separators=(", ", ": ")) + "\n"


class Interventions:
    """Carries out what the user does in one run; attach it to `runner.actors`."""

    def __init__(self, runner: Runner, free: Collection[str] = ()) -> None:
        """
        Args:
            runner: the run.
            free: fields that start programs, which its user may set.
        """
        self._runner, self._free = runner, free
        self.noted: list[Callable[[Intervention], object]] = []
        """Called with each intervention that was carried out."""
        self.each_step: list[Callable[[], object]] = []
        """Called before each step, for interventions that last: they call `do`."""
        self.resets: list[Callable[[], object]] = []
        """Called when the simulation is back at its start, also that of another world."""
        self.rewinds: list[Callable[[int], object]] = []
        """Called with the number of steps when the run goes on from an earlier moment."""
        self._start = runner.steps
        """Steps of the run at the start, or at the last reset by the user."""
        self._waiting: deque[tuple[Callable[[], object], Done]] = deque()
        self._of: Simulation | None = None
        self._user: UserSupervisor | None = None

    @property
    def steps(self) -> int:
        """Steps since the start, or since the user's last reset."""
        return self._runner.steps - self._start

    @property
    def simulation(self) -> Simulation:
        """The current simulation of the run."""
        return self._runner.simulation

    @property
    def user(self) -> UserSupervisor:
        """The user in the current simulation of the run."""
        simulation = self._runner.simulation
        if self._user is None or self._of is not simulation:
            self._of, self._user = simulation, UserSupervisor(simulation, self._free)
        return self._user

    def ask(self, name: str, node: int, *values: object, done: Done = lambda problem: None) -> None:
        """Carry out an intervention before the next step; at once if the run is paused."""
        self.later(lambda: self.do(name, node, *values), done)

    def later(self, act: Callable[[], object], done: Done = lambda problem: None) -> None:
        """Call a function that carries out interventions before the next step; at once if the run is paused.

        Args:
            act: the function; it raises ValueError for what is not possible.
            done: called afterwards.
        """
        if len(self._waiting) >= MOST_WAITING:
            done("too many changes at once; this one was dropped")
            return
        self._waiting.append((act, done))
        if self._runner.simulation.mode == PAUSED:
            self._carry_out()

    def do(self, name: str, node: int, *values: object) -> Back | None:
        """Carry out an intervention now, between two steps.

        Returns:
            what is needed to take it back, for those of `LASTING`.

        Raises:
            ValueError: it is not possible.
        """
        act: Callable[..., Back | None] = getattr(self.user, name)
        back = act(node, *values)
        self._note(name, node, values)
        return back

    def take_back(self, back: Back) -> Back:
        """Take an intervention back now, between two steps; return what is needed to make it again.

        Raises:
            ValueError: it is not possible any more.
        """
        user, nodes = self.user, self._runner.simulation.nodes
        if isinstance(back, Removed):
            again: Back = user.restore(back)
            self._note("add", nodes.number(back.holder), (back.name, back.at, back.text))
        elif isinstance(back, FieldBefore):
            again = user.set_back(back)
            self._note("set", user.number(back.node), (back.name, back.item, back.value))
        else:
            number = user.number(back.node)
            again = user.remove(number)
            self._note("remove", number, ())
        return again

    def _note(self, name: str, node: int, values: tuple[object, ...]) -> None:
        made = Intervention(self.steps, name, node, values)
        for note in self.noted:
            note(made)

    def start_again(self) -> None:
        """Reset the world and restart the controllers; later interventions count from here."""
        self._start = self._runner.steps
        self._runner.start_again()

    def go_back(self, steps: int) -> None:
        """Go on from an earlier moment, to whose state the world has returned.

        Args:
            steps: before it.
        """
        self._start = self._runner.steps - steps
        self._waiting.clear()
        if self._user is not None:
            self._user.reset()
        for react in self.rewinds:
            react(steps)

    def _carry_out(self) -> None:
        while self._waiting:
            act, done = self._waiting.popleft()
            try:
                act()
            except ValueError as problem:
                done(str(problem))
            else:
                done("")

    # Implementation of `StepActor`.

    def before_step(self) -> None:
        """Carry out what waits and what lasts."""
        if self._waiting:
            self._carry_out()
        for act in self.each_step:
            act()
        if self._user is not None:
            self.user.before_step()

    def after_step(self) -> None:
        """Finish the step."""
        if self._user is not None:
            self.user.after_step()

    def was_reset(self) -> None:
        """The simulation is back at its start."""
        self._waiting.clear()
        if self._user is not None:
            self.user.reset()
        for react in self.resets:
            react()


class InterventionFile:
    """Writes interventions to a file, line by line. When the user resets the world, it begins again after
    those before the first step."""

    def __init__(self, path: Path) -> None:
        """
        Raises:
            OSError: the file cannot be written.
        """
        self._file: TextIO = path.open("w", encoding="utf-8")
        self._noted: list[Intervention] = []

    def note(self, made: Intervention) -> None:
        """Write one."""
        if self._noted and made.step < self._noted[-1].step:
            self._rewrite([first for first in self._noted if first.step == 0 and first.is_lasting])
        self._noted.append(made)
        self._file.write(made.line())

    def go_back(self, steps: int) -> None:
        """Forget those after a number of steps: the run goes on from there."""
        self._rewrite([earlier for earlier in self._noted if earlier.step < steps])

    def _rewrite(self, noted: list[Intervention]) -> None:
        self._noted = noted
        self._file.seek(0)
        self._file.truncate()
        self._file.writelines(kept.line() for kept in noted)

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


class Replay:
    """Repeats the interventions of a file in a run; attach it to `runner.actors`."""

    def __init__(self, runner: Runner, interventions: list[Intervention]) -> None:
        self._runner = runner
        runner.simulation.nodes.count_all()  # at the start, as in the run that is repeated
        self._left = deque(interventions)
        self._does = Interventions(runner)
        self.problems: list[str] = []
        """Interventions that were not possible."""

    def before_step(self) -> None:
        """Repeat what was done before this step."""
        while self._left and self._left[0].step <= self._runner.steps:
            event = self._left.popleft()
            try:
                self._does.do(event.name, event.node, *event.values)
            except ValueError as problem:
                self.problems.append(f"step {event.step}: {event.name}: {problem}")
        self._does.before_step()

    def after_step(self) -> None:
        """Finish the step."""
        self._does.after_step()

    def was_reset(self) -> None:
        """The simulation is back at its start."""
        self._does.was_reset()


def read_interventions(path: Path) -> list[Intervention]:
    """Read a file of interventions.

    Raises:
        OSError: the file cannot be read.
        BadFile: a line is not an intervention.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as problem:
        raise BadFile(f"{path}: not a text file: {problem.reason}") from None
    return list(_interventions(path, lines))


def _interventions(path: Path, lines: list[str]) -> Iterator[Intervention]:
    last = 0
    for number, line in enumerate(lines, 1):
        try:
            data = json.loads(line)
            values: Any = _tupled(data["values"])
            made = Intervention(data["step"], data["do"], data["node"], values)
        except (ValueError, TypeError, KeyError, RecursionError) as problem:
            raise BadFile(f"{path}:{number}: not an intervention: {problem}") from None
        if made.name not in ACTIONS:
            raise BadFile(f'{path}:{number}: "do" is {made.name!r}; allowed: {", ".join(ACTIONS)}')
        if type(made.step) is not int or made.step < last or type(made.node) is not int:
            raise BadFile(
                f'{path}:{number}: "step" and "node" must be whole numbers, and steps must not decrease'
            )
        if not _fits(made.name, values):
            raise BadFile(f'{path}:{number}: "values" do not fit to "{made.name}"')
        last = made.step
        yield made


def _fits(name: str, values: object) -> bool:
    """Return whether an intervention has the values that it needs."""
    if not isinstance(values, tuple):
        return False
    if name == "set":
        return len(values) == 3 and isinstance(values[0], str) and type(values[1]) is int
    if name == "add":
        return len(values) == 3 and [type(value) for value in values] == [str, int, str]
    return len(values) == _VECTORS[name] and all(map(_is_vector, values))


def _is_vector(value: object) -> bool:
    return (
        isinstance(value, tuple) and len(value) == 3 and all(type(number) in (int, float) for number in value)
    )


def _tupled(values: object) -> object:
    """Return lists as tuples, as the tree has vectors."""
    return tuple(_tupled(value) for value in values) if isinstance(values, list) else values
