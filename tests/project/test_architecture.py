"""The map in docs/architecture.md: every file, folder and symbol that it names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.project.files import tracked
from wbridge.hal.link.messages import encode_sample
from wbridge.hal.link.numbering import LinkChannel
from wbridge.hal.protocol.devices.motor import CODEC
from wbridge.hal.protocol.packet import write_request

PAGE = (CHECKOUT / "docs" / "architecture.md").read_text(encoding="utf-8")
PATHS = sorted(set(re.findall(r"`([a-z_]+/[\w./-]*)`", PAGE)))
PLACEHOLDER = re.compile(r"\b[A-Z]{4,}\b")
"""A word such as KIND or BOARD stands for any name."""


@pytest.mark.parametrize("path", PATHS)
def test_a_path_on_the_map_exists(path: str):
    assert any(CHECKOUT.glob(PLACEHOLDER.sub("*", path).rstrip("/"))), path


def _drawn() -> list[str]:
    """The folders of the tree under "Folders", with their parents."""
    found, parents = [], [""]
    block = PAGE.partition("## Folders")[2].split("```")[1]
    for line in block.strip("\n").splitlines():
        names = re.match(r"( *)((?:\S+/ ?)+|\S+\.py)(?: |$)", line)
        if names is None:
            continue
        depth = len(names[1]) // 2
        parents[depth + 1 :] = [parents[depth] + names[2].split()[0]]
        found += [parents[depth] + one for one in names[2].split()]
    return found


def test_the_folders_drawn_exist():
    drawn = _drawn()
    assert len(drawn) > 30
    assert [one for one in drawn if not (CHECKOUT / one).exists()] == []


SYMBOLS = sorted(set(re.findall(r"`([a-z_]+/[\w./-]*\.\w+): ?([\w.:]+)`", PAGE)))
ALONE = sorted(set(re.findall(r"`(\w[\w-]*\.(?:py|c|h|cpp|js|md|json|toml))(?:: ?\w+)?`", PAGE)))
"""Files named without their folder, which the text before them names."""
SHORT = sorted(set(re.findall(r"`(\w+\.[ch]): ?(\w+)`", PAGE)))
METHODS = sorted(set(re.findall(r"`(\w+::\w+)`", PAGE)))
"""Of the engine, in a file named before."""


def _python_names(text: str) -> set[str]:
    """What a module and its classes define, such as `Robot.take`."""
    names: set[str] = set()

    def add(body: list[ast.stmt], prefix: str) -> None:
        for statement in body:
            if isinstance(statement, ast.ClassDef):
                add(statement.body, f"{prefix}{statement.name}.")
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement]
            for target in targets:
                target = target.target if isinstance(target, ast.AnnAssign) else target
                name = getattr(target, "name", getattr(target, "id", None))
                names.add(f"{prefix}{name}")

    add(ast.parse(text).body, "")
    return names


def _defines(text: str, ending: str, symbol: str) -> bool:
    """True if a text defines a symbol: mentions and calls do not count."""
    if ending == ".py":
        return symbol in _python_names(text)
    if ending == ".js":
        owner, method = symbol.split(".")
        body = text.partition(f"class {owner} ")[2].partition("\n}\n")[0]
        return re.search(rf"^  (?:async |static )?{method}\(.*\{{$", body, re.MULTILINE) is not None
    # In C, a definition starts in the first column, and has a body; the binding's are calls of a macro.
    native = rf"^(?:\w[^\n;(]*[\s*&])?{symbol}\([^;{{]*\{{|^METHOD\({symbol},"
    return re.search(native, text, re.MULTILINE) is not None


@pytest.mark.parametrize(("path", "symbol"), SYMBOLS)
def test_a_symbol_on_the_map_is_defined_in_its_file(path: str, symbol: str):
    assert _defines((CHECKOUT / path).read_text(encoding="utf-8"), Path(path).suffix, symbol)


@pytest.mark.parametrize(
    ("path", "symbol"),
    [
        ("wbcore/controllers/lockstep.py", "Lockstep.sample"),
        ("wbcore/simulation.py", "Simulation.World"),
        ("wbcore/engine/src/world.cpp", "World::find_contacts"),
        ("firmware_templates/flavors/slave/entries.c", "robot_set"),
        ("firmware_templates/project/robot.h", "robot_set"),
        ("robot_windows/pages/workbench/plot_panel.js", "PlotPanel.around"),
        ("libcontroller/python/generated/methods.c", "wb_motor_set_velocity"),
    ],
)
def test_a_call_or_a_declaration_defines_nothing(path: str, symbol: str):
    """The same test refuses what a file only mentions."""
    text = (CHECKOUT / path).read_text(encoding="utf-8")
    assert re.split(r"\.|::", symbol)[-1] in text
    assert not _defines(text, Path(path).suffix, symbol)


@pytest.mark.parametrize("name", ALONE)
def test_a_file_named_alone_exists(name: str):
    assert any(file.name == name for file in tracked())


def _is_defined_below(folder: str, name: str, symbol: str) -> bool:
    files = (CHECKOUT / folder).rglob(name)
    return any(_defines(file.read_text(encoding="utf-8"), file.suffix, symbol) for file in files)


@pytest.mark.parametrize(("name", "symbol"), SHORT)
def test_a_symbol_of_the_c_library_is_defined_in_its_file(name: str, symbol: str):
    assert _is_defined_below("libcontroller/src", name, symbol)


@pytest.mark.parametrize("symbol", METHODS)
def test_a_method_of_the_engine_is_defined(symbol: str):
    assert _is_defined_below("wbcore/engine/src", "*.cpp", symbol)


@pytest.mark.parametrize("part", ["the controller", "simulation", "a real robot", "firmware"])
def test_each_stop_of_one_step_has_file_and_symbol(part: str):
    """A table per mode, and a first one for what all controllers do."""
    section = re.search(rf"^### (?:In|On|As) {part}\n(.*?)^#", PAGE, re.MULTILINE | re.DOTALL)
    assert section is not None
    stops = re.findall(r"^\| (?!stop |---)(.*) \| (.*) \|$", section[1], re.MULTILINE)
    assert len(stops) >= 7
    assert [stop for stop, place in stops if not re.search(r"`[\w/]+\.[\w.]+:[\w.:]+`", place)] == []


def test_the_bytes_of_a_command_are_those_of_the_protocol():
    """The judge is the writer of packets, by which Webots' recorded controllers are answered."""
    block = PAGE.partition("### The bytes of a command")[2].split("```")[1]
    shown = bytes.fromhex("".join(re.findall(r"^((?:[0-9a-f]{2} )+) ", block, re.MULTILINE)))
    command = bytearray()
    CODEC.write_command(command, CODEC.command_codes["set_velocity"], (1.5,))
    assert shown == write_request(32, [(1, command)])


def test_the_entry_of_the_robot_link_is_that_of_its_writer():
    section = PAGE.partition("### The bytes of a command")[2].partition("\n###")[0]
    shown = [bytes.fromhex(entry) for entry in re.findall(r"`((?:[0-9a-f]{2} ?){6,})`", section)]
    velocity = LinkChannel(1, 1, "left motor", "velocity", "act", "f64", elements=1, single=True, slot=None)
    assert shown == [encode_sample(velocity, 1.5, real) for real in (4, 8)]


QUESTIONS = {
    "How is a motor's velocity limited?": "wbcore/engine/src/motor.cpp",
    "Where is a PROTO searched?": "wbcore/scene/library.py",
    "What bytes does a command have in the controller protocol?": "#the-bytes-of-a-command",
    "What bytes does a command have on the robot link?": "robot-link.md#example",
    "How does an ADC value become a distance?": "drivers/analog_distance/analog_distance.c",
    "Where does the page draw a curve?": "robot_windows/pages/workbench/plot_panel.js",
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_table_answers_a_reader_s_question(question: str):
    """By a link, so that the answer is the second page that a reader opens."""
    (answer,) = re.findall(rf"^\| {re.escape(question)} \| (.*) \|$", PAGE, re.MULTILINE)
    assert any(target.endswith(QUESTIONS[question]) for target in re.findall(r"\]\(([^)]+)\)", answer))
    assert re.search(r"`[\w/.]+:[\w.:]+`|\]\(#", answer), "a file with its symbol, or a section of the page"
