"""Import numpy on its first use, and quickly: many worlds make their first step without it."""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from threading import RLock
from types import ModuleType

THREADS = "OPENBLAS_NUM_THREADS"
_LOCK = RLock()


class DeferredNumpy(ModuleType):
    """numpy, which is executed when a name is first looked up in it.

    Unlike with `importlib.util.LazyLoader`, importing it again does not count as a use, and other threads
    wait for the end of the execution.
    """

    def __init__(self, wanted: ModuleSpec, one_thread: bool) -> None:
        super().__init__(wanted.name)
        self.__dict__["__spec__"] = ModuleSpec(wanted.name, None)
        self.__dict__["_waiting"] = (wanted, one_thread)

    def __getattr__(self, name: str) -> object:
        with _LOCK:
            waiting = self.__dict__.pop("_waiting", None)
            if waiting is not None:
                _execute(self, *waiting)
                self.__class__ = ModuleType  # type: ignore[assignment]
            elif type(self) is DeferredNumpy:  # numpy looks for a name while it is executed
                raise AttributeError(f"module 'numpy' has no attribute {name!r}")
        return getattr(self, name)


def defer_numpy(one_thread: bool = True) -> None:
    """Import numpy on its first use.

    Args:
        one_thread: without the threads of its linear algebra. They take 50 ms to start, and no command
            multiplies matrices that are large enough to use them.
    """
    found = None if "numpy" in sys.modules else find_spec("numpy")
    if found is not None:
        sys.modules["numpy"] = DeferredNumpy(found, one_thread and THREADS not in os.environ)


def _execute(module: ModuleType, spec: ModuleSpec, one_thread: bool) -> None:
    """Turn the deferred module into the complete one."""
    module.__spec__, module.__loader__ = spec, spec.loader
    module.__path__ = spec.submodule_search_locations or []
    module.__package__, module.__file__ = spec.name, spec.origin
    if one_thread:
        os.environ[THREADS] = "1"
    try:
        if spec.loader is not None:
            spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(spec.name, None)
        raise
    finally:
        if one_thread:
            del os.environ[THREADS]  # controllers decide for themselves
