"""What can go wrong with a simulated world, as exceptions for programs and sentences for people.

SimulationError
  WorldError              the world cannot be read or used at all; `findings` lists why
  StateError              a saved state does not fit this world
  UnknownNodeError        there is no such node, or it has no place in the physics
  UnstableError           a body left the range of sensible numbers; `bodies` tells which and how
    NotFiniteError        position or velocity is not a number any more
    ExplosionError        faster or farther away than anything sensible
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wbcore.scene.diagnostics import Diagnostic
from wbcore.scene.node import Node

from .pose import Vec3


class SimulationError(Exception):
    """A simulation cannot be made or cannot go on."""


class WorldError(SimulationError):
    """A world with errors. `findings`: all of them, with their places."""

    def __init__(self, path: str, findings: Sequence[Diagnostic]) -> None:
        self.findings = list(findings)
        lines = [str(one) for one in self.findings[:10]]
        if len(self.findings) > 10:
            lines.append(f"... and {len(self.findings) - 10} more; see: wbridge check {path}")
        super().__init__("\n".join(lines) or f"{path}: the world is empty")


class StateError(SimulationError):
    """A saved state does not fit."""


class UnknownNodeError(SimulationError, KeyError):
    """There is no such node."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


@dataclass(frozen=True, slots=True)
class BrokenBody:
    """A body in an impossible state. `kind`: "not finite", "too fast" or "too far"."""

    node: Node | None
    path: str
    kind: str
    position: Vec3
    linear_velocity: Vec3
    angular_velocity: Vec3

    def __str__(self) -> str:
        shown = [
            f"{name} {' '.join(f'{x:g}' for x in value)} {unit}"
            for name, value, unit in (
                ("position", self.position, "m"),
                ("velocity", self.linear_velocity, "m/s"),
                ("spin", self.angular_velocity, "rad/s"),
            )
        ]
        return f"{self.path} is {self.kind}: {', '.join(shown)}"


class UnstableError(SimulationError):
    """Bodies are in an impossible state after a step; the step is complete. `time` in s."""

    def __init__(self, time: float, bodies: Sequence[BrokenBody]) -> None:
        self.time = time
        self.bodies = list(bodies)
        text = "; ".join(str(one) for one in self.bodies[:3])
        more = f"; and {len(self.bodies) - 3} more" if len(self.bodies) > 3 else ""
        advice = "a smaller WorldInfo.basicTimeStep, softer springs or lower motor forces often help"
        super().__init__(f"at {time:g} s: {text}{more}; {advice}")


class NotFiniteError(UnstableError):
    """A position or velocity is not a number any more."""


class ExplosionError(UnstableError):
    """A body is faster, or farther away, than anything sensible."""


def unstable(time: float, bodies: Sequence[BrokenBody]) -> UnstableError:
    """The most telling exception for these bodies."""
    kind = NotFiniteError if any(one.kind == "not finite" for one in bodies) else ExplosionError
    return kind(time, bodies)
