"""Mathematical functions of controllers: the same bits on every system, otherwise as Python's own.

Judges: mpmath with 40 digits; Python's own functions and its own tests of them, for errors, infinities, signs
and texts; the engine's functions, whose bits are recorded; the C library without instructions that multiply
and add at once.
"""

import inspect
import itertools
import math
import os
import pickle
import random
import struct
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import mpmath
import pytest

from wbridge.hal import startup
from wbridge.hal.portable_math import portable_math
from wbridge.wbcore.controllers.environment import environment_of
from wbridge.wbcore.controllers.program_types import Program, python_script
from wbridge.wbcore.engine import mathematics

_portable_math = pytest.importorskip("wbridge.hal.startup._portable_math", reason="built without its sources")
STARTUP = Path(str(startup.__file__)).parent
COUNT = 2000
"""Arguments of each function."""


def wide(source: random.Random) -> float:
    return math.ldexp(source.uniform(-1, 1), source.randint(-10, 17))


def between(low: float, high: float) -> Callable[[random.Random], float]:
    return lambda source: source.uniform(low, high)


ONE: dict[str, tuple[Callable[[random.Random], float], Callable[[Any], Any], float]] = {
    "acos": (between(-1, 1), mpmath.acos, 1),
    "acosh": (between(1, 90), mpmath.acosh, 1.6),
    "asin": (between(-1, 1), mpmath.asin, 1),
    "asinh": (wide, mpmath.asinh, 1.5),
    "atan": (wide, mpmath.atan, 1),
    "atanh": (between(-1, 1), mpmath.atanh, 1.5),
    "cbrt": (between(0, 1e6), mpmath.cbrt, 1),
    "cos": (wide, mpmath.cos, 1),
    "cosh": (between(-20, 20), mpmath.cosh, 1),
    "erf": (between(-6, 6), mpmath.erf, 1),
    "erfc": (between(-6, 20), mpmath.erfc, 3),
    "exp": (between(-700, 700), mpmath.exp, 1),
    "exp2": (between(-1000, 1000), lambda x: mpmath.mpf(2) ** x, 1),
    "expm1": (between(-5, 20), mpmath.expm1, 1),
    "log": (between(0, 1e6), mpmath.log, 1),
    "log10": (between(0, 1e6), mpmath.log10, 1),
    "log1p": (between(-1, 10), mpmath.log1p, 1),
    "log2": (between(0, 1e6), lambda x: mpmath.log(x) / mpmath.log(2), 1),
    "sin": (wide, mpmath.sin, 1),
    "sinh": (between(-20, 20), mpmath.sinh, 1.5),
    "tan": (wide, mpmath.tan, 1),
    "tanh": (between(-20, 20), mpmath.tanh, 1.5),
}
"""Arguments, mpmath's function, and the largest error in units in the last place; above 1, it is glibc's."""
ENGINE = ("acos", "asin", "atan", "cos", "exp", "log", "log10", "sin", "tan")


@pytest.fixture
def former():
    """Install the functions; give Python's own."""
    own = {name: getattr(math, name) for name in dir(math)}
    portable_math.enter()
    yield own
    portable_math.leave()
    assert {name: getattr(math, name) for name in own} == own


@pytest.mark.parametrize("name", ONE)
def test_errors_are_small(name: str, former: dict[str, Any]):
    if name not in former:
        pytest.skip("this Python has no such function")
    arguments, exact, limit = ONE[name]
    source = random.Random(name)
    with mpmath.workdps(40):
        for _ in range(COUNT):
            x = arguments(source)
            true = exact(mpmath.mpf(x))
            assert abs(getattr(math, name)(x) - true) < limit * math.ulp(float(true)), x


def test_lengths_are_rounded_to_the_nearest_number(former: dict[str, Any]):
    source = random.Random(3)
    with mpmath.workdps(60):
        for _ in range(COUNT):
            vector = [
                wide(source) * 2.0 ** source.choice((-600, 0, 0, 600)) for _ in range(source.randint(2, 20))
            ]
            true = float(mpmath.sqrt(sum(mpmath.mpf(x) ** 2 for x in vector)))
            assert math.hypot(*vector) == true
            assert math.dist(vector, [0.0] * len(vector)) == true


def test_bits_are_those_of_the_engine(former: dict[str, Any]):
    source = random.Random(5)
    for _ in range(COUNT):
        x, y, share = wide(source), wide(source), source.uniform(-1, 1)
        size = abs(x) + 1e-3
        for name in ENGINE:
            value = share if name in ("acos", "asin", "exp") else size
            assert getattr(math, name)(value) == getattr(mathematics, name)(value), (name, value)
        assert math.atan2(y, x) == mathematics.atan2(y, x)
        assert math.pow(size, y / 1e4) == size ** (y / 1e4) == mathematics.power(size, y / 1e4)


class Half:
    def __float__(self) -> float:
        return 0.5


class Three:
    def __index__(self) -> int:
        return 3


class Bad:
    def __float__(self) -> float:
        raise RuntimeError("no number")


class Kind(float):
    """A number of a class of its own."""


ODD = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, 2, -3, True, 1e308, -1e308, 5e-324, -1e-310, 710.0, -750.0, 1e22),
    *(math.inf, -math.inf, math.nan, 10**400, -(10**400), 2**1024, Fraction(1, 3)),
    *("x", None, 1j, Half(), Three(), Bad(), Kind(2.5), [1], (1, 2), (0.0, 3), (math.inf, 1)),
)


def answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Return the type and text of an exception, the bits of a special number, or another answer."""
    try:
        result = function(*arguments)
    except Exception as problem:
        return type(problem), str(problem)
    is_special = isinstance(result, float) and (result == 0 or not math.isfinite(result))
    return struct.pack("<d", result) if is_special else result


def is_near(own: Any, pythons: Any) -> bool:
    if isinstance(own, float) and isinstance(pythons, float):
        return abs(own - pythons) <= 2 * math.ulp(pythons)
    return type(own) is type(pythons) and own == pythons


def test_special_answers_are_pythons(former: dict[str, Any]):
    changed = [name for name in former if getattr(math, name) is not former[name]]
    assert len(changed) >= 24
    for name, count in itertools.product(changed, range(4)):
        for arguments in itertools.product(ODD[:12] if count == 3 else ODD, repeat=count):
            own, pythons = answer(getattr(math, name), arguments), answer(former[name], arguments)
            assert is_near(own, pythons), (name, arguments)


def power(base: Any, exponent: Any) -> Any:
    return base**exponent


def test_powers_of_special_numbers_are_pythons():
    floats = [one for one in ODD if not isinstance(one, (int, Fraction))]
    pairs = [*itertools.product(floats, [*floats, -3, True, 10**400]), *((-3, one) for one in floats)]
    before = [answer(power, pair) for pair in pairs]
    portable_math.enter()
    try:
        after = [answer(power, pair) for pair in pairs]
    finally:
        portable_math.leave()
    for pair, own, pythons in zip(pairs, after, before, strict=True):
        same = own == pythons or (own != own and pythons != pythons) or is_near(own, pythons)
        assert same or str(own) == str(pythons), pair


def test_functions_look_like_pythons(former: dict[str, Any]):
    for name in ("sin", "atan2", "pow", "log2"):
        own = getattr(math, name)
        assert own is not former[name]
        assert (own.__name__, own.__module__, own.__doc__) == (name, "math", former[name].__doc__)
        assert inspect.signature(own) == inspect.signature(former[name])
        assert pickle.loads(pickle.dumps(own)) is own


@pytest.mark.skipif(find_spec("test.test_math") is None, reason="this Python lacks its own tests")
def test_pythons_own_tests_pass():
    code = (
        f"import sys; sys.path.insert(0, {str(STARTUP)!r}); import _portable_math as m; m.install();"
        "import unittest as u; u.main(None, argv=['', 'test.test_math', 'test.test_float', 'test.test_pow'])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stderr.rpartition("Ran ")[2].split()[0]) > 100


PRINT = """
from math import acos, atan2, hypot, pow, sin, tanh
import random
source = random.Random(8)
values = [source.uniform(0, 1) for _ in range(3000)]
results = [f(x) for f in (acos, sin, tanh) for x in values] + [atan2(x, 0.3) for x in values]
results += [x**0.7 for x in values] + [x**-2 for x in values] + [source.gauss(0, 1) for _ in values]
import hashlib, struct
bits = hashlib.sha256(struct.pack(f"<{len(results)}d", *results)).hexdigest()
print(bits)
"""
WITHOUT_FUSED = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA_Usable,-AVX2,-AVX2_Usable"}
"""Lets glibc choose the functions that older processors run."""


def controller(tmp_path: Path, code: str, **variables: str) -> list[str]:
    """Return what a program prints in the environment of a controller."""
    file = tmp_path / "mine.py"
    file.write_text(code)
    program = Program("mine", file, python_script, tmp_path)
    environment = environment_of(program, "r", tmp_path, tmp_path, os.environ | variables)
    done = subprocess.run(
        [sys.executable, str(file)], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.splitlines()


def test_a_controllers_process_has_the_bits_of_every_system(tmp_path: Path):
    plain = controller(tmp_path, PRINT)
    assert plain == controller(tmp_path, PRINT, **WITHOUT_FUSED)
    portable_math.enter()
    try:
        names: dict[str, Any] = {}
        exec(PRINT, names)
    finally:
        portable_math.leave()
    assert plain == [names["bits"]]


def test_a_sitecustomize_of_the_user_still_runs(tmp_path: Path):
    (tmp_path / "sitecustomize.py").write_text("import math\nseen = math.sin\nprint('mine', __file__)\n")
    code = "import math, sitecustomize\nprint(sitecustomize.seen is math.sin)\n"
    assert controller(tmp_path, code, PYTHONPATH=str(tmp_path)) == [
        f"mine {tmp_path / 'sitecustomize.py'}",
        "True",
    ]


def test_wbridge_as_a_library_changes_nothing():
    code = "import math\nbefore = math.sin\nimport wbridge, controller\nprint(math.sin is before)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "True\n"
