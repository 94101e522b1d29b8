"""The option that presses keys in runs without a user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wbridge.failures import InputError
from wbridge.options import RunChoices
from wbridge.wbcore.controllers.runner import Runner

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.key_script import KeyEvent


def check_keys(chosen: RunChoices) -> None:
    """Check the file before the world is loaded.

    Raises:
        InputError: the file cannot be read, or a line is wrong.
    """
    if chosen.keys is None:
        return
    if chosen.no_controllers:
        raise InputError("--keys: no controller reads the keyboard; leave out --no-controllers")
    _events(chosen)


@contextmanager
def scripted_keys(runner: Runner, chosen: RunChoices) -> Iterator[None]:
    """Press the keys of the file within the block, if requested.

    Raises:
        InputError: the file cannot be read, or a line is wrong.
    """
    if chosen.keys is not None:
        from wbridge.wbcore.controllers.key_script import KeyScript  # start-up: few runs press keys

        runner.actors.append(KeyScript(runner, _events(chosen)))
    yield


def _events(chosen: RunChoices) -> list[KeyEvent]:
    from wbridge.wbcore.controllers.key_script import BadKeyScript, read_key_script

    assert chosen.keys is not None, "there is a file"
    try:
        return read_key_script(chosen.keys)
    except OSError as problem:
        raise InputError(f"--keys: {chosen.keys}: {problem.strerror}") from None
    except BadKeyScript as problem:
        raise InputError(f"--keys: {problem}") from None
