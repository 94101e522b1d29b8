"""Policies: their files are judged by formulas, their programs in C by a compiler."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import require_tool
from tests.fleet.policies import explorer, mixed, readings
from wbridge.learning.policies.c_program import c_program
from wbridge.learning.policies.controllers import write_controller
from wbridge.learning.policies.driver import PolicyDriver
from wbridge.learning.policies.onnx_file import write_policy
from wbridge.learning.policies.onnx_reader import PolicyError, layers_of, read_policy
from wbridge.learning.policies.policy import Layer
from wbridge.learning.policies.quantized import FRACTION, QuantizedPolicy
from wbridge.learning.policies.wire import message
from wbridge.main import main

STUBS = {
    "robot.h": """
#include <stdio.h>
#include <string.h>
typedef int WbDeviceTag;
static float inputs[8];
static void wb_robot_init(void) {}
static void wb_robot_cleanup(void) {}
static WbDeviceTag wb_robot_get_device(const char *name) { return !strcmp(name, "arm") ? 2 : name[0] == 'r'; }
static int wb_robot_step(int ms) {
  for (int i = 0; i < COUNT; i++)
    if (scanf("%f", &inputs[i]) != 1)
      return -1;
  return 0;
}
""",
    "motor.h": """
#include <math.h>
static void command(WbDeviceTag tag, double value) { printf("%d %.9g\\n", tag, value); }
static void wb_motor_set_velocity(WbDeviceTag tag, double value) { command(tag, value); }
static void wb_motor_set_position(WbDeviceTag tag, double value) { if (!isinf(value)) command(tag, value); }
""",
    "distance_sensor.h": """
static void wb_distance_sensor_enable(WbDeviceTag tag, int ms) {}
static double wb_distance_sensor_get_value(WbDeviceTag tag) { return inputs[0]; }
""",
    "gyro.h": """
static void wb_gyro_enable(WbDeviceTag tag, int ms) {}
static double gyro[3];
static const double *wb_gyro_get_values(WbDeviceTag tag) {
  for (int i = 0; i < 3; i++)
    gyro[i] = inputs[i + 1];
  return gyro;
}
""",
}
"""Webots' headers, for a program that reads sensors from its standard input; robot.h comes first."""


@pytest.mark.parametrize("hidden", ["tanh", "relu", "clip"])
def test_the_program_in_c_computes_the_same_bits(tmp_path: Path, hidden: str):
    compiler = require_tool("cc", "compiles the program")
    policy = mixed(hidden)
    quantized = QuantizedPolicy(policy)
    seen = readings(policy, 400)
    seen[:, 4] = 1.25
    (tmp_path / "webots").mkdir()
    for name, text in STUBS.items():
        guard = name.replace(".", "_")
        (tmp_path / "webots" / name).write_text(f"#ifndef {guard}\n#define {guard}\n{text}\n#endif\n")
    program = tmp_path / "program.c"
    program.write_text("#include <webots/robot.h>\n" + c_program(quantized, (1.25,)))
    flags = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-Wno-unused-function", "-DCOUNT=4"]
    subprocess.run(
        [
            compiler,
            *flags,
            "-I",
            tmp_path,
            program,
            "-o",
            tmp_path / "program",
            "-lm",
            "-fsanitize=undefined",
        ],
        check=True,
    )
    lines = "\n".join(" ".join(f"{number:.9g}" for number in row[:4]) for row in seen)
    done = subprocess.run([tmp_path / "program"], input=lines, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    commands = [line.split() for line in done.stdout.splitlines()][2:]  # the wheels stand still at first
    found = np.array([float(value) for _, value in commands], np.float32).reshape(-1, 3)
    assert [tag for tag, _ in commands[:3]] == ["0", "1", "2"]
    assert np.array_equal(found, quantized.act(seen))


@pytest.mark.parametrize("hidden", ["tanh", "relu"])
def test_whole_numbers_are_near_those_of_training(hidden: str):
    """Weights of 8 bits: about a hundredth of each range for two hidden layers."""
    policy = mixed(hidden)
    seen = readings(policy, 500)
    inside = np.clip(seen, [each.least for each in policy.inputs], [each.most for each in policy.inputs])
    inside = inside.astype(np.float32)
    gaps = np.abs(QuantizedPolicy(policy).act(inside) - policy.act(inside))
    reach = np.array([(output.high - output.low) / 2 for output in policy.outputs])
    assert (gaps / reach).max() < 0.06
    assert (gaps / reach).mean() < 0.01


def test_a_file_keeps_a_policy(tmp_path: Path):
    policy = mixed("tanh")
    write_policy(policy, tmp_path / "policy.onnx")
    again = read_policy(tmp_path / "policy.onnx")
    assert (again.inputs, again.outputs, again.step_ms) == (policy.inputs, policy.outputs, policy.step_ms)
    seen = readings(policy, 50)
    assert np.array_equal(again.act(seen), policy.act(seen))
    assert again.act(seen[0]) == pytest.approx(policy.act(seen)[0], rel=1e-5)


def test_the_action_is_that_of_the_formula():
    policy = explorer()
    first, second, last = policy.layers
    hidden = np.tanh(first.weights[:, 0] * 700 + first.bias)
    sums = np.clip(second.weights @ hidden + second.bias, -1, 1)
    assert policy.act(np.array([700], np.float32)) == pytest.approx(12 * sums, rel=1e-5)
    assert last.activation == "none"


def node(operator: str, inputs: list[str], output: str) -> tuple[int, bytes]:
    return 1, message(*((1, name) for name in inputs), (2, output), (4, operator))


def tensor(name: str, values: object) -> tuple[int, bytes]:
    array = np.asarray(values, "<f4")
    return 5, message(*((1, size) for size in array.shape), (2, 1), (8, name), (9, array.tobytes()))


def test_networks_of_other_programs_become_layers(tmp_path: Path):
    """(3 - x) / 2, a product with weights, a sum, relu, and a factor."""
    graph = message(
        node("Sub", ["three", "x"], "a"),
        node("Div", ["a", "two"], "b"),
        node("MatMul", ["b", "w"], "c"),
        node("Add", ["c", "bias"], "d"),
        node("Relu", ["d"], "e"),
        node("Mul", ["e", "two"], "f"),
        tensor("three", [3, 3]),
        tensor("two", 2),
        tensor("w", [[1, -1, 0.5], [2, 0, 1]]),
        tensor("bias", [0.25, 0, -1]),
    )
    path = tmp_path / "other.onnx"
    path.write_bytes(message((7, graph)))
    layers = layers_of(path)
    assert [layer.activation for layer in layers] == ["relu", "none"]
    x = np.array([1, 5], np.float32)
    values = x
    for layer in layers:
        values = layer.apply(values)
    b = (3 - x) / 2
    assert values == pytest.approx(2 * np.maximum(b @ [[1, -1, 0.5], [2, 0, 1]] + [0.25, 0, -1], 0))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xff", "is not an ONNX file"),
        (message((7, b"\x0a\x7f")), "exceeds the message"),
        (message((7, b"")), "does not name its sensors and motors"),
        (message((14, message((1, "wbridge"), (2, "{}")))), "are damaged"),
    ],
)
def test_files_without_a_policy_are_refused(tmp_path: Path, content: bytes, words: str):
    path = tmp_path / "policy.onnx"
    path.write_bytes(content)
    with pytest.raises(PolicyError, match=words):
        read_policy(path)


def test_operators_that_a_policy_cannot_have_are_named(tmp_path: Path):
    path = tmp_path / "policy.onnx"
    for graph, words in (
        (message(node("Conv", ["x", "w"], "y"), tensor("w", [1])), "operator Conv is not supported"),
        (message(node("Tanh", ["x"], "y"), node("Add", ["x", "y"], "z")), "do not follow each other"),
        (message(node("Div", ["w", "x"], "y"), tensor("w", [1])), "divided by a value"),
    ):
        path.write_bytes(message((7, graph)))
        with pytest.raises(PolicyError, match=words):
            layers_of(path)


def test_what_cannot_run_on_a_board_is_explained(tmp_path: Path):
    policy = mixed("tanh")
    with pytest.raises(ValueError, match=r"goal: expected 1 numbers \(goal\), not 0"):
        write_controller(policy, tmp_path / "driver", "c")
    with pytest.raises(ValueError, match="room for 256"):
        wide = Layer(np.ones((2, 300), np.float32), np.zeros(2, np.float32))
        QuantizedPolicy(policy.__class__(policy.inputs, policy.outputs, (wide,), 32))
    first = policy.inputs[0]._replace(kind="Camera")
    changed = policy.__class__((first, *policy.inputs[1:]), policy.outputs, policy.layers, 32)
    with pytest.raises(
        ValueError, match='"front" is of type Camera; a policy on a board reads: Accelerometer'
    ):
        write_controller(changed, tmp_path / "driver", "c", (1.0,))


def test_a_policy_that_reaches_its_limits_stays_there():
    policy = explorer()
    quantized = QuantizedPolicy(policy)
    assert quantized.layers[-1].activation == "clip"
    actions = quantized.act(np.array([[-1e9], [0], [1000], [1e9]], np.float32))
    assert np.abs(actions).max() <= 12
    assert np.array_equal(actions[0], actions[1]) and np.array_equal(actions[2], actions[3])
    assert quantized.unit[0] == np.float32(12 / (1 << FRACTION))


class FakeDevice:
    """A device of `controller`, which keeps what is set."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, float]] = []

    def enable(self, period: int) -> None:
        self.calls.append(("enable", period))

    def getValue(self) -> float:  # noqa: N802
        return float("nan") if len(self.calls) == 1 else 700.0

    def setPosition(self, value: float) -> None:  # noqa: N802
        self.calls.append(("position", value))

    def setVelocity(self, value: float) -> None:  # noqa: N802
        self.calls.append(("velocity", value))


class FakeRobot:
    """A robot of `controller` with some devices."""

    def __init__(self, *names: str) -> None:
        self.devices = {name: FakeDevice() for name in names}

    def getDevice(self, name: str) -> FakeDevice | None:  # noqa: N802
        return self.devices.get(name)


def test_a_driver_reads_sensors_and_sets_motors():
    policy = explorer()
    robot = FakeRobot("front", "left wheel motor", "right wheel motor")
    driver = PolicyDriver(robot, policy)
    driver.act()
    robot.devices["front"].calls.append(("measured", 0))
    driver.act()
    expected = policy.act(np.array([[0], [700]], np.float32))
    for place, side in enumerate(("left", "right")):
        calls = robot.devices[f"{side} wheel motor"].calls
        assert calls[:2] == [("position", float("inf")), ("velocity", 0.0)]
        assert [value for _, value in calls[2:]] == pytest.approx(expected[:, place].tolist(), rel=1e-5)
    with pytest.raises(ValueError, match='the policy needs the device "right wheel motor"'):
        PolicyDriver(FakeRobot("front", "left wheel motor"), policy)


def test_the_command_describes_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "policy.onnx"
    write_policy(explorer(), path)
    assert main(["policy", str(path)]) == 0
    out = capsys.readouterr().out
    assert "left wheel motor.velocity, right wheel motor.velocity" in out and "1, 6, 2, 2" in out
    assert main(["policy", str(path), "--controller", str(tmp_path / "explorer"), "--language", "c"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'explorer' / 'explorer.c'}\n"
    assert main(["policy", str(tmp_path / "none.onnx")]) == 2
    assert main(["policy", str(path), "--controller", str(tmp_path / "explorer"), "--goal", "1"]) == 2
    assert "goal: expected 0 numbers (none), not 1" in capsys.readouterr().err
