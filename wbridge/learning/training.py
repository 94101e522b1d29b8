"""What `wbridge train` does: find a task, train, judge, and write the policy."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbridge.failures import InputError
from wbridge.hal.installation import extra_command
from wbridge.wbcore.scene.diagnostics import did_you_mean

try:
    import gymnasium

    import wbridge.gym  # registers the tasks
    from wbridge.learning.environments import task_class
    from wbridge.learning.policies.onnx_file import write_policy
    from wbridge.learning.registry import register_task
    from wbridge.learning.trainers.setup import Setup, TrainingError, returns_of
except ImportError as problem:
    raise InputError(f"learning needs Gymnasium ({problem}): {extra_command('gym')}") from None

__all__ = ["Trained", "known_task", "task_texts", "train_policy"]

MAKER = "wbridge.learning.environments:make_env"
OWN = f"{wbridge.__name__}/"


class Trained(NamedTuple):
    """A policy that was trained."""

    env_id: str
    path: Path
    returns: NDArray[np.float64]
    """Of episodes that the trainer has not seen."""


def task_ids() -> list[str]:
    """Return the ids of all registered tasks; those of wbridge without its namespace."""
    return sorted(
        env_id.removeprefix(OWN) for env_id, spec in gymnasium.registry.items() if spec.entry_point == MAKER
    )


def task_texts() -> list[tuple[str, str]]:
    """Return the id of each task, and the first line of its description."""
    texts = []
    for name in task_ids():
        text = task_class(gymnasium.spec(known_task(name)).kwargs["task"]).__doc__ or ""
        texts.append((name, text.strip().partition("\n")[0]))
    return texts


def known_task(name: str) -> str:
    """Return the id of a task.

    Args:
        name: its id, in which the namespace of wbridge may be left out, or the place "my_tasks:MyTask" of a
            class in a file of the current folder, which is registered as "my_tasks/MyTask-v0".

    Raises:
        InputError: there is none; the message names the nearest.
    """
    if ":" in name:
        return _task_at(name)
    for candidate in (name, OWN + name):
        spec = gymnasium.registry.get(candidate)
        if spec is not None and spec.entry_point == MAKER:
            return candidate
    names = task_ids()
    raise InputError(
        f"no task '{name}'{did_you_mean(name, names)}; tasks: {', '.join(names)}, "
        "or my_tasks:MyTask for a class in my_tasks.py"
    )


def _task_at(place: str) -> str:
    """Register the task with a place, and return its id."""
    # As `python -m` does; the folder of the command itself is first otherwise.
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    module, _, name = place.partition(":")
    try:
        task_class(place)
    except ValueError as problem:
        hint = "" if module and name else "; expected MODULE:CLASS, such as my_tasks:MyTask"
        raise InputError(f"{problem}{hint}") from None
    except Exception as problem:  # whatever the file raises while it is imported
        if isinstance(problem, ModuleNotFoundError) and problem.name == module:
            raise InputError(
                f"no file {module.replace('.', '/')}.py in {os.getcwd()}, and no such package"
            ) from None
        raise InputError(f"{_line_of(problem)}: {type(problem).__name__}: {problem}") from None
    env_id = f"{module.replace('.', '_')}/{name}-v0"
    register_task(env_id, place)
    return env_id


def _line_of(problem: Exception) -> str:
    """Return where a user's file has raised an exception, as "my_tasks.py:3"."""
    if isinstance(problem, SyntaxError):
        return f"{problem.filename}:{problem.lineno}"
    frame = traceback.extract_tb(problem.__traceback__)[-1]
    return f"{frame.filename}:{frame.lineno}"


def train_policy(
    trainer: str,
    name: str,
    out: Path | None,
    note: Callable[[str, float], None],
    *,
    seed: int = 0,
    steps: int | None = None,
    hidden: tuple[int, ...] = (),
    threads: int = 1,
) -> Trained:
    """Train a policy, judge it by episodes that the trainer has not seen, and write it.

    Args:
        trainer: a module of `wbridge.learning.trainers`.
        name: of the task, see `known_task`.
        out: the file; None: named after the task.
        note: called with the progress in words, and the best return so far.
        seed: of everything that is random.
        steps: generations of es, steps of sb3; None: the trainer's own choice.
        hidden: sizes of the hidden layers; empty: the trainer's own choice.
        threads: how many copies of the world are stepped at the same time.

    Raises:
        InputError: there is no such task, or a package is missing.
        OSError: the file cannot be written.
    """
    env_id = known_task(name)
    module = import_module(f"wbridge.learning.trainers.{trainer}")
    try:
        policy = module.train(Setup(env_id, seed, steps, hidden, threads, note))
    except TrainingError as problem:
        raise InputError(str(problem)) from None
    returns = returns_of(env_id, policy.act, threads=threads)
    policy.notes["return"] = f"{returns.mean():.4g}"
    path = out or Path(f"{env_id.rpartition('/')[2].partition('-')[0]}.onnx")
    # The id of a class in a file means nothing to other processes; its place does.
    write_policy(replace(policy, task=name) if ":" in name else policy, path)
    return Trained(env_id, path, returns)
