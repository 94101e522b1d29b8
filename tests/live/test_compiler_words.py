"""What the page starts in place of avr-gcc, which starts other programs. Judge: `avr-gcc -###`."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT, require_tool

pytestmark = pytest.mark.boards

MODULE = CHECKOUT / "robot_windows" / "pages" / "live" / "compiler_words.js"
PROCESSORS = {
    "atmega328p": {"flags": ["-D__AVR_ATmega328P__", "-mn-flash=1", "-mmcu=avr5"], "libraries": "avr5"},
    "atmega2560": {"flags": ["-D__AVR_ATmega2560__", "-mn-flash=4", "-mmcu=avr6"], "libraries": "avr6"},
}
RAM = {"atmega328p": "0x800100", "atmega2560": "0x800200"}


def in_page(words: list[str], ram: str) -> list[dict[str, object]]:
    """Return the programs that the page runs for a command."""
    require_tool("node", "runs the page's module")
    code = f"import {{programsOf}} from '{MODULE}'; const [w, p, r] = JSON.parse(process.argv[1]);"
    code += "console.log(JSON.stringify(programsOf(w, p, r)))"
    done = subprocess.run(
        ["node", "--input-type=module", "-e", code, json.dumps([words, PROCESSORS, ram])],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def by_driver(words: list[str], folder: Path) -> list[list[str]]:
    """Return the commands that avr-gcc would start in a folder."""
    require_tool("avr-gcc", "tells what it starts")
    said = subprocess.run([*words, "-###"], cwd=folder, check=True, capture_output=True, text=True).stderr
    return [shlex.split(line) for line in said.splitlines() if line.startswith((' "', " /"))]


@pytest.mark.parametrize("processor", sorted(RAM))
def test_a_program_is_linked_with_what_the_driver_links(processor: str, tmp_path: Path):
    words = ["avr-gcc", f"-mmcu={processor}", "-o", "firmware.elf", "a.o", "b.o", "-Wl,--gc-sections", "-lm"]
    (mine,) = in_page(words, RAM[processor])
    for name in ("a.o", "b.o"):
        (tmp_path / name).touch()
    driver = by_driver(words, tmp_path)[-1]
    assert mine["tool"] == "avr-ld"
    assert mine["made"] == "firmware.elf"
    args = mine["args"]
    assert {"-Tdata", RAM[processor]} <= set(driver), "the processor's RAM begins elsewhere"
    assert args[args.index("-Tdata") + 1] == driver[driver.index("-Tdata") + 1]
    family = next(word for word in driver if word.startswith("-mavr")).removeprefix("-m")
    assert args[args.index("-m") + 1] == family
    assert linked(args) == linked(driver), "the order of objects and libraries decides what is linked"


def linked(words: list[str]) -> list[str]:
    """Return objects, libraries and options of a linker's command, without folders."""
    names = [word.rpartition("/")[2] for word in words if not word.startswith("-plugin")]
    return [name for name in names if name.endswith(".o") or name.startswith(("-l", "--"))]


def test_a_source_is_compiled_and_assembled(tmp_path: Path):
    (tmp_path / "a.c").touch()
    (tmp_path / "controller").mkdir()
    words = [
        "avr-gcc",
        "-mmcu=atmega328p",
        "-Os",
        "-std=gnu11",
        "-Wall",
        "-c",
        "-o",
        "controller/a.c.o",
        "a.c",
    ]
    compiler, assembler = in_page(words, RAM["atmega328p"])
    cc1, first = by_driver(words, tmp_path)[:2]
    assert compiler["tool"] == cc1[0].rpartition("/")[2] == "cc1"
    assert assembler["tool"] == "avr-as"
    assert {"-Os", "-std=gnu11", "-Wall", "-mmcu=avr5", "a.c"} <= set(compiler["args"])
    assert {"-Os", "-std=gnu11", "-Wall", "-mmcu=avr5", "a.c"} <= set(cc1)
    assert "-mmcu=avr5" in assembler["args"]
    assert "-mmcu=avr5" in first
    assert assembler["made"] == "controller/a.c.o"
    assert compiler["source"] == "a.c"


def test_names_are_changed_in_a_file_of_its_own():
    (changed,) = in_page(["avr-objcopy", "--redefine-sym", "main=controller_main", "users.o"], "")
    assert changed["args"][-2:] == ["users.o", changed["moved"]]
    assert changed["made"] == "users.o"
