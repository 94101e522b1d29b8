"""A short run of the fuzzer; longer ones are started by hand."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

PATH = Path(__file__).parents[3] / "fuzz" / "fuzz_templates.py"


def fuzzer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz_templates", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_short_run_finds_nothing() -> None:
    count, findings = fuzzer().fuzz(2.5, seed=20)
    assert findings == []
    assert count > 50


def test_same_seed_same_templates() -> None:
    module = fuzzer()
    first, second = module.templates(3), module.templates(3)
    assert [next(first) for _ in range(50)] == [next(second) for _ in range(50)]


def test_a_runner_that_misbehaves_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    module = fuzzer()
    monkeypatch.setattr(module, "render", lambda *_, **__: 1 / 0)
    assert "ZeroDivisionError" in module.problem_of("lua", "x")
