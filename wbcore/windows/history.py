"""Undo and redo of what users of pages change in a world: fields, places, added and removed nodes.

A change is a title and what is needed to take it back. Taking it back yields what is needed to make it
again, so that undo and redo are the same action on two stacks. A change before the first step belongs to the
start of the world; a reset forgets the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from wbridge.wbcore.windows.interventions import Done, Interventions
from wbridge.wbcore.windows.user_supervisor import Back, FieldBefore

MOST_CHANGES = 500
"""Changes that can be taken back."""


class Change(NamedTuple):
    """Something that the user has changed."""

    title: str
    """What is taken back, such as `Move box`."""
    backs: tuple[Back, ...]
    """What takes it back, in this order."""
    gesture: object = None
    """Further changes of the same gesture, such as a drag, belong to it."""


Place: TypeAlias = tuple[tuple[Change, ...], tuple[Change, ...]]
"""The changes that can be undone and redone at a moment."""


class History:
    """The changes of one run."""

    def __init__(self, interventions: Interventions) -> None:
        self._does = interventions
        interventions.resets.append(self._was_reset)
        self._of = interventions.simulation
        self._done: list[Change] = []
        self._undone: list[Change] = []
        self._start: tuple[list[Change], list[Change]] = ([], [])
        """Both lists as they were when the world last was at its start."""

    def make(
        self,
        title: str,
        act: Callable[[], Back | None],
        done: Done = lambda problem: None,
        gesture: object = None,
    ) -> None:
        """Carry out a change before the next step, so that it can be taken back.

        Args:
            title: what the page shows.
            act: carries it out; it raises ValueError if that is not possible.
            done: called with the reason why it was not possible, or "".
            gesture: what it is a part of, such as a drag; None: it stands alone.
        """
        self.make_all(title, [act], done, gesture)

    def make_all(
        self,
        title: str,
        acts: Sequence[Callable[[], Back | None]],
        done: Done = lambda problem: None,
        gesture: object = None,
    ) -> None:
        """Carry out several changes as one, as `make`: all of them or none."""

        def carry_out() -> None:
            backs: list[Back] = []
            try:
                for act in acts:
                    if (back := act()) is not None:
                        backs.insert(0, back)
            except ValueError:
                for back in backs:
                    self._does.take_back(back)
                raise
            if backs:
                self._keep(Change(title, tuple(backs), gesture))

        self._does.later(carry_out, done)

    def undo(self, done: Done = lambda problem: None) -> None:
        """Take the last change back before the next step."""
        self._does.later(lambda: self._shift(self._done, self._undone, "undo"), done)

    def redo(self, done: Done = lambda problem: None) -> None:
        """Make the change again that was taken back last, before the next step."""
        self._does.later(lambda: self._shift(self._undone, self._done, "redo"), done)

    def return_to_start(self) -> None:
        """Take back now what was changed since the start, as far as that is possible."""
        count = len(self._start[0])
        while len(self._done) > count:
            with suppress(ValueError):
                self._shift(self._done, self._undone, "undo")
        while len(self._done) < count and self._undone:
            with suppress(ValueError):
                self._shift(self._undone, self._done, "redo")

    @property
    def place(self) -> Place:
        """What can be undone and redone now."""
        return tuple(self._done), tuple(self._undone)

    def return_to(self, place: Place) -> None:
        """Forget what was changed since a moment; the world is as it was then."""
        self._done[:], self._undone[:] = place

    def shown(self) -> Mapping[str, object]:
        """Return what pages show: titles of the changes that undo and redo concern, or ""."""
        self._follow()
        last = [changes[-1].title if changes else "" for changes in (self._done, self._undone)]
        return {"undo": last[0], "redo": last[1], "count": len(self._done)}

    def _was_reset(self) -> None:
        """The world is at its start, where later changes are gone."""
        self._follow()
        self._done[:], self._undone[:] = self._start

    def _follow(self) -> None:
        """Forget all changes if there is another world."""
        if self._of is not self._does.simulation:
            self._of, self._start = self._does.simulation, ([], [])
            self._done.clear()
            self._undone.clear()

    def _keep(self, change: Change) -> None:
        self._follow()
        last = self._done[-1] if self._done else None
        if last is not None and change.gesture is not None and last.gesture is change.gesture:
            known = {_key(back) for back in last.backs}
            new = tuple(back for back in change.backs if _key(back) not in known)
            self._done[-1] = last._replace(backs=new + last.backs)
        else:
            self._done.append(change)
            del self._done[:-MOST_CHANGES]
        self._undone.clear()
        self._remember_start()

    def _shift(self, source: list[Change], target: list[Change], name: str) -> None:
        self._follow()
        if not source:
            raise ValueError(f"there is nothing to {name}")
        change = source.pop()
        backs: list[Back] = []
        try:
            for back in change.backs:
                backs.insert(0, self._does.take_back(back))
        except ValueError as problem:
            for back in backs:  # a half is worse than nothing
                self._does.take_back(back)
            raise ValueError(f"cannot {name} {change.title!r}: {problem}") from problem
        target.append(change._replace(backs=tuple(backs), gesture=None))
        self._remember_start()

    def _remember_start(self) -> None:
        if self._does.simulation.steps == 0:
            self._start = (list(self._done), list(self._undone))


def _key(back: Back) -> object:
    """Return what a change concerns: the first value of a field in a gesture is the one to return to."""
    return back[:3] if isinstance(back, FieldBefore) else back
