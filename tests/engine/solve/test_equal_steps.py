"""The sparse solver makes the steps of ODE's exact one, on random mechanisms.

Judges: the same equations, with one dense matrix in long double (reference.cpp), or where that may not be
exact enough in numbers of 113 bits; and dWorldStep. ODE's own distance to the reference is measured with the
same program: where it exceeds the limit, the two solvers cannot agree better.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import absent

ROOT = Path(__file__).resolve().parents[3]
SOURCES = [Path(__file__).with_name(f"{name}.cpp") for name in ("compare_steps", "random_scene", "reference")]
BUILD = next(iter(sorted(ROOT.glob("build/*/compile_commands.json"))), None)
WITHIN = 1e-9
"""Greatest difference of a velocity, as a share of the greatest velocity in the scene."""


class Step(NamedTuple):
    """Distances of the velocities after one step; -1: there is no other solution."""

    seed: int
    number: int
    rows: int
    to_ode: float
    to_reference: float
    ode_to_reference: float
    result: int


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, with the objects and options of the engine's build."""
    if BUILD is None or shutil.which("g++") is None:
        absent("g++ and the folder of the engine's build are needed; run: make build")
    entries = json.loads(BUILD.read_text("utf-8"))
    commands = {each["file"]: shlex.split(each["command"]) for each in entries}
    folders = {each["file"]: Path(each["directory"]) for each in entries}
    (options,) = (
        words[1 : words.index("-o")]
        for file, words in commands.items()
        if file.endswith("/src/solve/body_kernels.cpp")
    )
    objects = [
        folders[file] / words[words.index("-o") + 1]
        for file, words in commands.items()
        if re.search(r"/engine/(ode|musl)/|/src/solve/|/unity_solve_", file)
    ]
    made = tmp_path_factory.mktemp("solve") / "compare_steps"
    source = ROOT / "wbcore" / "engine" / "src"
    sources = [*SOURCES, source / "platform" / "vector.cpp", *objects]
    command = ["g++", *options, "-O1", f"-I{source}", *map(str, sources)]
    subprocess.run([*command, "-o", str(made)], check=True)
    return made


def lines_of(program: Path, *arguments: object, simd: str = "") -> list[str]:
    """What the program prints."""
    done = subprocess.run(
        [program, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"WBRIDGE_SIMD": simd},
    )
    return done.stdout.splitlines()


def run(program: Path, *arguments: object, simd: str = "") -> tuple[list[Step], str]:
    """The steps of the program, and the hash of all states."""
    *lines, last = lines_of(program, *arguments, simd=simd)
    rows = [line.split() for line in lines]
    steps = [
        Step(int(row[0]), int(row[1]), int(row[2]), *map(float, row[3:6]), result=int(row[6])) for row in rows
    ]
    return steps, last.split()[1]


def check(steps: list[Step]) -> None:
    """Each step was solved, and is that of the reference, and ODE's as far as that is."""
    assert [step for step in steps if step.result != 0] == []
    known = [step for step in steps if step.to_reference >= 0]
    assert len(known) >= 0.99 * len(steps)
    assert [step for step in known if step.to_reference > WITHIN] == []
    assert [step for step in known if step.to_ode > max(WITHIN, 2 * step.ode_to_reference)] == []


@pytest.mark.parametrize("count", [100, pytest.param(300, marks=pytest.mark.slow)])
def test_random_mechanisms(program: Path, count: int):
    check(run(program, 1, count, 2, 1e3, "warm")[0])


def test_random_mechanisms_with_mass_ratios_of_a_million(program: Path):
    check(run(program, 1_000_000, 60, 2, 1e6, "warm")[0])


def test_friction_of_contacts_that_are_hardly_soft(program: Path):
    check(run(program, 108_438, 1, 2, 1e3, "warm")[0])


@pytest.mark.parametrize("seed", [102_980, 103_408, 103_612, 105_526])
def test_mechanisms_that_long_double_solves_less_exactly(program: Path, seed: int):
    steps = run(program, seed, 1, 2, 1e3, "warm")[0]
    check(steps)
    assert max(step.to_reference for step in steps) < 1e-10


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_ten_thousand_random_mechanisms(program: Path, part: int):
    check(run(program, 100_000 + 1000 * part, 1000, 2, 1e3, "warm")[0])


@pytest.mark.parametrize("count", [20, pytest.param(60, marks=pytest.mark.slow)])
def test_the_bits_depend_neither_on_the_step_before_nor_on_the_instructions(program: Path, count: int):
    arguments = (7000, count, 5, 1e3)
    _, expected = run(program, *arguments, "warm")
    assert run(program, *arguments, "cold")[1] == expected
    for simd in ("none", "none,sse2", "none,sse2,avx2"):
        assert run(program, *arguments, "warm", simd=simd)[1] == expected


def test_few_solutions_show_which_rows_are_at_their_bounds(program: Path):
    """If all rows out of order changed at once, a phase would need 3.2 solutions."""
    _, _, solutions, phases = lines_of(program, 7000, 60, 5, 1e3, "warm")[-1].split()
    assert int(solutions) < 2.6 * int(phases)
