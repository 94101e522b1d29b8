"""Python whose results are rounded to 32 bits, judged by numpy's 32-bit numbers."""

from __future__ import annotations

import builtins
import math
import random
from typing import Any

import numpy as np
import pytest

from wbridge.wbfirmware.building.micropython.single import HELPERS, rounded

TEXTS = [
    "r = a + b * c - a / (b + 0.1)",
    "r = -(a - b) * (c + 1) / 3",
    "r = a\nr *= b\nr += (c / 7)\nr -= a; r /= c",
    "r = math.sqrt(a * a + b * b)",
    "values = [a * 0.1, b / 3]\nvalues[1] += c\nr = sum(values) * max(values)",
    "def f(x, y=0.3):\n    return x * y + 0.7\nr = f(a) * f(b, y=c)",
    "r = (a +\n     b) * 2.5 if a < b else a * 1.1",
]


def run(text: str, numbers: dict[str, Any]) -> float:
    """The value of r after a text."""
    space: dict[str, Any] = {"math": math, **numbers}
    exec(text, space)
    return float(space["r"])


@pytest.fixture(autouse=True)
def helpers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the builtins of this program as they are."""
    names = vars(builtins)
    before = dict(names)
    exec(HELPERS, {})
    made = {name: value for name, value in names.items() if before.get(name) is not value}
    for name in names.keys() - before.keys():
        del names[name]
    names.update(before)
    monkeypatch.setattr(f"{__name__}.MADE", made)


MADE: dict[str, Any] = {}


@pytest.mark.parametrize("text", TEXTS)
def test_results_are_those_of_32_bit_numbers(text: str):
    judge = text
    for number in ("0.1", "0.3", "0.7", "2.5", "1.1"):
        judge = judge.replace(number, f"np.float32({number})")
    judge = (
        judge.replace("math.sqrt", "np.sqrt")
        .replace("sum(", "np.sum(np.array(")
        .replace("values) *", "values, dtype=np.float32)) *")
    )
    source = random.Random(text)
    for _ in range(200):
        numbers = {name: float(np.float32(source.uniform(-9, 9))) for name in "abc"}
        wanted = run(judge, {"np": np, **{k: np.float32(v) for k, v in numbers.items()}})
        assert run(rounded(text), {**MADE, **numbers}) == wanted


def test_lines_and_other_meanings_stay():
    text = "x = [1]\ny = x\nx += [2]\nr = len(y) + int(f'{1.5:.0f}')  # a list grows in place\n"
    assert rounded(text).count("\n") == text.count("\n")
    assert run(rounded(text), dict(MADE)) == run(text, {})


def test_what_is_no_python_is_left_alone():
    assert rounded("x = = 1") == "x = = 1"
