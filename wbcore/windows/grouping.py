"""Groups of nodes in a page: several nodes become the children of one Group, and leave it again.

A Group has no place of its own (manual, chapter Group), so nothing moves when it is formed or dissolved.
Its members are what the view selects: they are moved, copied and removed together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.windows.building import NodeRequests, spot_among_children, title_of
from wbridge.wbcore.windows.request_handler import WindowRequest
from wbridge.wbcore.windows.selection import group_around
from wbridge.wbcore.windows.user_supervisor import Added, Back

SINGLE = ("WorldInfo", "Viewpoint")
"""Nodes that belong to the top level of a world."""


class _Spot(NamedTuple):
    """Where nodes are: places in a list of children."""

    holder: Node
    at: int


class Grouping(NodeRequests):
    """Carries out requests of pages for groups."""

    def requests(self) -> Mapping[str, Callable[[WindowRequest], None]]:
        """Return the handlers of requests, by name."""
        return {"group": self._group, "ungroup": self._ungroup, "members": self._members}

    def _group(self, request: WindowRequest) -> None:
        nodes = self._selection.whole(request.values["node"])
        spots = {id(node): self._spot(node) for node in nodes}
        holders = {id(spot.holder) for spot in spots.values()}
        if len(holders) != 1:
            raise ValueError("only nodes with the same parent form a group: select such nodes")
        nodes.sort(key=lambda node: spots[id(node)].at)  # as in the file
        title = f"Group {len(nodes)} nodes" if len(nodes) > 1 else f"Group {title_of(nodes[0])}"
        files = [self._does.user.group_file(nodes)]
        first = spots[id(nodes[0])]
        self._replace(request, title, nodes, files, first, lambda new: new[0].get("children"))

    def _ungroup(self, request: WindowRequest) -> None:
        group = self._group_of(request)
        files = [self._does.user.file_of(child) for child in group.get("children")]
        title = f"Ungroup {title_of(group)}"
        self._replace(request, title, [group], files, self._spot(group), lambda new: new)

    def _members(self, request: WindowRequest) -> None:
        self._selection.put(self._group_of(request).get("children"))
        self._answer(request)("")

    def _group_of(self, request: WindowRequest) -> Node:
        node = self._does.user.node(request.values["node"])
        group = group_around(node)
        if group is None:
            raise ValueError(f"{title_of(node)} is in no Group")
        return group

    def _spot(self, node: Node) -> _Spot:
        if node.type in SINGLE:
            raise ValueError(f"{node.type} cannot be grouped: it belongs to the top level of the world")
        return _Spot(*spot_among_children(self._does.user, node, "grouped"))

    def _replace(
        self,
        request: WindowRequest,
        title: str,
        old: Sequence[Node],
        files: Sequence[str],
        spot: _Spot,
        selected: Callable[[list[Node]], list[Node]],
    ) -> None:
        """Put nodes into the place of others, as one change.

        Args:
            request: that asks for it.
            title: what the page shows.
            old: the nodes that go.
            files: the new nodes, each as a file.
            spot: where the first of the old nodes is.
            selected: returns which nodes are selected afterwards, from the new ones.
        """
        numbers = list(map(self._does.user.number, old))
        holder, new = self._does.user.number(spot.holder), list[Node]()

        def add(index: int, text: str) -> Back | None:
            back = self._does.do("add", holder, "children", index, text)
            assert isinstance(back, Added), "nodes are added"
            new.append(back.node)
            return back

        def done(problem: str) -> None:
            if not problem:
                self._selection.put(selected(new))
            self._answer(request)(problem)

        removals = [partial(self._does.do, "remove", number) for number in numbers]
        additions = [partial(add, spot.at + k, text) for k, text in enumerate(files)]
        self._history.make_all(title, [*removals, *additions], done)
