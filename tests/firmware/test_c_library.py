"""What controllers on boards get of the C library: the same on all boards and on the desktop.

Judges: the desktop's C library, function by function (ctypes), and as a whole program; C11, 7.21.6 and 7.22.
"""

from __future__ import annotations

import ctypes
import math
import random
import struct
import subprocess
from ctypes import CDLL, c_char_p, c_double, c_int, c_long, c_size_t
from pathlib import Path

import pytest

from tests.firmware import onboard
from tests.firmware.conftest import boards
from tests.firmware.onboard import HEAD, made, text_of
from tests.firmware.test_limits import LIMITED
from wbridge.libcontroller.compiling import BuildError
from wbridge.wbfirmware.problems import HardwareError
from wbridge.wbfirmware.template_folders import templates_path

PARTS = "decimal print scan scan_real random sort heap words"
ROOM = 512


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> CDLL:
    """The firmware's functions, compiled for the desktop."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "config.h").write_text("#define HEAP_BYTES 512\n")
    (folder / "flavor.c").write_text("void flavor_text(char one) { (void)one; }\n")
    place = templates_path() / "controller"
    sources = [folder / "flavor.c", *(place / f"{part}.c" for part in PARTS.split())]
    made = folder / "ours.so"
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC", "-fsanitize=undefined"]
    flags += ["-fno-sanitize-recover", f"-I{folder}", f"-I{place}", "-Wno-format"]
    subprocess.run(["cc", *flags, *sources, "-o", made], check=True)
    return CDLL(str(made))


@pytest.fixture(scope="module")
def theirs() -> CDLL:
    """The desktop's C library."""
    return CDLL("libc.so.6")


def written(function: ctypes._NamedFuncPointer, format_: str, *values: object) -> tuple[int, bytes]:
    """What snprintf makes."""
    text = ctypes.create_string_buffer(ROOM)
    count = function(text, c_size_t(ROOM), c_char_p(format_.encode()), *values)
    return count, text.value


def numbers(count: int) -> list[float]:
    """Numbers of all sizes, halves, and ends of ranges."""
    chance = random.Random(1)
    found = [
        0.0,
        -0.0,
        0.5,
        1.5,
        2.5,
        0.125,
        2.675,
        1e22,
        1e23,
        9.5,
        99.5,
        0.05,
        5e-324,
        2.2250738585072014e-308,
    ]
    found += [math.inf, -math.inf, math.nan, 1.7976931348623157e308, 9007199254740993.0, 123456789.125]
    found += [chance.uniform(-1000, 1000) for _ in range(count)]
    found += [round(chance.uniform(-100, 100), chance.randint(0, 6)) for _ in range(count)]
    bits = (chance.getrandbits(64).to_bytes(8, "little") for _ in range(count))
    return [*found, *(struct.unpack("<d", one)[0] for one in bits)]


def test_real_numbers_are_written_as_on_the_desktop(ours: CDLL, theirs: CDLL):
    """To 17 significant digits, which tell any number."""
    formats = (
        "%f",
        "%.2f",
        "%.0f",
        "%8.3f",
        "%-12.1f|",
        "%+.9e",
        "%e",
        "%.0e",
        "%#.0e",
        "%g",
        "%.3g",
        "%.17g",
    )
    formats += ("%G", "%E", "%012.4f", "% g", "%#g", "%-15g|", "%015e")
    for number in numbers(150):
        for one in formats:
            if "f" in one and math.isfinite(number) and abs(number) >= 1e40:
                continue  # more digits than are kept
            found = written(ours.controller_snprintf, one, c_double(number))
            assert found == written(theirs.snprintf, one, c_double(number)), (one, number)


def test_whole_numbers_and_texts_are_written_as_on_the_desktop(ours: CDLL, theirs: CDLL):
    numbers_ = (0, 1, -1, 42, -42, 255, 2**31 - 1, -(2**31))
    for flags in ("", "-", "0", "+", " ", "#", "-#", "0#"):
        for place in ("", "8", ".5", "12.5", ".0"):
            for kind in ("d", "i", "u", "x", "X", "o", "hd", "hhx"):
                for number in numbers_:
                    one = f"%{flags}{place}{kind}|"
                    ways = (ours.controller_snprintf, theirs.snprintf)
                    found, right = (written(way, one, c_int(number)) for way in ways)
                    assert found == right, (one, number)
    for one, value in (
        ("%ld", c_long(-(2**63))),
        ("%lu %%", c_long(-1)),
        ("%llx", c_long(0x123456789ABCDEF0)),
        ("%zu", c_size_t(77)),
        ("%jd", c_long(-9)),
        ("%c", c_int(65)),
        ("%5c|", c_int(65)),
        ("%s", c_char_p(b"word")),
        ("%-8.3s|", c_char_p(b"word")),
        ("%p", c_size_t(4711)),
    ):
        assert written(ours.controller_snprintf, one, value) == written(theirs.snprintf, one, value), one
    short = ctypes.create_string_buffer(b"xxxxxxxx")
    assert ours.controller_snprintf(short, c_size_t(4), b"%d", c_int(123456)) == 6
    assert short.raw == b"123\0xxxx\0"


def test_real_numbers_are_read_as_on_the_desktop(ours: CDLL, theirs: CDLL):
    """Rounded to the nearest, a half to the even one; the rest of the text is where it is there."""
    texts = """0 -0 1 1.5 .5 5. +7e2 1e 1e+ 1e-x 1.7976931348623159e308 1e400 -1e-400 4.9e-324 2.4e-324
        inf -INFINITY nanx 9007199254740993 9007199254740991.5 0.1000000000000000055511151231257827 1e22 1e23
        e5 . - x 00012.50rest 2.2250738585072011e-308 123456789012345678901234567890
        0.000000000000000000000000000001"""
    chance = random.Random(2)
    cases = texts.split() + [f"{one!r}" for one in numbers(300)]
    cases += [f"{chance.randint(0, 10**17)}e{chance.randint(-340, 310)}" for _ in range(500)]
    for function in (ours.controller_strtod, theirs.strtod):
        function.restype = c_double
    for text in cases:
        data, ends, found = ctypes.create_string_buffer(f" {text}".encode()), [], []
        for function in (ours.controller_strtod, theirs.strtod):
            end = ctypes.c_void_p()
            found.append(struct.pack("<d", function(data, ctypes.byref(end))))
            ends.append((end.value or 0) - ctypes.addressof(data))
        if "nan" not in text:
            assert found[0] == found[1], text
        assert ends[0] == ends[1], text


def scanned(function: ctypes._NamedFuncPointer, text: str, format_: str) -> tuple[int, bytes]:
    """What sscanf stores in up to four places."""
    places = ctypes.create_string_buffer(4 * 32)
    at = [ctypes.c_void_p(ctypes.addressof(places) + 32 * k) for k in range(4)]
    return function(text.encode(), format_.encode(), *at), places.raw


def test_formats_read_what_they_read_on_the_desktop(ours: CDLL, theirs: CDLL):
    right = getattr(theirs, "__isoc99_sscanf")
    for text, format_ in (
        ("12 -7 +3", "%d %d %d"),
        ("0x1f 017 9", "%i %i %i"),
        ("ff 77 0x10", "%x %o %x"),
        ("1.5 2e3 x", "%f %lf %f"),
        ("word other", "%s %3s"),
        ("abc123", "%[a-c]%d"),
        ("a,b;c", "%[^,],%[^;];%c"),
        ("12345", "%2d%3d"),
        ("speed=3.5 m/s", "speed=%lf%n"),
        ("speed 3.5", "speed=%lf"),
        ("", "%d"),
        ("   ", "%d"),
        ("x", "%d"),
        ("5 6", "%*d %d"),
        ("50%", "%d%%"),
        ("abcd", "%2c%c"),
        ("70000 70000", "%hd %hhd"),
        ("123456789012", "%ld"),
        ("a]b", "%[]a]%c"),
        ("- 5", "%d"),
    ):
        assert scanned(ours.controller_sscanf, text, format_) == scanned(right, text, format_), (
            text,
            format_,
        )


def test_random_numbers_are_those_of_the_desktop(ours: CDLL, theirs: CDLL):
    first = [ours.controller_rand() for _ in range(5)]
    theirs.srand(1)
    assert first == [theirs.rand() for _ in range(5)]
    for seed in (0, 1, 7, 2**31 - 1, 2**32 - 1):
        ours.controller_srand(ctypes.c_uint(seed))
        theirs.srand(ctypes.c_uint(seed))
        assert [ours.controller_rand() for _ in range(200)] == [theirs.rand() for _ in range(200)]


def test_sorting_keeps_the_order_of_equal_items(ours: CDLL):
    compare = ctypes.CFUNCTYPE(c_int, ctypes.POINTER(c_int), ctypes.POINTER(c_int))
    chance = random.Random(3)
    items = [chance.randrange(1000) for _ in range(200)]
    array = (c_int * len(items))(*items)
    by_tens = compare(lambda a, b: a[0] // 10 - b[0] // 10)
    ours.controller_qsort(array, c_size_t(len(items)), c_size_t(ctypes.sizeof(c_int)), by_tens)
    assert list(array) == sorted(items, key=lambda one: one // 10)


def test_a_heap_gives_no_byte_twice_and_takes_all_back(ours: CDLL):
    """Random calls; each block keeps its bytes, and in the end all of it is free again."""
    for name in ("malloc", "realloc", "calloc"):
        getattr(ours, f"controller_{name}").restype = ctypes.c_void_p
    chance = random.Random(4)
    held: dict[int, bytes] = {}
    whole = ours.controller_malloc(c_size_t(400))
    assert whole and ours.controller_malloc(c_size_t(400)) is None
    ours.controller_free(ctypes.c_void_p(whole))
    for _ in range(2000):
        if held and chance.random() < 0.5:
            place = chance.choice(list(held))
            data = held.pop(place)
            assert ctypes.string_at(place, len(data)) == data
            ours.controller_free(ctypes.c_void_p(place))
            continue
        size = chance.randrange(1, 60)
        made = ours.controller_calloc(c_size_t(size), c_size_t(1))
        if made:
            assert made % 16 == 0 and ctypes.string_at(made, size) == bytes(size)
            held[made] = bytes(chance.randrange(256) for _ in range(size))
            ctypes.memmove(made, held[made], size)
    for place in held:
        ours.controller_free(ctypes.c_void_p(place))
    assert ours.controller_malloc(c_size_t(400)) == whole
    assert ours.controller_calloc(c_size_t(2**62), c_size_t(8)) is None


SHOWN = r"""
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float reals[] = {0.1f, -2.5f, 2.675f, 1e-5f, 123456.f, 3.4e10f, 0.f};

static void show(void) {
  char text[48], word[9];
  int whole = 0, other = 0;
  float real = 0;
  for (unsigned k = 0; k < sizeof reals / sizeof *reals; k++) {
    const double one = (double)reals[k];
    snprintf(text, sizeof text, "%+.3e|%9.2f|%-10g|%.0f", one, one, one, one);
    puts(text);
  }
  sprintf(text, "%5d|%-5u|%05x|%#o|%ld|%c|%.3s", -42, 7u, 255, 8, -123456789L, 'c', "words");
  puts(text);
  int found = sscanf(" 12 0x1f 2.5 word", "%d %i %f %8s", &whole, &other, &real, word);
  printf("%d %d %d %.2f %s\n", found, whole, other, (double)real, word);
  srand(7);
  for (int k = 0; k < 3; k++)
    printf("%ld ", random());
  printf("\n%d %ld\n", atoi("-12"), strtol("0x7f", NULL, 0));
  char *end;
  real = (float)strtod("3.14159xyz", &end);
  printf("%.6g %s %d\n", (double)real, end, (int)(1000 * atof("1.5")));
  char list[] = "a,b;c";
  for (char *one = strtok(list, ",;"); one != NULL; one = strtok(NULL, ",;"))
    printf("<%s>", one);
  printf("%c %d %s %d\n", toupper('x'), (int)strlen("abc"), strstr("robot", "bot"), memcmp("a", "b", 1) < 0);
  memset(text, 0, sizeof text);
  strncpy(text, "copied", 4);
  printf("%s %d %.4f\n", text, abs(-4), sqrt(2.25));
}
"""


def desktop(folder: Path) -> str:
    """What the program writes with the desktop's C library."""
    (folder / "desktop.c").write_text(SHOWN + "int main(void) { show(); }\n")
    command = ["cc", "-std=gnu11", "-w", folder / "desktop.c", "-o", folder / "desktop", "-lm"]
    subprocess.run(command, check=True)
    return subprocess.run([folder / "desktop"], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("board", boards(host=True))
def test_a_program_writes_the_same_on_all_boards(board: str, tmp_path: Path):
    """As with the desktop's C library; numbers are such that a double of 4 bytes holds them."""
    opening = "wb_robot_step(100);"  # for a computer to open a USB port
    main = f"int main(void) {{ wb_robot_init(); {opening} show(); assert(wb_robot_step(160) == -7); }}\n"
    text = text_of(made(tmp_path, board, HEAD + SHOWN + main), 400)
    right = desktop(tmp_path)
    assert text[: len(right)] == right
    line = (HEAD + SHOWN).count("\n") + 1
    said = f"controller/robot.c:{line}: main: Assertion `wb_robot_step(160) == -7' failed.\n"
    assert text[len(right) :].startswith(said)


@pytest.mark.parametrize("board", LIMITED)
def test_a_heap_is_had_where_the_map_gives_it(board: str, tmp_path: Path):
    code = (
        HEAD
        + """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  wb_robot_init();
  char *text = malloc(20);
  strcpy(text, "kept");
  printf("%s %s %d\\n", text, strdup("copied"), malloc(4000) == NULL);
  free(text);
  while (wb_robot_step(16) != -1) {
  }
}
"""
    )
    first = HEAD.count("\n") + 6
    with pytest.raises(BuildError) as caught:
        made(tmp_path, board, code)
    why = "the board has no heap; set heap = BYTES in hardware.toml, or use variables of a fixed size"
    path = tmp_path / "code" / "robot.c"
    told = str(caught.value).splitlines()
    assert told[0] == f"{path}:{first}:16: malloc: {why}"
    assert all(why in line for line in told)
    built = made(tmp_path, board, code, "heap = 128\n")
    assert built.size.stack is not None
    assert text_of(built, 100).startswith("kept copied 1\n")


def test_a_wrong_heap_is_told(tmp_path: Path):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "robot.c").write_text("int main(void) {}\n")
    for value in ("-1", "4", "true", "1.5", '"much"'):
        text = onboard.MAP.replace("\n", f"\nheap = {value}\nunbounded_stack = 7\n", 1)
        with pytest.raises(HardwareError) as caught:
            onboard.hardware(tmp_path, "host", "hil", "code", text)
        assert [one.line for one in caught.value.problems] == [2, 3]
        assert "allowed: 0 (none) and 16 to 1048576 bytes" in caught.value.problems[0].text
        assert "unbounded_stack: found 7; allowed: true and false" in caught.value.problems[1].text


@pytest.mark.parametrize("board", LIMITED)
def test_what_needs_a_computer_is_told_where_it_is_called(board: str, tmp_path: Path):
    """On each board alike, also where its C library has the function and lacks what that needs."""
    code = HEAD + (
        "#include <stdio.h>\n#include <time.h>\nint main(void) {\n  wb_robot_init();\n  perror(0);\n"
        "  return (int)clock();\n}\n"
    )
    with pytest.raises(BuildError) as caught:
        made(tmp_path, board, code)
    path, first = tmp_path / "code" / "robot.c", HEAD.count("\n") + 5
    told = [line.partition(": ") for line in str(caught.value).splitlines()]
    assert [(place, rest.partition(":")[0]) for place, _, rest in told] == [
        (f"{path}:{first}:3", "perror"),
        (f"{path}:{first + 1}:15", "clock"),
    ]
    assert all("needs a computer" in rest or "needs an operating system" in rest for _, _, rest in told)


@pytest.mark.parametrize("board", LIMITED)
def test_functions_that_two_files_have_are_told_in_both(board: str, tmp_path: Path):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "other.c").write_text("\nint helper(int a) {\n  return a;\n}\n")
    code = HEAD + "int helper(int a) { return a + 1; }\nint main(void) { return helper(wb_robot_init()); }\n"
    with pytest.raises(BuildError) as caught:
        made(tmp_path, board, code)
    why = "several files of the controller define this; make it static, or declare it extern in all but one"
    assert str(caught.value).splitlines() == [
        f"{tmp_path / 'code' / 'other.c'}:2:5: helper: {why}",
        f"{tmp_path / 'code' / 'robot.c'}:{HEAD.count(chr(10)) + 1}:5: helper: {why}",
    ]
