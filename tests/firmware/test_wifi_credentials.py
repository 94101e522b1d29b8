"""Settings of the Wi-Fi over the serial line: how a board reads them.

The judges: a reader of the same grammar in Python, the longest name in IEEE 802.11 (32 bytes), and the
lengths of WPA2 passwords (8 to 63).
"""

from __future__ import annotations

import ctypes
import random
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import require_tool
from wbridge.wbfirmware.template_folders import templates_path

MORE, SET, FORGET, WRONG, OTHER = range(5)
SOURCE = templates_path() / "sketch_boards" / "shared" / "arduino_wifi" / "wifi_line.c"
WORD = r'"((?:[^"\\]|\\.)*)"'
SEED, LINES = 39, 3000


class Reader:
    """wifi_line.c."""

    def __init__(self, folder: Path) -> None:
        made = folder / "line.so"
        flags = ["-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-g", "-fsanitize=undefined"]
        compiler = require_tool("cc", "compiles the reader")
        subprocess.run([compiler, *flags, "-fno-sanitize-recover", SOURCE, "-o", made], check=True)
        self._library = ctypes.CDLL(str(made))
        self.name = (ctypes.c_char * 33).in_dll(self._library, "wifi_line_name")
        self.password = (ctypes.c_char * 64).in_dll(self._library, "wifi_line_password")

    def take(self, line: bytes) -> int:
        """Send a line; what its end has led to. Nothing happens before."""
        for one in line:
            assert self._library.wifi_line_take(ctypes.c_char(one)) == MORE
        return int(self._library.wifi_line_take(ctypes.c_char(b"\n")))


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """It, compiled once."""
    return Reader(tmp_path_factory.mktemp("wifi"))


def expected(line: str) -> tuple[int, str, str]:
    """What a line means, and both words."""
    if not line.startswith("wifi "):
        return OTHER, "", ""
    if re.fullmatch(r"wifi forget *", line):
        return FORGET, "", ""
    match = re.fullmatch(rf"wifi  *{WORD} *{WORD} *", line)
    if match is None:
        return WRONG, "", ""
    name, password = (re.sub(r"\\(.)", r"\1", one) for one in match.groups())
    is_valid = 1 <= len(name) <= 32 and (not password or 8 <= len(password) <= 63)
    return (SET, name, password) if is_valid else (WRONG, "", "")


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ('wifi "home" "12345678"', (SET, "home", "12345678")),
        ('wifi "my \\"net\\"" "a\\\\b c d e"', (SET, 'my "net"', "a\\b c d e")),
        ('wifi "open" ""', (SET, "open", "")),
        ("wifi forget", (FORGET, "", "")),
        ('wifi "home" "1234567"', (WRONG, "", "")),
        (f'wifi "{"n" * 33}" "12345678"', (WRONG, "", "")),
        (f'wifi "{"n" * 32}" "{"p" * 63}"', (SET, "n" * 32, "p" * 63)),
        (f'wifi "n" "{"p" * 64}"', (WRONG, "", "")),
        ('wifi "" "12345678"', (WRONG, "", "")),
        ('wifi "a" "12345678" more', (WRONG, "", "")),
        ('wifi "a', (WRONG, "", "")),
        ("wifi", (OTHER, "", "")),
        ("hello", (OTHER, "", "")),
        ("", (OTHER, "", "")),
        ("x" * 5000, (OTHER, "", "")),
        ('wifi "' + "x" * 5000 + '"', (WRONG, "", "")),
    ],
)
def test_a_line_is_read(reader: Reader, line: str, result: tuple[int, str, str]):
    kind, name, password = result
    assert expected(line) == result
    assert reader.take(line.encode()) == kind
    if kind == SET:
        assert (reader.name.value.decode(), reader.password.value.decode()) == (name, password)


def test_a_line_of_windows_is_read(reader: Reader):
    assert reader.take(b'wifi "home" "12345678"\r') == SET


def test_lines_at_random_are_read_as_the_grammar_says(reader: Reader):
    source = random.Random(SEED)
    parts = ["wifi ", '"', '"', "\\", " ", "a", "b", "forget", '"name" ', '"12345678"', "x" * 30]
    kinds = set()
    for _ in range(LINES):
        line = "wifi " * (source.random() < 0.7) + "".join(source.choices(parts, k=source.randint(0, 7)))
        kind, name, password = expected(line)
        assert reader.take(line.encode()) == kind, line
        if kind == SET:
            assert (reader.name.value.decode(), reader.password.value.decode()) == (name, password)
        kinds.add(kind)
    assert kinds == {SET, FORGET, WRONG, OTHER}
