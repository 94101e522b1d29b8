"""What pages with the 3D view see and change: scene, selection, fields, drags, saved worlds."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wbridge.wbcore.scene.node import Field, Node
from wbridge.wbcore.scene.saving import save_world
from wbridge.wbcore.supervisor.command_group import WRONG
from wbridge.wbcore.windows.allowed import NOTHING, Allowed
from wbridge.wbcore.windows.bringing import Bringing
from wbridge.wbcore.windows.building import Building, title_of
from wbridge.wbcore.windows.code_handler import CodeHandler
from wbridge.wbcore.windows.debug_handler import DebugHandler
from wbridge.wbcore.windows.drags import Drags, PoseChange
from wbridge.wbcore.windows.grouping import Grouping
from wbridge.wbcore.windows.history import History
from wbridge.wbcore.windows.interventions import Done, Interventions
from wbridge.wbcore.windows.previews import Previews
from wbridge.wbcore.windows.request_handler import WindowRequest
from wbridge.wbcore.windows.selection import Selection, described, pick
from wbridge.wbcore.windows.shelf import groups
from wbridge.wbcore.windows.time_line import TimeLine
from wbridge.wbcore.windows.tree_view import fields_of, tree_rows
from wbridge.wbcore.world.edits import Observer

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.runner import Runner
    from wbridge.wbcore.simulation import Simulation
    from wbridge.wbcore.view.drawings import Drawings
    from wbridge.wbcore.view.live import LiveScene

SCENE_S, DETAILS_S = 1 / 30, 1 / 8
"""Minimum time (s) between two states of the scene, and of the fields of the selected node."""
MOST_RESULTS = 32
"""Results of edits that are kept for their pages."""
NOT_ALLOWED = "saving is off: start the run with --save-worlds FOLDER to allow it"


class _TreeWatch(Observer):
    """Notices that the tree has other nodes."""

    def __init__(self) -> None:
        self.is_old = True

    def node_added(self, node: Node) -> None:
        self.is_old = True

    def node_removed(self, node: Node) -> None:
        self.is_old = True

    def node_gone(self, node: Node, number: int) -> None:
        self.is_old = True

    def list_changed(self, field: Field) -> None:
        self.is_old = True

    def regenerated(self) -> None:
        self.is_old = True

    def renamed(self, node: Node) -> None:
        self.is_old = True


class SceneHandler:
    """The 3D view of a run. Without pages that look at it, it costs nothing."""

    def __init__(self, runner: Runner, folder: Path, allowed: Allowed = NOTHING) -> None:
        """
        Args:
            runner: the run; its steps carry out interventions.
            folder: for the files of the scene, where the server finds them.
            allowed: what pages may write.
        """
        self._runner, self._folder, self._saves = runner, folder, allowed.saves
        self.interventions = Interventions(runner, {"controller"} if allowed.code else ())
        self._history = History(self.interventions)
        self.time_line = TimeLine(runner, self.interventions, self._history)
        runner.actors.append(self.interventions)
        self._drags = Drags(self.interventions, self._history)
        self._selection = Selection(self.interventions)
        self._building = Building(self.interventions, self._history, self._selection, self._answer)
        self._grouping = Grouping(self.interventions, self._history, self._selection, self._answer)
        self._previews = Previews(folder, self._answer)
        self._bringing = Bringing(self._building, folder, allowed, self._answer)
        self._code = CodeHandler(
            runner, folder, self.interventions, self._history, self._answer, allowed.code
        )
        self._debug = DebugHandler(runner, self._code, self._answer, allowed.code)
        self._scene: LiveScene | None = None
        self._last_scene = 0
        """Number of the last description; pages load another number only."""
        self._drawings: Drawings | None = None
        self._state: Mapping[str, Any] | None = None
        self._of: Simulation | None = None
        self._watch = _TreeWatch()
        self._wants_tree = False
        self._shelf_file = ""
        self._tree_file, self._trees = "", 0
        self._messages: dict[str, Any] = {}
        self._results: deque[dict[str, object]] = deque(maxlen=MOST_RESULTS)
        self._next_scene = self._next_details = 0.0

    # State.

    def seen(self, now: float, wanted: bool, drawings: Collection[str]) -> Mapping[str, object] | None:
        """Return what the view shows; None if nobody looks.

        Args:
            now: real time (s).
            wanted: whether a page shows the view.
            drawings: kinds of optional drawings that pages show, see `wbridge.wbcore.view.drawings`.
        """
        if wanted and not self.time_line.is_on:
            self.time_line.begin()
        if not wanted:
            self.close()
        elif self._scene is None or now >= self._next_scene:
            self._next_scene = now + SCENE_S
            self._state = self._see(now, drawings)
        return self._state

    def _see(self, now: float, drawings: Collection[str]) -> Mapping[str, object]:
        simulation = self._runner.simulation
        if self._scene is None:
            from wbridge.wbcore.view.live import LiveScene  # start-up: 100 ms, only for pages with a 3D view

            self._scene = LiveScene(simulation, self._folder, self._last_scene)
        if self._of is not simulation:
            self._of, self._watch = simulation, _TreeWatch()
            simulation.edits.observers.append(self._watch)
        state = self._scene.state()
        self._messages["pulls"] = self._drags.shown()
        self._messages["timeLine"] = self.time_line.shown()
        if now >= self._next_details:
            self._next_details = now + DETAILS_S
            self._look_closely(simulation)
        return {**state, "messages": {**state["messages"], **self._messages, **self._drawn(drawings)}}

    def _look_closely(self, simulation: Simulation) -> None:
        nodes, messages = self._selection.nodes(), self._messages
        self._selection.put(nodes)  # without those that were removed
        node = nodes[0] if nodes else None
        messages["selected"] = described(simulation, nodes) if nodes else None
        messages["fields"] = fields_of(simulation, node) if node is not None else []
        messages["results"] = list(self._results)
        messages["saves"] = self._saves is not None
        messages["history"] = self._history.shown()
        if (code := self._code.shown()) is not None:
            messages["code"] = code
        messages["debugger"] = self._debug.shown()
        if self._wants_tree and self._watch.is_old:
            self._watch.is_old = False
            messages["tree"] = {"file": self._write_tree(simulation)}

    def _write_tree(self, simulation: Simulation) -> str:
        text = json.dumps(tree_rows(simulation), separators=(",", ":")).encode()
        if self._tree_file:
            (self._folder / self._tree_file).unlink(missing_ok=True)
        self._trees += 1
        self._tree_file = f"tree-{self._trees}-{id(self):x}.json"
        (self._folder / self._tree_file).write_bytes(text)
        return self._tree_file

    def _drawn(self, kinds: Collection[str]) -> Mapping[str, Any]:
        if not kinds:
            self._drawings = None
            return {}
        simulation = self._runner.simulation
        if self._drawings is None or self._drawings.simulation is not simulation:
            from wbridge.wbcore.view.drawings import (
                Drawings,  # start-up: only for pages with optional drawings
            )

            self._drawings = Drawings(simulation)
        return self._drawings.messages(kinds)

    def close(self) -> None:
        """Forget the scene, because nobody looks."""
        if self._scene is None:
            return
        self.renew()
        self._debug.close()
        self._wants_tree = False

    def renew(self) -> None:
        """Begin another scene for pages that look: the world was replaced, or has other robots."""
        if self._scene is None:
            return
        self._last_scene = self._scene.number
        self._scene.close()
        self._scene = self._state = self._drawings = None
        if self._of is not None:
            self._of.edits.observers.remove(self._watch)
        self._of = None
        self._messages.clear()
        self._drags.clear()

    # Requests.

    def requests(self) -> Mapping[str, Callable[[WindowRequest], None]]:
        """Return the handlers of requests, by name."""
        names = ("pick", "select", "pull", "move", "drop", "edit", "save", "tree", "shelf", "look", "branch")
        own = {name: getattr(self, f"_{name}") for name in names}
        for part in (self._building, self._grouping, self._previews, self._bringing, self._code, self._debug):
            own.update(part.requests())
        return {name: partial(self._try, act) for name, act in own.items()}

    def _try(self, act: Callable[[WindowRequest], None], request: WindowRequest) -> None:
        """Carry out a request; a page that waits for the result learns why it was not possible."""
        try:
            act(request)
        except WRONG as problem:
            if "id" not in request.values:
                raise ValueError(f"{request.name}: {problem}") from problem
            self._answer(request)(str(problem))

    def _pick(self, request: WindowRequest) -> None:
        values, simulation = request.values, self._runner.simulation
        origin, toward = tuple(values["origin"]), tuple(values["toward"])
        self._selection.choose(pick(simulation, origin, toward, values["part"]), values["more"])
        self._next_details = self._next_scene = 0.0

    def _select(self, request: WindowRequest) -> None:
        number = request.values["node"]
        self._selection.choose(
            self.interventions.user.node(number) if number else None, request.values["more"]
        )
        self._next_details = self._next_scene = 0.0

    def _pull(self, request: WindowRequest) -> None:
        values = request.values
        point, end = tuple(values["point"]), tuple(values["end"])
        self._drags.pull(self._runner.simulation, values["kind"], values["node"], point, end)

    def _move(self, request: WindowRequest) -> None:
        values = request.values
        change = PoseChange(tuple(values["way"]), tuple(values["turn"]), values["factor"])
        nodes = self._selection.whole(values["node"])
        self._drags.move(self._runner.simulation, nodes, values["begins"], change)

    def _drop(self, request: WindowRequest) -> None:
        self._drags.drop(request.values["node"])

    def _tree(self, request: WindowRequest) -> None:
        self._wants_tree = True
        self._next_details = 0.0

    def _look(self, request: WindowRequest) -> None:
        moment = request.values["moment"]
        if moment is None:
            self.time_line.return_to_present()
        else:
            self.time_line.look(moment)
        self._answer(request)("")

    def _branch(self, request: WindowRequest) -> None:
        self.time_line.branch(request.values["moment"])
        self._answer(request)("")

    def _shelf(self, request: WindowRequest) -> None:
        if not self._shelf_file:
            self._shelf_file = f"shelf-{id(self):x}.json"
            (self._folder / self._shelf_file).write_text(
                json.dumps([group._asdict() for group in groups()]), encoding="utf-8"
            )
        self._messages["shelf"] = {"file": self._shelf_file, "stem": self._previews.stem}
        self._next_scene = 0.0

    def _edit(self, request: WindowRequest) -> None:
        values = request.values
        number, name, item = values["node"], values["field"], values["item"]
        wanted = tuple(values["value"]) if isinstance(values["value"], list) else values["value"]
        title = f"Set {name} of {title_of(self.interventions.user.node(number))}"
        act = partial(self.interventions.do, "set", number, name, item, wanted)
        self._history.make(title, act, self._answer(request))

    def _save(self, request: WindowRequest) -> None:
        values = request.values
        self._answer(request)(self._saved(values["name"], values["replace"]))

    def _answer(self, request: WindowRequest) -> Done:
        """Return what tells the page the reason why its request was not possible, or ""."""

        def done(problem: str) -> None:
            self._results.append({"id": request.values["id"], "problem": problem})
            self._next_details = self._next_scene = 0.0

        return done

    def _saved(self, name: str, replace: bool) -> str:
        """Save the world; return the reason if that was not possible."""
        if self._saves is None:
            return NOT_ALLOWED
        if Path(name).name != name or name.startswith(".") or not name.endswith(".wbt") or "\\" in name:
            return "give a name that ends in .wbt, without a folder"
        path = self._saves / name
        if path.is_symlink() or (path.exists() and not path.is_file()):
            return f"{name} is not a file that can be replaced"
        if path.exists() and not replace:
            return f"{name} exists: choose another name, or replace it"
        try:
            save_world(self._runner.simulation.sync(), path)
        except (OSError, ValueError) as problem:
            return f"not saved: {problem}"
        return ""
