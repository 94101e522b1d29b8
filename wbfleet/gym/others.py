"""The controllers of the robots that do not learn, which act in each step of an episode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from wbridge.wbcore.controllers.runner import Runner, RunOptions
from wbridge.wbcore.scene.load import LoadOptions, World

if TYPE_CHECKING:
    from wbridge.wbcore.simulation import Simulation

SEED = "WBRIDGE_SEED"
"""The variable that tells controllers the seed of the episode."""


class OthersError(RuntimeError):
    """A controller cannot go on, so that the environment cannot; the message says why."""


class Others:
    """Runs the controllers of a world's other robots between the actions of those that learn."""

    def __init__(
        self,
        world: World,
        learners: Sequence[str],
        load: LoadOptions,
        inline: bool,
        timeout_s: float | None,
    ) -> None:
        """Start them.

        Args:
            world: just loaded.
            learners: names of the robots that learn, whose controllers do not run.
            load: how it was loaded.
            inline: run Python controllers inside this process.
            timeout_s: maximum real time of a controller between two steps (s).

        Raises:
            WorldError: the world has errors.
            OthersError: a controller could not be started.
        """
        self._world = world.path
        options = RunOptions(
            controllers=dict.fromkeys(learners, "<none>"),
            inline=inline,
            synchronous=True,
            timeout_s=timeout_s,
            fail_on_error=True,
            load=load,
        )
        self._runner = Runner(world, options)
        if self._runner.controllers.is_missing:
            reason = self._runner.ending
            self.close()
            raise OthersError(
                f"{self._world}: no controller could be started: {reason}; see the messages above"
            )

    @property
    def simulation(self) -> Simulation:
        """The world."""
        return self._runner.simulation

    def begin(self, seed: int) -> None:
        """Reset the world, and start all controllers again; they get the seed of the episode."""
        self._check(True)
        for task in self._runner.controllers.tasks:
            task.variables[SEED] = str(seed)
        self._runner.start_again()

    def wait(self) -> None:
        """Let the controllers run until they wait for a step.

        Raises:
            OthersError: one has ended or takes too long.
        """
        self._check(self._runner.advance(0))

    def step(self, count: int, after: Callable[[], object]) -> None:
        """Make basic time steps; call `after` after each, when the controllers wait for the next one.

        Raises:
            OthersError: a controller has ended, takes too long, or has reset the world.
            UnstableError: a body is in an invalid state.
        """
        for _ in range(count):
            steps = self.simulation.steps
            self._check(self._runner.advance(1))
            if self.simulation.steps != steps + 1:
                raise OthersError(
                    f"{self._world}: a supervisor has reset or reloaded the world during an episode; "
                    "let it end the episode instead"
                )
            after()

    def _check(self, is_running: bool) -> None:
        if not is_running or self._runner.is_over:
            raise OthersError(
                f"{self._world}: the environment cannot go on: {self._runner.ending}. Controllers must "
                "run, and must not end the simulation: the environment starts them again for each episode"
            )

    def close(self) -> None:
        """End the controllers, and close the world."""
        self._runner.simulation.close()
        self._runner.close()
