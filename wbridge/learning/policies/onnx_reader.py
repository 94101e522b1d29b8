"""Reads ONNX files: policies of wbridge, and networks of other programs whose operators follow each other."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wbridge.learning.policies.onnx_file import FLOAT, KEY
from wbridge.learning.policies.policy import Input, Layer, Output, Policy, merged
from wbridge.learning.policies.wire import WireError, fields_of, varints_of

__all__ = ["PolicyError", "layers_of", "read_policy"]

Numbers = NDArray[np.float32]
Tensors: TypeAlias = dict[str, Numbers]
ACTIVATION = {"Tanh": "tanh", "Relu": "relu", "Clip": "clip"}
PLAIN = ("Identity", "Flatten")
ENDS = ("Max", "Min")
"""Limits of the actions, which a policy has as those of its outputs."""


class PolicyError(ValueError):
    """A file has no policy that wbridge can run; the message says why."""


@dataclass
class Node:
    """An operator."""

    operator: str = ""
    inputs: list[str] = field(default_factory=list)
    output: str = ""
    attributes: dict[str, int | float] = field(default_factory=dict)


@dataclass
class Model:
    """What is read of a file."""

    nodes: list[Node] = field(default_factory=list)
    tensors: Tensors = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)


def read_policy(path: Path) -> Policy:
    """Read a policy that wbridge has written.

    Raises:
        OSError: the file cannot be read.
        PolicyError: it is no policy, or has no names of sensors and motors.
    """
    model = _model(path)
    if KEY not in model.metadata:
        raise PolicyError(
            f"{path}: the file does not name its sensors and motors; write it with: wbridge train"
        )
    try:
        extra = json.loads(model.metadata[KEY])
        inputs = tuple(Input(**each) for each in extra["inputs"])
        outputs = tuple(Output(**each) for each in extra["outputs"])
        return Policy(inputs, outputs, _layers(model), int(extra["step_ms"]), extra["task"], extra["notes"])
    except (TypeError, KeyError, json.JSONDecodeError) as problem:
        raise PolicyError(f"{path}: the names of sensors and motors are damaged: {problem!r}") from None


def layers_of(path: Path) -> tuple[Layer, ...]:
    """Return the network of a file of any program.

    Raises:
        OSError: the file cannot be read.
        PolicyError: it has operators that a policy cannot have, or they do not follow each other.
    """
    return _layers(_model(path))


def _model(path: Path) -> Model:
    try:
        return _read(path.read_bytes())
    except (WireError, ValueError) as problem:
        raise PolicyError(f"{path} is not an ONNX file that can be read: {problem}") from None


def _read(data: bytes) -> Model:
    model = Model()
    for number, value in fields_of(data):
        if number == 7 and isinstance(value, bytes):
            for part, content in fields_of(value):
                if part == 1 and isinstance(content, bytes):
                    model.nodes.append(_node(content))
                elif part == 5 and isinstance(content, bytes):
                    model.tensors |= _tensor(content)
        elif number == 14 and isinstance(value, bytes):
            entry = {part: bytes(text).decode() for part, text in fields_of(value) if isinstance(text, bytes)}
            model.metadata[entry.get(1, "")] = entry.get(2, "")
    return model


def _node(data: bytes) -> Node:
    node = Node()
    for number, value in fields_of(data):
        if not isinstance(value, bytes):
            continue
        if number == 1:
            node.inputs.append(value.decode())
        elif number == 2:
            node.output = value.decode()
        elif number == 4:
            node.operator = value.decode()
        elif number == 5:
            node.attributes |= _attribute(value)
    return node


def _attribute(data: bytes) -> dict[str, int | float]:
    """Return a number by its name; nothing for other attributes."""
    name, number = "", None
    for place, value in fields_of(data):
        if place == 1 and isinstance(value, bytes):
            name = value.decode()
        elif place == 2 and isinstance(value, bytes):
            number = float(np.frombuffer(value, "<f4")[0])
        elif place == 3:
            number = varints_of(value)[0]
    return {} if number is None else {name: number}


def _tensor(data: bytes) -> Tensors:
    shape: list[int] = []
    name, content, kind = "", np.zeros(0, np.float32), FLOAT
    for number, value in fields_of(data):
        if number == 1:
            shape += varints_of(value)
        elif number == 2 and isinstance(value, int):
            kind = value
        elif isinstance(value, bytes) and number == 8:
            name = value.decode()
        elif isinstance(value, bytes) and number in (4, 9) and kind == FLOAT:
            content = np.frombuffer(value, "<f4").astype(np.float32)
    return {name: content.reshape(shape)} if kind == FLOAT else {}


# From operators to layers.


def _layers(model: Model) -> tuple[Layer, ...]:
    layers: list[Layer] = []
    value: str | None = None
    width = 0
    for node in model.nodes:
        if node.operator in ENDS and node.inputs[1:2] in (["low"], ["high"]):
            value = node.output
            continue
        value_inputs = [name for name in node.inputs if name and name not in model.tensors]
        if len(value_inputs) != 1 or (value is not None and value_inputs != [value]):
            raise PolicyError(
                f"operator {node.operator}: operators that do not follow each other are not supported"
            )
        layer = _layer(node, model.tensors, width)
        value = node.output
        if layer is not None:
            layers.append(layer)
            width = len(layer.bias)
    return merged(layers)


def _layer(node: Node, tensors: Mapping[str, Numbers], width: int) -> Layer | None:
    """Return what an operator does; None for nothing."""
    constants = [tensors[name] for name in node.inputs if name in tensors]
    if node.operator in PLAIN:
        return None
    if node.operator in ACTIVATION:
        limits = [float(constant) for constant in constants]
        limits = limits or [float(node.attributes.get(name, 0)) for name in ("min", "max")]
        if node.operator == "Clip" and limits != [-1, 1]:
            raise PolicyError(f"operator Clip: expected the limits -1 and 1, not {limits}")
        return Layer(np.eye(width, dtype=np.float32), np.zeros(width, np.float32), ACTIVATION[node.operator])
    if node.operator == "Gemm":
        return _gemm(node, constants)
    if node.operator == "MatMul":
        return Layer(constants[0].T.copy(), np.zeros(constants[0].shape[1], np.float32))
    if node.operator in _BY_NUMBER:
        is_first = node.inputs[0] in tensors
        numbers = np.ravel(constants[0])
        numbers = np.broadcast_to(numbers, max(width, len(numbers)))
        return _BY_NUMBER[node.operator](numbers, is_first)
    known = ", ".join(["Gemm", "MatMul", *_BY_NUMBER, *ACTIVATION, *PLAIN])
    raise PolicyError(f"operator {node.operator} is not supported; supported: {known}")


def _gemm(node: Node, constants: list[Numbers]) -> Layer:
    weights = constants[0] if node.attributes.get("transB") else constants[0].T
    weights = weights * np.float32(node.attributes.get("alpha", 1.0))
    bias = np.zeros(len(weights), np.float32) if len(constants) < 2 else np.ravel(constants[1])
    return Layer(weights.copy(), bias * np.float32(node.attributes.get("beta", 1.0)))


def _add(numbers: Numbers, is_first: bool) -> Layer:
    return Layer(np.eye(len(numbers), dtype=np.float32), numbers)


def _subtract(numbers: Numbers, is_first: bool) -> Layer:
    sign = -1 if is_first else 1
    return Layer(sign * np.eye(len(numbers), dtype=np.float32), -sign * numbers)


def _multiply(numbers: Numbers, is_first: bool) -> Layer:
    return Layer(np.diag(numbers), np.zeros(len(numbers), np.float32))


def _divide(numbers: Numbers, is_first: bool) -> Layer:
    if is_first:
        raise PolicyError("operator Div: a number divided by a value is not supported")
    return _multiply(np.float32(1) / numbers, is_first)


_BY_NUMBER: dict[str, Callable[[Numbers, bool], Layer]] = {
    "Add": _add,
    "Sub": _subtract,
    "Mul": _multiply,
    "Div": _divide,
}
