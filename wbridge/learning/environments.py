"""The environments of declared tasks: what `gymnasium.make` and `gymnasium.make_vec` return."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, TypeAlias

from wbridge.learning.declared_task import DeclaredTask
from wbridge.learning.page_env import HUMAN, PageEnv
from wbridge.learning.truth_env import TruthEnv
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbfleet.gym.env import AnyEnv, RobotEnv
from wbridge.wbfleet.gym.episodes import Settings
from wbridge.wbfleet.gym.picture_env import PictureEnv
from wbridge.wbfleet.gym.task import Info
from wbridge.wbfleet.gym.vector_env import RobotVectorEnv

__all__ = ["make_env", "make_vector_env", "task_class"]

TaskClass: TypeAlias = type[DeclaredTask]


def task_class(task: str | TaskClass) -> TaskClass:
    """Return a task's class by its place "package.module:Class".

    Raises:
        ImportError: there is no such module.
        ValueError: it has no such task.
    """
    if not isinstance(task, str):
        return task
    place, _, name = task.partition(":")
    module = import_module(place)
    tasks = [key for key, each in vars(module).items() if _is_task(each)]
    if name in tasks:
        chosen: TaskClass = getattr(module, name)
        return chosen
    hint = did_you_mean(name, tasks) or f"; its tasks: {', '.join(tasks) or 'none'}"
    raise ValueError(f'task "{task}": {place} has no class "{name}" that is a DeclaredTask{hint}')


def _is_task(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, DeclaredTask) and value is not DeclaredTask


def make_env(
    task: str | TaskClass,
    render_mode: str | None = None,
    cameras: Sequence[str] = (),
    privileged: bool = False,
    **settings: Any,
) -> AnyEnv:
    """Return the environment of a task.

    Args:
        task: its class, or "package.module:Class".
        render_mode: "human" opens a page that shows the world; "rgb_array": `render` returns a picture.
        cameras: names or patterns of cameras, range finders and lidars to observe.
        privileged: observations have the task's `truths`, too, for critics and teachers.
        settings: fields of `Settings` in place of those of the task.

    Raises:
        ImportError: the module of the task does not exist.
        ValueError: a name or setting is not possible.
        WorldError: the world has errors.
    """
    chosen = task_class(task)
    kind = PageEnv if render_mode == HUMAN else RobotEnv
    base = kind(
        chosen.world_path(), chosen(), chosen.robot, render_mode, **_settings(chosen, settings, SINGLE)
    )
    env: AnyEnv = base
    if cameras:
        env = PictureEnv(base, cameras)
    return TruthEnv(env) if privileged else env


def make_vector_env(
    task: str | TaskClass, num_envs: int = 1, threads: int = 1, **settings: object
) -> RobotVectorEnv:
    """Return many copies of the environment of a task in one process; for errors see `make_env`.

    Args:
        task: its class, or "package.module:Class".
        num_envs: number of copies.
        threads: how many copies are stepped at the same time; results do not depend on it.
        settings: fields of `Settings` in place of those of the task.
    """
    chosen = task_class(task)
    return RobotVectorEnv(
        chosen.world_path(), chosen, num_envs, chosen.robot, threads, **_settings(chosen, settings, COPIED)
    )


SINGLE, COPIED = ("render_mode", "cameras", "privileged"), ("num_envs", "threads")
"""What else `make_env` and `make_vector_env` take."""


def _settings(task: TaskClass, changes: Info, further: tuple[str, ...]) -> Info:
    """Return the settings of a task with changes.

    Args:
        task: its class.
        changes: by name.
        further: names that are no settings, but allowed, for the message.

    Raises:
        ValueError: a name is unknown.
    """
    for name in changes:
        if name not in Settings._fields:
            known = [*Settings._fields, *further]
            missing = f'no setting "{name}"{did_you_mean(name, known)}'
            raise ValueError(f"{missing}; allowed: {', '.join(known)}")
    return {**task.settings._asdict(), **changes}
