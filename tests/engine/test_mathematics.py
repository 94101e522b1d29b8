"""The engine's mathematical functions: errors, recorded bits, arrays.

The judge is mpmath with 40 digits.
"""

import hashlib
import math
import random
import subprocess
from collections.abc import Callable
from itertools import starmap
from pathlib import Path

import mpmath
import numpy as np
import pytest

from benchmarks.engine_scenes import epucks
from tests.project.files import CHECKOUT
from wbridge.wbcore.engine import BUILD_NOTE, _engine, mathematics

own = pytest.mark.skipif("mathematical" in BUILD_NOTE, reason="the engine uses the C library's functions")
EXTENSION = Path(str(_engine.__file__))
COUNT = 4000


def _wide(source: random.Random) -> float:
    """Return a number of up to 100,000, often a small one."""
    return math.ldexp(source.uniform(-1, 1), source.randint(-10, 17))


ONE: dict[str, tuple[Callable[[random.Random], float], Callable[..., object]]] = {
    "acos": (lambda r: r.uniform(-1, 1), mpmath.acos),
    "asin": (lambda r: r.uniform(-1, 1), mpmath.asin),
    "atan": (_wide, mpmath.atan),
    "cos": (_wide, mpmath.cos),
    "exp": (lambda r: r.uniform(-700, 700), mpmath.exp),
    "log": (lambda r: math.ldexp(r.uniform(0.5, 1), r.randint(-1000, 1000)), mpmath.log),
    "log10": (lambda r: math.ldexp(r.uniform(0.5, 1), r.randint(-1000, 1000)), mpmath.log10),
    "sin": (_wide, mpmath.sin),
    "tan": (_wide, mpmath.tan),
}
"""Functions with arguments of the usual sizes, and with mpmath's."""
TWO: dict[str, tuple[Callable[[random.Random], tuple[float, float]], Callable[..., object]]] = {
    "atan2": (lambda r: (r.uniform(-9, 9), r.uniform(-9, 9)), mpmath.atan2),
    "hypot": (lambda r: (r.uniform(-9, 9), r.uniform(-9, 9)), mpmath.hypot),
    "power": (lambda r: (abs(_wide(r)), r.uniform(-9, 9)), mpmath.power),
}


def arguments(name: str) -> list[tuple[float, ...]]:
    """Return the same arguments in each run."""
    source = random.Random(name)
    if name in ONE:
        return [(ONE[name][0](source),) for _ in range(COUNT)]
    return [TWO[name][0](source) for _ in range(COUNT)]


@own
@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_the_error_is_below_one_unit_in_the_last_place(name: str):
    function = getattr(mathematics, name)
    exact = (ONE | TWO)[name][1]
    with mpmath.workdps(40):
        for given in arguments(name):
            result, true = function(*given), exact(*map(mpmath.mpf, given))
            assert abs(mpmath.mpf(result) - true) < math.ulp(float(true)), given  # type: ignore[operator]


@own
@pytest.mark.parametrize("size", [0.001, 0.03, 0.05, 1.0, 30.0])
def test_the_arc_tangent_is_rounded_to_the_nearest_number(size: float):
    """As other C libraries round nearly all, so that the motion of wheels is the same with them."""
    source = random.Random(size)
    with mpmath.workdps(60):
        for _ in range(COUNT):
            given = source.uniform(-size, size)
            assert mathematics.atan(given) == float(mpmath.atan(given)), given


@own
def test_the_decimal_logarithm_is_rounded_to_the_nearest_number_but_for_few():
    source = random.Random(10)
    with mpmath.workdps(40):
        for _ in range(COUNT):
            number = source.uniform(0.9, 1.1)
            result, true = mathematics.log10(number), mpmath.log10(mpmath.mpf(number))
            assert abs(mpmath.mpf(result) - true) < 0.51 * math.ulp(float(true)), number
    assert [mathematics.log10(10.0**n) for n in range(23)] == list(range(23))


@own
def test_wheels_move_as_with_the_distributions_libraries():
    """Recorded with Debian's libode and libm, whose solver is the dense one."""
    world = epucks(4)
    world.solver = "dense"
    world.step(700)
    assert f"{world.hash():016x}" == "5e50914deb070cd0"


@own
@pytest.mark.slow
@pytest.mark.parametrize("name", [*ONE, *TWO, "cbrt", "erf"])
def test_the_error_is_below_one_unit_for_a_million_arguments(name: str, accuracy: Path):
    """More arguments: compile accuracy/accuracy.c and run it with another number and seed."""
    name = "pow" if name == "power" else name
    command = [accuracy / "accuracy", accuracy / "functions.so", name, "1000000", "1"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert float(found[1]) < {"atan": 0.5, "log10": 0.51}.get(name, 1)


@pytest.fixture(scope="module")
def accuracy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that asks MPFR, and the functions as a library."""
    folder = tmp_path_factory.mktemp("accuracy")
    source = CHECKOUT / "tests" / "engine" / "accuracy"
    for command in (["cmake", "-S", source, "-B", folder], ["cmake", "--build", folder]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if "MPFR_INCLUDE_DIR" in done.stderr:
            pytest.skip("needs the headers of MPFR: sudo apt-get install libmpfr-dev")
        assert done.returncode == 0, done.stdout + done.stderr
    return folder


RECORDED = {
    "acos": "108c114d8ffc984a",
    "asin": "5205e4f96a37ea01",
    "atan": "2f44db0b5ab3d570",
    "cos": "8372b244c46ef166",
    "exp": "3239db19223e975b",
    "log": "aad46c079f19d4f1",
    "log10": "232f4cc2dcc5e12d",
    "sin": "370d51a29be1488e",
    "tan": "0edccbb64578a106",
    "atan2": "0d5bb52f50d1b461",
    "hypot": "0d28ab2f9affc1e6",
    "power": "a22fb68dc7533655",
}
"""First digits of the SHA-256 of all results, on all systems."""


@own
@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_results_have_the_recorded_bits(name: str):
    results = list(starmap(getattr(mathematics, name), arguments(name)))
    assert hashlib.sha256(np.array(results).tobytes()).hexdigest()[:16] == RECORDED[name]


@own
def test_the_engine_takes_none_of_the_c_librarys_functions():
    listed = subprocess.run(["nm", "-D", "-u", EXTENSION], capture_output=True, text=True, check=True).stdout
    needed = {line.split()[-1].partition("@")[0] for line in listed.splitlines()}
    names = (
        "acos asin atan atan2 cbrt cos erf erfc exp exp2 expm1 hypot log log10 log1p log2 pow sin sincos tan"
    )
    assert "malloc" in needed
    assert (
        needed & {*names.split(), "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "tgamma", "lgamma"}
        == set()
    )


@pytest.mark.parametrize("name", list(ONE))
def test_arrays_have_the_bits_of_their_elements(name: str):
    function = getattr(mathematics, name)
    values = np.array([one for (one,) in arguments(name)[:24]]).reshape(2, 3, 4)
    for array in (values, values.transpose(2, 0, 1), values[:, ::2]):
        found = function(array)
        assert found.shape == array.shape
        assert (
            found.tolist()
            == np.array([function(float(one)) for one in array.ravel()]).reshape(array.shape).tolist()
        )


@pytest.mark.parametrize("name", list(TWO))
def test_pairs_of_arrays_have_the_bits_of_their_elements(name: str):
    function = getattr(mathematics, name)
    first, second = np.array(arguments(name)[:6]).T
    assert function(first, second).tolist() == [function(*pair) for pair in arguments(name)[:6]]
    with pytest.raises(ValueError, match=name):
        function(first, second[:5])


def test_special_values():
    """As C99's annex F gives them; none raises an exception, as Python's functions do."""
    assert math.isnan(mathematics.sin(math.inf)) and math.isnan(mathematics.acos(1.1))
    assert math.isnan(mathematics.log(-1.0)) and mathematics.log(0.0) == -math.inf
    assert (mathematics.exp(1000.0), mathematics.exp(-1000.0)) == (math.inf, 0.0)
    assert mathematics.atan2(0.0, -1.0) == math.pi and mathematics.atan2(-0.0, -1.0) == -math.pi
    assert mathematics.acos(-1.0) == math.pi and mathematics.hypot(math.inf, math.nan) == math.inf
    assert math.copysign(1, mathematics.sin(-0.0)) == -1
