"""A short run of the template fuzzer; longer ones are started by hand."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random

import pytest

from fuzz import fuzz_templates
from fuzz.case import InvariantError
from fuzz.runner import run


def test_short_run_finds_nothing(tmp_path: Path) -> None:
    count, findings = run(fuzz_templates.TemplateTarget(), math.inf, "20", tmp_path, cases=60)
    assert findings == []
    assert count == 60


def test_same_seed_same_templates() -> None:
    first, second = Random(3), Random(3)
    made = [fuzz_templates.template(first) for _ in range(50)]
    assert made == [fuzz_templates.template(second) for _ in range(50)]


def test_a_runner_that_misbehaves_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_templates, "render", lambda *_, **__: 1 / 0)
    target = fuzz_templates.TemplateTarget()
    case = target.make(Random(1))
    with pytest.raises(InvariantError, match="ZeroDivisionError"):
        target.run(case.write(tmp_path))
