"""Policies as ONNX files, written and read without further packages.

The file is an ordinary one: other programs, such as ONNX Runtime, compute the same actions. The numbers of
fields are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wbridge.learning.policies.policy import Policy
from wbridge.learning.policies.wire import message

Numbers = NDArray[np.float32]
KEY = "wbridge"
"""Of the entry among the file's metadata that has what ONNX has no place for, as JSON."""
IR, OPSET = 8, 17
"""Versions of the format and of the operators: understood by ONNX Runtime since 1.12 (2022)."""
FLOAT = 1
"""The type of tensors."""
FLOAT_ATTRIBUTE, INTEGER_ATTRIBUTE = 1, 2
OPERATORS = {"tanh": "Tanh", "relu": "Relu"}


def write_policy(policy: Policy, path: Path) -> None:
    """Write a policy as an ONNX file: input "observation" (copies, numbers), output "action".

    Raises:
        OSError: the file cannot be written.
    """
    path.write_bytes(_model(policy))


def _model(policy: Policy) -> bytes:
    extra = {
        "inputs": [each._asdict() for each in policy.inputs],
        "outputs": [each._asdict() for each in policy.outputs],
        "step_ms": policy.step_ms,
        "task": policy.task,
        "notes": policy.notes,
    }
    return message(
        (1, IR),
        (2, "wbridge"),
        (7, _graph(policy)),
        (8, message((2, OPSET))),
        (14, message((1, KEY), (2, json.dumps(extra)))),
    )


def _graph(policy: Policy) -> bytes:
    nodes: list[bytes] = []
    tensors: list[bytes] = []
    value = "observation"
    for number, layer in enumerate(policy.layers):
        weights, bias, sums = f"weights_{number}", f"bias_{number}", f"sums_{number}"
        tensors += [_tensor(weights, layer.weights), _tensor(bias, layer.bias)]
        turned = message((1, "transB"), (3, 1), (20, INTEGER_ATTRIBUTE))
        nodes.append(_node("Gemm", [value, weights, bias], sums, turned))
        value = sums
        if layer.activation == "clip":
            tensors += [_tensor("minus_one", np.float32(-1)), _tensor("plus_one", np.float32(1))]
            value = f"values_{number}"
            nodes.append(_node("Clip", [sums, "minus_one", "plus_one"], value))
        elif layer.activation != "none":
            value = f"values_{number}"
            nodes.append(_node(OPERATORS[layer.activation], [sums], value))
    low, high = policy.limits
    tensors += [_tensor("low", low), _tensor("high", high)]
    nodes += [_node("Max", [value, "low"], "not_below"), _node("Min", ["not_below", "high"], "action")]
    return message(
        *((1, node) for node in nodes),
        (2, "policy"),
        *((5, tensor) for tensor in dict.fromkeys(tensors)),
        (11, _port("observation", len(policy.inputs))),
        (12, _port("action", len(policy.outputs))),
    )


def _node(operator: str, inputs: list[str], output: str, *attributes: bytes) -> bytes:
    ports = [(1, name) for name in inputs]
    return message(*ports, (2, output), (4, operator), *((5, attribute) for attribute in attributes))


def _tensor(name: str, values: Numbers | np.float32) -> bytes:
    array = np.asarray(values, "<f4")
    return message(*((1, size) for size in array.shape), (2, FLOAT), (8, name), (9, array.tobytes()))


def _port(name: str, count: int) -> bytes:
    """Return the description of an input or output: (copies, count)."""
    shape = message((1, message((2, "copies"))), (1, message((1, count))))
    return message((1, name), (2, message((1, message((1, FLOAT), (2, shape))))))
