"""A world runs alike where the machine lacks something; systems that are too old are refused in one line.

Judges: the hash of a run with everything; pip.
"""

import functools
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts.wheels.finish import tag
from scripts.wheels.record import PAGE
from scripts.wheels.targets import STABLE, SYSTEMS
from tests.project.files import CHECKOUT

RUN = [sys.executable, "-m", "wbridge", "run", "worlds/two_wheels.wbt", "--steps", "20", "--json"]
NO_IPV6 = 'ip link set lo up; echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6; exec "$@"'
SEALED_MEMORY = 'mount --bind -o ro "$0" /dev/shm && mount -o remount,ro,bind /dev/shm && exec "$@"'
NO_SHARED_MEMORY = """
for name in null zero random urandom; do touch "$0/$name"; mount --bind "/dev/$name" "$0/$name"; done
mount --rbind "$0" /dev && test ! -e /dev/shm && exec "$@"
"""
PIP = """
import contextlib, io, json, sys
from pip._internal.cli.main import main
for line in sys.stdin:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(json.loads(line))
    print(json.dumps([code, said.getvalue()]), flush=True)
"""
"""Does what a line of its input asks pip for."""
SOURCES = CHECKOUT / "wbcore" / "engine" / "sources.cmake"


def run(command: list[str], **variables: str) -> str:
    """The hash of a run with its controller."""
    around = {**os.environ, **variables}
    done = subprocess.run(command, cwd=CHECKOUT, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return str(json.loads(done.stdout)["hash"])


@functools.cache
def usual() -> str:
    return run(RUN)


def without(namespace: str, script: str, argument: str) -> list[str]:
    """A run in a namespace of its own, which a script has changed."""
    start = ["unshare", namespace, "sh", "-c", script, argument]
    if os.geteuid() or subprocess.run([*start, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine does not let tests change the surroundings of a process")
    return [*start, *RUN]


def test_a_world_runs_where_the_home_folder_takes_no_files():
    assert run(RUN, HOME="/proc", XDG_CACHE_HOME="") == usual()  # nobody can create files in /proc


def test_a_world_runs_for_a_user_whose_name_has_blanks():
    assert run(RUN, USER="Ada von Ohm", LOGNAME="Ada von Ohm") == usual()


def test_a_world_runs_without_ipv6():
    assert run(without("--net", NO_IPV6, "sh")) == usual()


def test_a_world_runs_where_dev_shm_takes_no_files(tmp_path: Path):
    assert run(without("--mount", SEALED_MEMORY, str(tmp_path))) == usual()


def test_a_world_runs_where_dev_shm_is_missing(tmp_path: Path):
    assert run(without("--mount", NO_SHARED_MEMORY, str(tmp_path))) == usual()


@pytest.mark.parametrize(
    ("size", "system", "is_refused"),
    [
        (4, "", True),
        (8, "", False),
        (4, "set(CMAKE_SYSTEM_NAME Emscripten)\n", False),
        (4, 'set(WBRIDGE_PLATFORM webassembly CACHE STRING "")\n', False),
    ],
)
def test_processors_without_64_bits_are_refused_in_one_line(
    tmp_path: Path, size: int, system: str, is_refused: bool
):
    """But for web pages, whose Python has 32 bits."""
    if shutil.which("cmake") is None:
        pytest.skip("needs CMake")
    script = tmp_path / "check.cmake"
    script.write_text(
        f"cmake_minimum_required(VERSION 3.18)\nset(CMAKE_SIZEOF_VOID_P {size})\n{system}"
        f'include("{SOURCES}")\nwbridge_require_64_bits()\n'
    )
    done = subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=False)
    assert (done.returncode != 0) is is_refused, done.stderr
    assert ("32-bit" in done.stderr and "64-bit Python" in " ".join(done.stderr.split())) is is_refused


@pytest.fixture(scope="module")
def pip() -> Iterator[Callable[[list[str]], tuple[int, str]]]:
    """What runs commands of pip: exit code and output. It starts once, which takes half a second."""
    with subprocess.Popen(
        [sys.executable, "-c", PIP], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        asked, answers = process.stdin, process.stdout

        def run_pip(arguments: list[str]) -> tuple[int, str]:
            print(json.dumps(arguments), file=asked, flush=True)
            code, said = json.loads(answers.readline())
            return code, said

        yield run_pip


@pytest.mark.parametrize(
    ("system", "is_refused"),
    [
        (SYSTEMS["x86_64"].platform, False),
        ("manylinux_2_17_x86_64", True),  # CentOS 7
        ("manylinux_2_24_x86_64", True),  # Debian 9
        ("musllinux_1_2_x86_64", True),
        ("win32", True),
    ],
)
def test_pip_refuses_a_wheel_in_the_words_of_the_page(
    pip: Callable[[list[str]], tuple[int, str]], tmp_path: Path, system: str, is_refused: bool
):
    wheel = tmp_path / f"wbridge_robotics-0.1.0-{tag(STABLE, SYSTEMS['x86_64'])}.whl"
    metadata = "wbridge_robotics-0.1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(
            f"{metadata}/METADATA", "Metadata-Version: 2.1\nName: wbridge-robotics\nVersion: 0.1.0\n"
        )
        archive.writestr(f"{metadata}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: false\n")
        archive.writestr(f"{metadata}/RECORD", "")
    options = ["--disable-pip-version-check", "--dry-run", "--no-index", "--no-deps", "--only-binary=:all:"]
    options += [f"--platform={system}", f"--python-version={STABLE}"]
    options += [f"--target={tmp_path / 'site'}", f"--find-links={tmp_path}"]
    page = PAGE.read_text(encoding="utf-8")
    for what, words in (
        (str(wheel), "is not a supported wheel on this platform"),
        ("wbridge-robotics", "No matching distribution found"),
    ):
        code, said = pip(["install", *options, what])
        assert (code != 0) is is_refused, said
        assert (words in said) is is_refused
        assert words in page
