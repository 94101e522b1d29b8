"""Runs Lua templates, each in a new Lua 5.2 state isolated by sandbox.lua."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lupa import lua52

_HERE = Path(__file__).parent


def _refuse(*_: object) -> None:
    raise AttributeError("nothing of Python is reachable")


class Engine:
    """The engine of one worker; it reads all files when it is created."""

    def __init__(self) -> None:
        self.sandbox = (_HERE / "sandbox.lua").read_bytes()
        self.modules: list[bytes] = []
        for path in sorted((_HERE / "lua").glob("*.lua")):
            self.modules += path.stem.encode(), path.read_bytes()

    def prepare(self) -> None:
        """Do nothing: a state is created quickly."""

    def run(self, request: dict[str, Any]) -> bytes:
        """Render one template; return the reply as JSON text.

        Raises:
            MemoryError: the template exceeds its memory limit.
        """
        runtime = lua52.LuaRuntime(
            encoding=None,
            register_eval=False,
            register_builtins=False,
            attribute_filter=_refuse,
            max_memory=request["memory"],
        )
        try:
            result = runtime.execute(
                self.sandbox,
                request["program"].encode("utf-8", "replace"),
                request["data"].encode("utf-8", "replace"),
                request["seed"],
                request["clock"],
                request["steps"],
                request["chars"],
                *self.modules,
                mode="t",
            )
        except lua52.LuaMemoryError:
            raise MemoryError from None
        ok, failed, line, late, over, *texts = result
        text, trace, out, err = [part.decode("utf-8", "replace") for part in texts]
        reply: dict[str, Any] = {
            "text": text,
            "trace": trace,
            "out": out,
            "err": err,
            "over": over,
            "late": late,
        }
        if not ok:
            reply |= {"failed": failed.decode("utf-8", "replace"), "line": int(line)}
        return json.dumps(reply).encode()
