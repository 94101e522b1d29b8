"""Displays with an SSD1306: the pixels that a board draws, and what the emulated display makes of its bytes.

Judges: the simulator's canvas, which has judges of its own (tests/drawing); the data sheet of the SSD1306.
"""

from __future__ import annotations

import ctypes
import json
import random
import re
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import CHECKOUT, require_tool
from tests.firmware.conftest import require_board
from tests.firmware.wired import mapped, table_of
from wbridge.hal.table import DeviceTable
from wbridge.libcontroller.compiling import BuildError
from wbridge.wbcore.drawing.canvas import Canvas
from wbridge.wbcore.drawing.fonts import find_font, load_font
from wbridge.wbcore.drawing.texts import draw_text
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.building.display_fonts import (
    BoardFont,
    FontUse,
    board_font,
    font_uses,
    python_font_uses,
)
from wbridge.wbfirmware.building.generate import made_files
from wbridge.wbfirmware.building.project import FirmwareError
from wbridge.wbfirmware.problems import HardwareError
from wbridge.wbfirmware.template_folders import templates_path
from wbridge.wbverify.coupling.ssd1306 import lit

WIDTH, HEIGHT = 128, 64
CONFIG = "#define LINK_REAL 8\n#define SSD1306_COUNT 1\n#define CANVAS_PAGES 8\n#define DISPLAY_FONTS 0\n"
FIGURES = ("project/canvas.c", "api/display/figures.c", "api/display/font.c")
PANEL = "boards/shared/registers/ssd1306_panel.c"
MAP = """format = 1
world = "w.wbt"
robot = "all"
board = "BOARD"
flavor = "standalone"
controller = "code.c"
[link]
table = false
[devices.screen]
driver = "ssd1306"
sda = "SDA"
scl = "SCL"
"""
BUS = {"host": ("D20", "D21"), "arduino-uno": ("A4", "A5")}


def library(folder: Path, *sources: str) -> ctypes.CDLL:
    """C files of the templates as a library."""
    require_tool("cc", "compiles C")
    (folder / "config.h").write_text(CONFIG)
    templates = templates_path()
    files = [templates / one for one in sources]
    places = {f"-I{one.parent}" for one in files} | {f"-I{folder}", f"-I{templates / 'project'}"}
    made = folder / "library.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", *sorted(places), *files, "-o", made], check=True)
    return ctypes.CDLL(str(made))


class PythonBoard:
    """The modules of a board with Python, with the functions of the library in C."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        core, package = templates_path() / "micropython", ModuleType("wb")
        known: dict[str, Any] = {
            "table": {
                "DEVICES": [{}, {"class": "Display", "height": 32}, {"class": "Display", "height": HEIGHT}],
                "DRIVERS": {2: ("ssd1306", {})},
            },
            "fonts": {"FONTS": []},
        }
        monkeypatch.setitem(sys.modules, "wb", package)
        for name in ("table", "fonts", "messages", "canvas", "figures", "font"):
            module = ModuleType(f"wb.{name}")
            module.__dict__.update(known.get(name, {}))
            monkeypatch.setitem(sys.modules, module.__name__, module)
            setattr(package, name, module)
            if name not in known:
                exec(
                    compile((core / f"{name}.py").read_text(encoding="utf-8"), name, "exec"), module.__dict__
                )
        self.fonts = known["fonts"]["FONTS"]
        self.canvas, self.font = package.canvas, package.font
        self.canvas_bar, self.figure_line = package.canvas.bar, package.figures.line
        self.figure_oval, self._polygon = package.figures.oval, package.figures.polygon

    def figure_polygon(self, xs: list[int], ys: list[int], count: int, fill: bool, is_lit: bool) -> None:
        self._polygon(list(xs), list(ys), fill, is_lit)


Board = ctypes.CDLL | PythonBoard


@pytest.fixture(scope="module")
def c_board(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return library(tmp_path_factory.mktemp("figures"), *FIGURES)


@pytest.fixture(params=["c", "python"])
def board(request: pytest.FixtureRequest, c_board: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> Board:
    return c_board if request.param == "c" else PythonBoard(monkeypatch)


def pixels(data: bytes) -> NDArray[np.bool_]:
    """The picture of 128 bytes for each 8 rows."""
    pages = np.frombuffer(data, np.uint8).reshape(-1, 1, WIDTH)
    return np.unpackbits(pages, axis=1, bitorder="little").reshape(-1, WIDTH).astype(bool)


def board_pixels(board: Board) -> NDArray[np.bool_]:
    if isinstance(board, PythonBoard):
        return pixels(bytes(board.canvas.data))
    return pixels(bytes((ctypes.c_uint8 * (WIDTH * HEIGHT // 8)).in_dll(board, "canvas_bytes")))


def numbers(values: list[int]) -> ctypes.Array[ctypes.c_int]:
    return (ctypes.c_int * len(values))(*values)


def figure(chance: random.Random, canvas: Canvas, board: Board, is_lit: bool) -> None:
    """Draw the same figure on both."""
    reach = chance.choice((40, 150, 3000))
    x, y, a, b = (chance.randrange(-reach, reach + 90) for _ in range(4))
    fill = chance.random() < 0.5
    kind = chance.randrange(3)
    if kind == 0:
        canvas.line((x, y), (a, b))
        board.figure_line(x, y, a, b, is_lit)
    elif kind == 1:
        a, b = abs(a) % 300 + 1, abs(b) % 300 + 1
        canvas.oval((x, y), a, b, fill)
        board.figure_oval(x, y, a, b, fill, is_lit)
    else:
        count = chance.randrange(1, 9)
        xs, ys = ([chance.randrange(-reach, reach + 90) // 3 for _ in range(count)] for _ in range(2))
        canvas.polygon(xs, ys, fill)
        board.figure_polygon(numbers(xs), numbers(ys), count, fill, is_lit)


def test_figures_have_the_pixels_of_the_simulated_display(board: Board):
    chance, canvas = random.Random(3), Canvas(WIDTH, HEIGHT)
    board.canvas_bar(0, 0, WIDTH, HEIGHT, False)
    for number in range(200):
        canvas.rgb = 0xFFFFFF if number % 2 else 0
        figure(chance, canvas, board, bool(number % 2))
        assert (board_pixels(board) == lit(canvas.pixels)).all(), number


class Glyph(ctypes.Structure):
    """struct glyph of font.h."""

    _fields_ = (
        ("code", ctypes.c_uint16),
        *((name, ctypes.c_int8) for name in ("left", "top")),
        *((name, ctypes.c_uint8) for name in ("advance", "columns", "rows")),
        ("first", ctypes.c_uint16),
    )


class Font(ctypes.Structure):
    """struct font of font.h."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("size", ctypes.c_uint16),
        ("is_smooth", ctypes.c_bool),
        ("line_height", ctypes.c_uint16),
        ("count", ctypes.c_uint16),
        ("glyphs", ctypes.POINTER(Glyph)),
        ("bits", ctypes.c_char_p),
    )


def writer(board: Board, made: BoardFont) -> Callable[[str, int, int], bool]:
    """A function that draws a text in a font."""
    if isinstance(board, PythonBoard):
        glyphs = b"".join(struct.pack("<HbbBBBH", *one) for one in made.glyphs)
        board.fonts[:] = [(*made[:4], glyphs, made.bits)]
        return lambda text, x, y: bool(board.font.draw(0, text, x, y, True))
    listed = (Glyph * len(made.glyphs))(*(Glyph(*one) for one in made.glyphs))
    font = Font(b"", made.size, made.is_smooth, made.line_height, len(listed), listed, made.bits)
    return lambda text, x, y: bool(board.font_draw(ctypes.byref(font), text.encode(), x, y, True) & 0xFF)


@pytest.mark.parametrize("is_smooth", [False, True])
@pytest.mark.parametrize("size", [8, 14])
def test_texts_have_the_pixels_of_the_simulated_display(board: Board, size: int, is_smooth: bool):
    """With smooth edges on black ground: half covered pixels are lit."""
    text = "Ünder 21 °C, {ok}\nline 2\t<x>"
    made = board_font(FontUse("Arial", size, is_smooth), {*text, *"abc"}, Path("nowhere"), "")
    draw = writer(board, made)
    for x, y in ((3, 2), (-25, -9), (90, 50), (-3, 60), (0, -60)):
        canvas = Canvas(WIDTH, HEIGHT)
        assert draw_text(canvas, load_font(find_font("Arial", None), size, is_smooth), text, x, y) == set()
        board.canvas_bar(0, 0, WIDTH, HEIGHT, False)
        draw(text, x, y)
        assert (board_pixels(board) == lit(canvas.pixels)).all(), (x, y)
    assert not draw("§\U0001f600", 0, 0), "the font does not have them"


@pytest.fixture
def displays(monkeypatch: pytest.MonkeyPatch) -> tuple[PythonBoard, list[Any]]:
    """A board with Python, and the objects of its two displays; the first one has no driver."""
    made = PythonBoard(monkeypatch)
    device = ModuleType("wb.device")

    class Device:
        def __init__(self, tag: int) -> None:
            self._tag = tag

    device.__dict__["Device"] = Device
    monkeypatch.setitem(sys.modules, "wb.device", device)
    code = (templates_path() / "api" / "display" / "display.py").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(compile(code, "display", "exec"), names)
    return made, [names["Display"](tag) for tag in (1, 2)]


def test_a_display_without_a_driver_draws_nothing_in_python(displays: tuple[PythonBoard, list[Any]]):
    board, (absent, _) = displays
    absent.set_font("Arial", 8, True)
    absent.draw_pixel(1, 1)
    absent.draw_line(0, 0, 9, 9)
    absent.draw_rectangle(1, 1, 9, 9)
    absent.fill_rectangle(1, 1, 9, 9)
    absent.fill_oval(20, 20, 9, 9)
    absent.draw_polygon([1, 9, 5], [1, 1, 9])
    absent.draw_text("text", 1, 1)
    assert not board_pixels(board).any()


def test_rectangles_with_parts_of_pixels_are_drawn_in_python_as_on_the_desktop(
    displays: tuple[PythonBoard, list[Any]],
):
    """The desktop cuts the fractions off."""
    board, (_, screen) = displays
    screen.fill_rectangle(2.7, 3.2, 4.9, 2.0)
    screen.draw_rectangle(20.5, 30.5, 3.5, 3.5)
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.fill_rectangle(2, 3, 4, 2)
    canvas.rectangle(20, 30, 3, 3)
    assert (board_pixels(board) == lit(canvas.pixels)).all()


def test_only_changed_bytes_are_sent_and_each_once(c_board: ctypes.CDLL):
    board = c_board

    def sent() -> list[tuple[int, int, int]]:
        found, part = [], (ctypes.c_uint8 * 3)()
        while board.canvas_changed(part) & 0xFF:
            found.append((part[0], part[1], part[2]))
            board.canvas_sent(part)
        return found

    board.canvas_bar(0, 0, WIDTH, HEIGHT, False)
    sent()
    board.canvas_bar(10, 4, 19, 8, True)
    assert sent() == [(0, 10, 10), (1, 10, 10)]
    board.canvas_bar(12, 5, 14, 7, True)
    assert sent() == [], "it is lit already"
    board.canvas_touch()
    assert sent() == [(page, at, min(24, 128 - at)) for page in range(8) for at in range(0, 128, 24)]


@pytest.mark.parametrize(
    ("color", "alpha", "is_lit"),
    [
        (0xFFFFFF, 255, True),
        (0x7F7F7F, 255, False),
        (0x808080, 255, True),
        (0xFF0000, 255, False),
        (0x00FF00, 255, True),
        (0xFFFFFF, 127, False),
        (0xFFFFFF, 128, True),
    ],
)
def test_half_of_the_luminance_of_white_is_lit(color: int, alpha: int, is_lit: bool):
    """Judge: 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601)."""
    assert bool(lit(np.array([[alpha << 24 | color]], np.uint32))[0, 0]) is is_lit


# The emulated display.


Panel = Callable[..., NDArray[np.bool_]]
"""Takes messages, and returns the pixels of the glass."""
JAVASCRIPT = """
const {{ Panel }} = await import({path});
const panel = new Panel(64);
for (const one of {messages}) one.forEach((byte, k) => panel.write(k === 0, byte));
console.log(panel.show());
"""


def shown(line: str) -> NDArray[np.bool_]:
    return pixels(bytes.fromhex(line.removeprefix("picture ")))


def panel_in_c(folder: Path, capfd: pytest.CaptureFixture[str]) -> Panel:
    """That of the board host and of boards with an AVR."""
    loaded = library(folder, PANEL)
    loaded.panel_drive.argtypes = (ctypes.c_char_p, ctypes.c_double)
    flush = ctypes.CDLL(None).fflush
    name = b"SSD1306:0x3C:64"
    loaded.panel_drive(name, 1.0)

    def send(*messages: list[int]) -> NDArray[np.bool_]:
        for one in messages:
            for k, byte in enumerate(one):
                loaded.panel_write(0x3C, k == 0, byte)
        loaded.panel_show(name)
        flush(None)
        return shown(capfd.readouterr().out)

    return send


def panel_in_python() -> Panel:
    """That of boards with Python."""
    code = (templates_path() / "micropython" / "bench" / "bench_panel.py").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(compile(code, "bench_panel", "exec"), names)
    made = names["Panel"](64)

    def send(*messages: list[int]) -> NDArray[np.bool_]:
        for one in messages:
            made.write(bytes(one))
        return shown(made.show())

    return send


def panel_in_javascript() -> Panel:
    """That of the Pico."""
    node = require_tool("node", "apt install nodejs")
    path = json.dumps(str(CHECKOUT / "wbfirmware" / "emulators" / "programs" / "rp2040_panel.mjs"))
    sent: list[list[int]] = []

    def send(*messages: list[int]) -> NDArray[np.bool_]:
        sent.extend(messages)
        code = JAVASCRIPT.format(path=path, messages=json.dumps(sent))
        words = [node, "--input-type=module", "--eval", code]
        return shown(subprocess.run(words, check=True, capture_output=True, text=True).stdout)

    return send


@pytest.fixture(params=["c", "python", pytest.param("javascript", marks=pytest.mark.boards)])
def panel(request: pytest.FixtureRequest, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Panel:
    if request.param == "c":
        return panel_in_c(tmp_path, capfd)
    return panel_in_python() if request.param == "python" else panel_in_javascript()


PUMP_AND_ON = [0x00, 0x8D, 0x14, 0xAF]
UPRIGHT = [0x00, 0xA1, 0xC8]
HORIZONTAL, VERTICAL, BY_PAGE = ([0x00, 0x20, one] for one in (0, 1, 2))
WHOLE = [0x00, 0x21, 0, 127, 0x22, 0, 7]
CLEAR = [0x40, *[0] * 1024]


def lit_at(picture: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The lit pixels, column and row."""
    return [(int(x), int(y)) for y, x in np.argwhere(picture)]


def test_it_is_dark_without_its_charge_pump_and_until_it_is_switched_on(
    panel: Panel,
):
    assert not panel([0x00, 0xA5]).any()
    assert not panel([0x00, 0xAF]).any()
    assert panel([0x00, 0x8D, 0x14]).all()
    assert not panel([0x00, 0xAE]).any()
    assert panel([0x00, 0xAF, 0xA4]).any(), "its memory is random after power-on"


def test_control_bytes_announce_commands_and_data(panel: Panel):
    """Data sheet, 8.1.5.2: Co = 1 announces one byte, Co = 0 all that follow; D/C = 1 is data."""
    panel(PUMP_AND_ON, UPRIGHT, HORIZONTAL, WHOLE, CLEAR)
    mixed = [0x80, 0xB1, 0x80, 0x02, 0x80, 0x11, 0xC0, 0x01, 0x40, 0x80, 0x03]
    assert lit_at(panel(BY_PAGE, mixed)) == [(18, 8), (20, 8), (20, 9), (19, 15)]


@pytest.mark.parametrize(
    ("mode", "places"),
    [
        (HORIZONTAL, [(10, 16), (11, 16), (12, 16), (10, 24)]),
        (VERTICAL, [(10, 16), (10, 24), (11, 16), (11, 24)]),
    ],
)
def test_addressing_stays_within_its_window(panel: Panel, mode: list[int], places: list[tuple[int, int]]):
    """Data sheet, figures 10-3 and 10-4."""
    panel(PUMP_AND_ON, UPRIGHT, HORIZONTAL, WHOLE, CLEAR)
    window = [0x00, 0x21, 10, 12, 0x22, 2, 3]
    assert sorted(lit_at(panel(mode, window, [0x40, 1, 1, 1, 1]))) == sorted(places)
    again = panel(window, [0x40, *[0] * 6, 128])
    assert lit_at(again) == [(10, 23)], "it begins again after the last byte"


def test_directions_rows_and_inversion(panel: Panel):
    panel(PUMP_AND_ON, UPRIGHT, HORIZONTAL, WHOLE, CLEAR)
    one = [[0x00, 0xB0, 0x05, 0x10], [0x40, 0x04]]
    assert lit_at(panel(BY_PAGE, *one)) == [(5, 2)]
    assert lit_at(panel([0x00, 0xA0])) == [(5, 2)], "segments are mapped when data is written"
    assert lit_at(panel([0x00, 0xC0])) == [(5, 61)]
    assert lit_at(panel([0x00, 0xC8, 0x41])) == [(5, 1)], "start line 1"
    assert lit_at(panel([0x00, 0x40, 0xD3, 3])) == [(5, 63)], "offset"
    assert lit_at(panel([0x00, 0xD3, 0, 0xA8, 31])) == [(5, 34)], "32 rows of 64"
    assert lit_at(panel([0x00, 0xA8, 63, 0xDA, 0x02])) == [], "the wrong wiring of the glass"
    assert panel([0x00, 0xDA, 0x12, 0xA7]).sum() == WIDTH * HEIGHT - 1
    assert lit_at(panel([0x00, 0xA6], *one)) == [(5, 2), (122, 2)]


def test_a_bench_with_python_knows_names_of_displays_only():
    names: dict[str, Any] = {}
    code = (templates_path() / "micropython" / "bench" / "bench_panel.py").read_text(encoding="utf-8")
    exec(compile(code, "bench_panel", "exec"), names)
    for name in ("SSD1306:0x3C", "SSD1306:x:64", "SSD1306:0x3C:48", "SSD1306:0x3C:64:1", "LCD:0x3C:64"):
        assert not names["drive"](name, 1.0)
        assert names["show"](name) is None
    assert names["drive"]("SSD1306:0x3C:32", 1.0)


def test_a_bench_in_c_has_room_for_two_displays(tmp_path: Path):
    loaded = library(tmp_path, PANEL)
    loaded.panel_drive.argtypes = (ctypes.c_char_p, ctypes.c_double)
    loaded.panel_drive.restype = ctypes.c_bool
    names = [f"SSD1306:{address}:64".encode() for address in (60, 61, 62)]
    assert [loaded.panel_drive(one, 1.0) for one in names] == [True, True, False]
    assert loaded.panel_drive(names[2], 0.0) and loaded.panel_drive(names[0], 0.0)
    assert loaded.panel_drive(names[2], 1.0)


# What a board cannot do.


def table(width: int = WIDTH, height: int = HEIGHT) -> DeviceTable:
    return table_of({"screen": ("Display", {"width": width, "height": height})})


def wired(board: str) -> str:
    sda, scl = BUS[board]
    return MAP.replace("BOARD", board).replace("SDA", sda).replace("SCL", scl)


CODE = """#include <webots/display.h>
#include <webots/robot.h>
int main(void) {
  wb_robot_init();
  WbDeviceTag screen = wb_robot_get_device("screen");
  while (wb_robot_step(32) != -1) LINE;
}
"""


def written(folder: Path, line: str) -> Path:
    (folder / "code.c").write_text(CODE.replace("LINE", line))
    return folder


@pytest.mark.boards
def test_calls_that_a_board_cannot_serve_are_refused_by_line(tmp_path: Path):
    require_board("host")
    folder = written(tmp_path, "wb_display_image_load(screen, 0), wb_display_set_opacity(screen, 0.5)")
    with pytest.raises(BuildError) as caught:
        build(mapped(folder, wired("host"), table()), tmp_path / "firmware")
    for name in ("wb_display_image_load", "wb_display_set_opacity"):
        assert re.search(
            rf"code\.c:6:\d+: .*{name}.*does not offer this function of the type Display", str(caught.value)
        )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            "wb_display_set_font(screen, name, 8, 0)",
            r"the board has only the fonts that the controller names",
        ),
        ('wb_display_set_font(screen, "Arail", 8, 0)', 'unknown font "Arail"; did you mean .Arial.'),
        ('wb_display_set_font(screen, "Arial", 60, 0)', r"a font size of 60; boards allow 1 to 48"),
    ],
)
def test_fonts_must_be_known_when_it_is_built(tmp_path: Path, line: str, why: str):
    hardware = mapped(written(tmp_path, line), wired("host"), table())
    with pytest.raises(FirmwareError, match=rf"code\.c:6:35: .*{why}"):
        made_files(hardware)


def test_fonts_of_a_source():
    text = """
// wb_display_set_font(screen, name, 8, 0)
draw(wb_display_draw_text); wb_display_set_font(screens[k], "Arial", 12, true);
screen->setFont("Courier New", 10, false); /* screen->drawText("") */
"""
    assert [one for one, _ in font_uses(text, "")] == [
        FontUse("Lucida Console", 8, True),
        FontUse("Arial", 12, True),
        FontUse("Courier New", 10, False),
    ]


def test_fonts_of_a_source_in_python():
    text = 'x = 7 // 2\nscreen.setFont("Arial", 12, True)\nscreen.drawText("", 0, 0)\n'
    assert list(python_font_uses(text, "a.py")) == [
        (FontUse("Arial", 12, True), "a.py:2:1"),
        (FontUse("Lucida Console", 8, True), "a.py:3:1"),
    ]
    (drawn,) = python_font_uses("write = screen.drawText\nwrite('', 0, 0)\n", "a.py")
    assert drawn == (FontUse("Lucida Console", 8, True), "a.py:1:9")
    (named,) = python_font_uses('screen.setFont(size=9, anti_aliasing=False, font="Arial")', "a.py")
    assert named[0] == FontUse("Arial", 9, False)
    for line in (
        'screen.setFont("Arial", size, True)',
        'screen.setFont("Arial", True, 12)',
        'screen.setFont("Arial", 12)',
        'screen.setFont("Arial", 12, True, size=8)',
        "choose(screen.setFont)",
    ):
        with pytest.raises(FirmwareError, match="a.py:1:.*: setFont: the board has only the fonts"):
            list(python_font_uses(line, "a.py"))


def test_a_font_with_too_many_characters_is_refused():
    """The place of a character in the bitmaps has 16 bits."""
    with pytest.raises(
        FirmwareError, match=r'a.c:7:1: .* "Arial" in size 48 take \d{5,} bytes; boards allow'
    ):
        board_font(FontUse("Arial", 48, False), set(map(chr, range(0x21, 0x250))), Path("nowhere"), "a.c:7:1")


def test_other_sizes_and_a_second_display_are_refused(tmp_path: Path):
    written(tmp_path, "")
    with pytest.raises(
        HardwareError, match='"screen": the driver "ssd1306" does not match; available for Display'
    ):
        mapped(tmp_path, wired("host"), table(96, 64))
    size = {"width": WIDTH, "height": 32}
    two = table_of({"screen": ("Display", size), "other": ("Display", size)})
    second = wired("host").partition("[devices.screen]")[2].replace('"D21"', '"D21"\naddress = 0x3D')
    with pytest.raises(
        HardwareError, match='"other": a board supports at most 1 device with the driver ssd1306'
    ):
        mapped(tmp_path, f"{wired('host')}[devices.other]{second}", two)


@pytest.mark.boards
def test_an_uno_without_room_for_the_picture_is_refused(tmp_path: Path):
    """1024 bytes of 2048 and a large array are too much."""
    require_board("arduino-uno")
    written(tmp_path, "{ static volatile char log[700]; for (int k = 0; k < 700; k++) log[k]++; }")
    hardware = mapped(tmp_path, wired("arduino-uno"), table())
    with pytest.raises(BuildError, match="the largest parts are canvas_bytes 1024, "):
        build(hardware, tmp_path / "firmware")
    assert re.search("CANVAS_PAGES 8", (tmp_path / "firmware" / "config.h").read_text())
