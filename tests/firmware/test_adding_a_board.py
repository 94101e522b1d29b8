"""What docs/adding-a-board.md says about a board of one's own, carried out."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.firmware.conftest import WORLD, require_board
from wbridge.main import main
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.boards.board import BoardError, load_board, read_board
from wbridge.wbfirmware.template_folders import templates_path

DOC = (CHECKOUT / "docs" / "adding-a-board.md").read_text(encoding="utf-8")
UNO = templates_path() / "boards" / "arduino-uno"
MINI = "pro-mini"


def block(name: str) -> list[str]:
    """The lines of a file in the document."""
    found = re.search(rf"^```\w+ {re.escape(name)}\n(.*?)^```", DOC, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1].splitlines()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the board of the document beside its hardware map."""
    assert f"\nwbridge firmware board {MINI} --like arduino-uno\n" in DOC
    assert main(["firmware", "board", MINI, "--like", "arduino-uno", "--folder", str(tmp_path)]) == 0
    folder = tmp_path / "firmware_templates" / "boards" / MINI
    text = (folder / "board.toml").read_text()
    for line in block("board.toml"):
        key = line.split(" = ")[0]
        old = re.search(rf"^{key} = \[?\"?(avr-gcc)?.*$", text, re.MULTILINE)
        if key in ("A6", "A7"):
            old = None  # new, at the end
        if key == "command":
            old = re.search(r'^command = \["-p".*$', text, re.MULTILINE)
        text = text.replace(old[0], line) if old else f"{text}{line}\n"
    (folder / "board.toml").write_text(text)
    return tmp_path


def test_the_board_of_the_document_is_made_built_emulated_and_flashed(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    require_board("arduino-uno")
    map_file = project / "hardware.toml"
    assert main(["firmware", "new", str(WORLD), "--board", MINI, "--out", str(map_file)]) == 0
    text = map_file.read_text()
    assert "wired to Pro Mini" in text
    assert re.search(r'"front"\][^[]*\npin = "A6"', text)  # a pin that can do nothing else
    assert main(["firmware", "build", str(map_file)]) == 0
    assert "of 30720 bytes" in capsys.readouterr().out
    with Bench(load_board(MINI, project), project / "firmware" / "firmware.elf", lockstep=True) as bench:
        bench.run(10_000)
        assert bench.show("D13").use in ("input", "output")
        bench.drive("A6", 2.5)
    assert main(["firmware", "flash", str(map_file), "--port", "/dev/ttyUSB7", "--dry-run"]) == 0
    assert "-b 57600 -P /dev/ttyUSB7" in capsys.readouterr().out


@pytest.mark.parametrize("like", ["pico-micropython", "nucleo-f446re-micropython", "esp32-c3"])
def test_a_board_like_one_of_another_kind_has_its_files(like: str, tmp_path: Path):
    """Boards that run Python and sketches; also by the key `like`."""
    assert main(["firmware", "board", "mine", "--like", like, "--folder", str(tmp_path)]) == 0
    own = tmp_path / "firmware_templates" / "boards"
    (own / "other").mkdir()
    (own / "other" / "board.toml").write_text(
        f'like = "{like.replace("f446re", "f411re")}"\ntitle = "Other"\n'
    )
    files = [one.name for one in load_board(like).files]
    assert [one.name for one in load_board("mine", tmp_path).files] == files
    assert [one.name for one in load_board("other", tmp_path).files] == files


def test_parts_give_keys_that_a_board_does_not_have(tmp_path: Path):
    """Tables key by key; an earlier part's keys before those of a later one."""
    assert main(["firmware", "board", "mine", "--like", "stm32f405", "--folder", str(tmp_path)]) == 0
    boards = tmp_path / "firmware_templates" / "boards"
    for part, text in (("first", "interrupt = 61"), ("second", "interrupt = 62\ndevice = 172")):
        (boards / "shared" / part).mkdir(parents=True)
        (boards / "shared" / part / "board.toml").write_text(f"[edges]\n{text}\n")
    path = boards / "mine" / "board.toml"
    path.write_text(path.read_text().replace('"stm32",', '"first", "second", "stm32",'))
    like, mine = load_board("stm32f405"), load_board("mine", tmp_path)
    assert mine.timing.edges == (61, 172)
    assert (mine.memory, mine.compiler, mine.baud) == (like.memory, like.compiler, like.baud)


def test_a_board_is_known_beside_its_hardware_map_only(project: Path, capsys: pytest.CaptureFixture[str]):
    elsewhere = project / "worlds"
    elsewhere.mkdir()
    out = str(elsewhere / "hardware.toml")
    assert main(["firmware", "new", str(WORLD), "--board", MINI, "--out", out]) == 2
    assert f"no board '{MINI}'; available: arduino, " in capsys.readouterr().err


REFUSED = {
    "a short name": (["mini", "--like", "uno"], "no board 'uno'; .*did you mean \"arduino-uno\""),
    "unknown": (["mini", "--like", "arduino-un"], "no board 'arduino-un'; .*did you mean \"arduino-uno\""),
    "of wbridge": (["pico", "--like", "arduino-uno"], "board 'pico' exists: .*choose another name"),
    "own": ([MINI, "--like", "arduino-uno"], f"board '{MINI}' exists: .*choose another name"),
    "a path": (
        ["../mini", "--like", "arduino-uno"],
        r"'\.\./mini' cannot be the name of a board: use lowercase",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_board_is_copied_to_a_new_name_only(case: str, project: Path, capsys: pytest.CaptureFixture[str]):
    words, message = REFUSED[case]
    assert main(["firmware", "board", *words, "--folder", str(project)]) == 2
    assert re.search(message, capsys.readouterr().err)
    assert [file.name for file in (project / "firmware_templates" / "boards").iterdir()] == [MINI]


WRONG: dict[str, tuple[Callable[[str], str], str]] = {
    "a key": (lambda text: text.replace("supply =", "suply ="), 'suply: unknown key; .*mean "supply"'),
    "a missing one": (
        lambda text: text.replace("supply = 5.0", ""),
        "supply is missing; expected a number",
    ),
    "a kind": (lambda text: text.replace("ram = 2048", 'ram = "2k"'), "ram: found '2k'; expected a whole"),
    "a function": (lambda text: text.replace('"analog"', '"anlog"', 1), 'found "anlog"; .*mean "analog"'),
    "a source": (lambda text: text.replace('"pwm.c"', '"pmw.c"'), "sources: no file pmw.c"),
    "a part": (lambda text: text.replace('"avr_uart"]', '"cortexm"]'), "boards/shared has no folder cortexm"),
    "a family": (lambda text: 'like = "pcio"\n' + text, 'like: no board "pcio"; did you mean "pico"'),
    "a member of a family": (
        lambda text: 'like = "nucleo-f446re"\n' + text,
        'like: "nucleo-f446re" is itself like "nucleo-f401re"; name that board',
    ),
    "a name": (lambda text: text + '[names]\nLED = "D31"\n', 'names.LED: .pins. has no "D31"'),
    "a pin": (lambda text: text + 'A9 = ["analog"]\n', "has no line #define PIN_A9 NUMBER"),
    "a delay": (
        lambda text: re.sub("control_delay = .*", "control_delay = -2", text),
        "control_delay: found -2; expected 0 to 8 ms",
    ),
    "a timer": (
        lambda text: text + '[encoders]\nT2 = ["D2", "D3"]\n',
        "encoders.T2: expected the number of a timer",
    ),
    "pins of a timer": (
        lambda text: text + '[encoders]\n2 = ["D2"]\n',
        r"encoders.2: found \['D2'\]; expected the pins of its channels 1 and 2",
    ),
    "a pin of a timer": (
        lambda text: text + '[encoders]\n2 = ["D2", "d3"]\n',
        r'encoders.2: \[pins\] has no "d3"',
    ),
    "a pin of a wire": (
        lambda text: text + '[wire_pins]\nserial = ["D0", "d3"]\n',
        r'wire_pins.serial: \[pins\] has no "d3"',
    ),
    "numbers of USB": (
        lambda text: text.replace('wires = ["serial"]', 'wires = ["usb", "serial"]'),
        r"usb is missing; the wire usb needs a table \[usb\]",
    ),
    "not valid TOML": (lambda text: text + "= 3\n", r"board.toml: .*line \d+"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_board_is_told(project: Path, wrong: str):
    folder = project / "firmware_templates" / "boards" / MINI
    change, words = WRONG[wrong]
    path = folder / "board.toml"
    path.write_text(change(path.read_text()))
    with pytest.raises(BoardError, match=words):
        read_board(folder)


def test_a_hardware_map_tells_what_is_wrong_with_its_board(project: Path, capsys: pytest.CaptureFixture[str]):
    map_file = project / "hardware.toml"
    assert main(["-q", "firmware", "new", str(WORLD), "--board", MINI, "--out", str(map_file)]) == 0
    path = project / "firmware_templates" / "boards" / MINI / "board.toml"
    path.write_text(path.read_text().replace("ram = 2048", "ram = true"))
    load_board.cache_clear()
    assert main(["firmware", "build", str(map_file)]) == 2
    assert "ram: found True; expected a whole number" in capsys.readouterr().err
