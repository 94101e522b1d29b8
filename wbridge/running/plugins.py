"""The physics plugin of a run: its options, and its failures as those of the command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from wbridge.failures import RunError
from wbridge.wbcore.physics_plugins.options import LIMIT_S, PluginOptions
from wbridge.wbcore.scene.plugin_files import PluginFiles


def plugin_options(
    limit_s: float | None = None, write: Callable[[str], None] | None = None, note_file: str = ""
) -> PluginOptions:
    """Return how commands load physics plugins.

    Args:
        limit_s: longest duration of a call (s); None: the default.
        write: called with what the plugin prints; None: print it.
        note_file: see `PluginOptions`.
    """
    limit_s = LIMIT_S if limit_s is None else limit_s
    options = PluginOptions(build=_build, limit_s=limit_s, note_file=note_file)
    return options if write is None else options._replace(print=write)


def _build(files: PluginFiles) -> None:
    from wbridge.running.plugin_building import build_plugin  # start-up: few worlds have a plugin

    build_plugin(files)


@contextmanager
def plugin_failures() -> Iterator[None]:
    """Report the failure of a physics plugin as a failed command.

    Raises:
        RunError: the plugin cannot be built or loaded, or it has failed.
    """
    try:
        yield
    except Exception as problem:
        from wbridge.wbcore.physics.errors import PluginError

        if isinstance(problem, PluginError):
            raise RunError(str(problem)) from None
        raise
