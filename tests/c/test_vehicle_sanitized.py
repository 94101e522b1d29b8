"""The vehicle library in C under sanitizers: drives, and figures of cars as nobody should write them."""

from __future__ import annotations

import json
import random
import struct
import subprocess
from pathlib import Path
from typing import Any

from tests.c.answers import compare, recorded_calls
from tests.c.calling import caller_source, in_c
from tests.c.sanitizing import link
from tests.c.test_vehicle_calls import CARS, plain, record_name, world
from tests.vehicle.figures import TEXT
from tests.vehicle.parameters import Parameters
from wbridge.hal.client.errors import VehicleError

CASES = 4000
WORDS = "x 1e999 -inf nan 0x10 1e -0 +3.5 .5 5. C S 'a\"b' 1e300 -4 0 2 ü\x7fé a\\b 3.9".split()
BLANKS = [" ", "  ", "\t", "\n", "\r\n"]


def test_drives_touch_no_memory_that_is_not_theirs(sanitized: list[str], tmp_path: Path):
    source = tmp_path / "caller.c"
    source.write_text(caller_source())
    program = link(sanitized, source, tmp_path)
    car = "figures without sense"
    name, implementation = record_name(car, extras=True), in_c(program)
    calls = recorded_calls(name, list)
    outcome = implementation.call(calls, tmp_path, world(*CARS[car], True))
    compare(name, implementation, calls, plain(outcome), tmp_path)


def damaged(rng: random.Random) -> str:
    """Figures with words changed, left out, doubled, and blanks of all kinds between them."""
    words = TEXT.split()
    for _ in range(rng.choice((0, 1, 1, 2, 5))):
        at = rng.randrange(len(words))
        kind = rng.randrange(4)
        if kind == 0:
            del words[at:]
        elif kind == 1:
            words.insert(at, rng.choice(WORDS))
        else:
            words[at] = rng.choice(WORDS)
        words = words or [rng.choice(WORDS)]
    return "".join(rng.choice(BLANKS) + word for word in words)[rng.randrange(2) :] + rng.choice(
        ["", *BLANKS]
    )


def in_python(text: str) -> Any:
    """What the judge reads."""
    try:
        car = Parameters.parse(text)
    except VehicleError as error:
        return str(error)
    numbers = [car.wheelbase, car.track_front, car.track_rear, car.front_wheel_radius, car.rear_wheel_radius]
    numbers += [car.brake_coefficient, car.wheels_damping, car.engine, car.max_torque, car.max_power]
    numbers += [car.min_rpm, car.max_rpm, *car.coefficients, car.split_ratio, car.split_rpm, car.sound_rpm]
    return [*numbers, *car.gear_ratios, car.sound]


def test_figures_are_read_and_refused_as_by_the_judge(sanitized: list[str], tmp_path: Path):
    program = link(sanitized, Path(__file__).with_name("read_parameters.c"), tmp_path)
    rng = random.Random(4)
    texts = ["", TEXT, TEXT + " and more", *(damaged(rng) for _ in range(CASES))]
    given = [text.encode() for text in texts]
    file = tmp_path / "figures"
    file.write_bytes(b"".join(struct.pack("<I", len(one)) + one for one in given))
    done = subprocess.run([str(program), str(file)], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found = [json.loads(line) for line in done.stdout.decode().splitlines()]
    for text, ours in zip(texts, found, strict=True):
        assert ours == in_python(text), text
    assert sum(isinstance(one, list) for one in found) > CASES / 10
    assert sum(isinstance(one, str) for one in found) > CASES / 10
