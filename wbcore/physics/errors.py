"""Exceptions of a simulated world.

SimulationError
  WorldError              the world cannot be loaded; `findings` lists why
  StateError              a saved state does not fit this world
  UnknownNodeError        the node does not exist or is not part of the physics
  PluginError             a physics plugin cannot be loaded or has failed
  UnstableError           a body's state is out of range; `bodies` lists which and how
    NotFiniteError        a position or velocity is not finite
    ExplosionError        a body is too fast or too far away
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.scene.diagnostics import Diagnostic
from wbridge.wbcore.scene.node import Node


class SimulationError(Exception):
    """Raised when a simulation cannot be created or continued."""


class WorldError(SimulationError):
    """Raised for a world with errors. `findings` holds all of them, with their places."""

    def __init__(self, path: str, findings: Sequence[Diagnostic]) -> None:
        self.findings = list(findings)
        lines = [str(finding) for finding in self.findings[:10]]
        if len(self.findings) > 10:
            lines.append(f"... and {len(self.findings) - 10} more; see: wbridge check {path}")
        super().__init__("\n".join(lines) or f"{path}: the world is empty")


class StateError(SimulationError):
    """Raised when a saved state does not match the world."""


class UnknownNodeError(SimulationError, KeyError):
    """Raised when a node does not exist."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class PluginError(SimulationError):
    """Raised when a physics plugin cannot be loaded, or has failed; the simulation cannot be continued."""


@dataclass(frozen=True, slots=True)
class BrokenBody:
    """A body in an invalid state. `kind`: "not finite", "too fast" or "too far"."""

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
    """Raised when bodies are in an invalid state after a step; the step is complete. `time` in s."""

    def __init__(self, time: float, bodies: Sequence[BrokenBody]) -> None:
        self.time = time
        self.bodies = list(bodies)
        text = "; ".join(str(body) for body in self.bodies[:3])
        more = f"; and {len(self.bodies) - 3} more" if len(self.bodies) > 3 else ""
        advice = "try a smaller WorldInfo.basicTimeStep, softer springs or lower motor forces"
        super().__init__(f"at {time:g} s: {text}{more}; {advice}")


class NotFiniteError(UnstableError):
    """Raised when a position or velocity is not finite."""


class ExplosionError(UnstableError):
    """Raised when a body is too fast or too far away."""


def unstable(time: float, bodies: Sequence[BrokenBody]) -> UnstableError:
    """Return the most specific exception for these bodies."""
    kind = NotFiniteError if any(problem.kind == "not finite" for problem in bodies) else ExplosionError
    return kind(time, bodies)


def failed(plugin: str, failure: Exception) -> PluginError:
    """Return the exception for a physics plugin that the engine reports to have failed."""
    return PluginError(f'physics plugin "{plugin}": {failure}')
