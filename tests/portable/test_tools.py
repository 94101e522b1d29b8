"""Compilers that several builds share."""

import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scripts.wheels.compiler import fetch_zig
from scripts.wheels.targets import ZIG


def test_two_builds_at_once_install_one_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The first one installs only when the second one has begun; both find it complete."""
    installing, others = threading.Event(), threading.Event()
    calls = []

    def install(command: list[str | Path], check: bool) -> None:
        calls.append(command)
        installing.set()
        others.wait()
        (tmp_path / "zig" / f"ziglang-{ZIG}.dist-info").mkdir()
        (tmp_path / "zig" / "ziglang").mkdir()
        (tmp_path / "zig" / "ziglang" / "zig").touch()

    def second() -> Path:
        installing.wait()
        others.set()
        return fetch_zig(tmp_path)

    monkeypatch.setattr(subprocess, "run", install)
    with ThreadPoolExecutor(2) as pool:
        programs = [build.result() for build in (pool.submit(fetch_zig, tmp_path), pool.submit(second))]
    assert len(calls) == 1
    assert programs == [tmp_path / "zig" / "ziglang" / "zig"] * 2 and programs[0].is_file()
