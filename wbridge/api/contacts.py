"""Contacts between solids, and rays that meet bounding objects: arrays with a row for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import instance_of
from wbridge.wbcore.simulation import Simulation

FARTHEST = 1000.0
"""Length of rays (m) unless another one is given."""


@dataclass(frozen=True)
class Contacts:
    """Contact points, in the order in which they were found; `len(contacts)` is their number."""

    points: NDArray[np.float64]
    """(n, 3) m, in the world."""
    normals: NDArray[np.float64]
    """(n, 3) unit vectors, from the second solid into the first."""
    depths: NDArray[np.float64]
    """(n,) m: how far the solids overlap."""
    forces: NDArray[np.float64]
    """(n, 3) N on the first solid; 0 unless forces are measured."""
    solids: tuple[tuple[str, str], ...]
    """The solids of each point: their DEF names, otherwise their names, otherwise their paths."""

    def __len__(self) -> int:
        return len(self.depths)

    def between(self, solid: str, other: str | None = None) -> Contacts:
        """Return the points of a solid, or those between two.

        Args:
            solid: as `solids` names it.
            other: None: any.
        """
        wanted = {solid} if other is None else {solid, other}
        kept = [i for i, pair in enumerate(self.solids) if wanted <= set(pair)]
        pairs = tuple(self.solids[i] for i in kept)
        return Contacts(self.points[kept], self.normals[kept], self.depths[kept], self.forces[kept], pairs)


class Hits(NamedTuple):
    """What rays meet first."""

    distances: NDArray[np.float64]
    """(n,) m along each ray; infinite where it meets nothing."""
    points: NDArray[np.float64]
    """(n, 3) m, in the world; infinite where it meets nothing."""
    normals: NDArray[np.float64]
    """(n, 3) unit vectors out of the surface; 0 where it meets nothing."""
    solids: tuple[str | None, ...]
    """The solid that each ray meets, named as in `Contacts`; None: none."""


def contacts_of(core: Simulation, forces: bool) -> Contacts:
    """Return the contacts of a simulation.

    Args:
        core: the simulation.
        forces: those that acted in the last step, with their forces, which are measured from then on; False:
            those at the present poses.
    """
    physics = core.physics
    if forces and not physics.engine.contact_feedback:
        physics.engine.contact_feedback = True
    contacts = physics.engine.contacts(solved=forces)
    names = _Names(core)
    pairs = tuple((names[a] or "", names[b] or "") for a, b in contacts.geoms.tolist())
    return Contacts(
        contacts.points.copy(), contacts.normals.copy(), contacts.depths.copy(), contacts.forces.copy(), pairs
    )


def cast_rays(core: Simulation, origins: ArrayLike, directions: ArrayLike, length: float = FARTHEST) -> Hits:
    """Cast rays against the bounding objects of a simulation; see `Simulation.cast_rays`."""
    starts, ways = np.asarray(origins, np.float64), np.asarray(directions, np.float64)
    if ways.shape[-1:] != (3,) or starts.shape[-1:] != (3,) or max(ways.ndim, starts.ndim) > 2:
        raise ValueError(
            f"rays: expected origins and directions (n, 3) or (3,), not {starts.shape} and {ways.shape}"
        )
    starts, ways = np.broadcast_arrays(np.atleast_2d(starts), np.atleast_2d(ways))
    lengths = np.linalg.norm(ways, axis=1)
    if not (
        np.isfinite(starts).all() and np.isfinite(lengths).all() and lengths.all() and 0 < length < np.inf
    ):
        raise ValueError(
            "rays: expected finite origins, directions that are not 0, and a finite length above 0"
        )
    units = ways / lengths[:, None]
    rays = core.physics.engine.add_rays(starts.tolist(), units.tolist(), [length] * len(units))
    try:
        rays.cast()
        distances, geoms, normals = rays.distances.copy(), rays.geoms.tolist(), rays.normals.copy()
    finally:
        rays.remove()
    names = _Names(core)
    solids = tuple(names[geom] for geom in geoms)
    distances[[solid is None for solid in solids]] = np.inf
    with np.errstate(invalid="ignore"):
        points = np.where(np.isinf(distances)[:, None], np.inf, starts + distances[:, None] * units)
    return Hits(distances, points, normals, solids)


class _Names:
    """Names of the solids of geoms."""

    def __init__(self, core: Simulation) -> None:
        self._geoms = core.physics.handles.geoms
        self._known: dict[int, str | None] = {}

    def __getitem__(self, geom: int) -> str | None:
        if geom not in self._known:
            solid = self._geoms.get(geom)
            self._known[geom] = None if solid is None else next(_names(solid[0].node))
        return self._known[geom]


def _names(node: Node) -> Iterator[str]:
    shown = instance_of(node)
    yield from (holder.def_name for holder in (shown, node) if holder.def_name)
    if node.get("name"):
        yield str(node.get("name"))
    yield node_path(node)
