"""What `wbridge policy` does: read a policy, describe it, judge it, and write it as a controller."""

from __future__ import annotations

from pathlib import Path

from wbridge.failures import InputError
from wbridge.learning.policies.controllers import write_controller
from wbridge.learning.policies.onnx_reader import PolicyError, read_policy
from wbridge.learning.policies.policy import Policy
from wbridge.learning.policies.quantized import QuantizedPolicy
from wbridge.learning.trainers.setup import returns_of
from wbridge.learning.training import known_task


def known_policy(path: Path) -> Policy:
    """Read a policy.

    Raises:
        InputError: the file cannot be read, or has no policy.
    """
    try:
        return read_policy(path)
    except OSError as problem:
        raise InputError(f"{path}: {problem.strerror}") from None
    except PolicyError as problem:
        raise InputError(str(problem)) from None


def controller_of(policy: Policy, folder: Path, language: str, goal: tuple[float, ...]) -> Path:
    """Write a policy as a controller; return its program.

    Raises:
        InputError: the policy cannot run in that language, or the goal does not fit.
        OSError: the folder cannot be written.
    """
    try:
        return write_controller(policy, folder, language, goal)
    except ValueError as problem:
        raise InputError(str(problem)) from None


def judged(policy: Policy, episodes: int) -> dict[str, float]:
    """Return the mean returns of a policy: as trained, and in whole numbers.

    Raises:
        InputError: Gymnasium is missing, or the task is not registered.
    """
    env_id = known_task(policy.task)
    whole = QuantizedPolicy(policy)
    return {
        "return": float(returns_of(env_id, policy.act, episodes).mean()),
        "return_in_whole_numbers": float(returns_of(env_id, whole.act, episodes).mean()),
    }


def described(policy: Policy) -> dict[str, object]:
    """Return what a policy is, for JSON."""
    return {
        "task": policy.task,
        "step_ms": policy.step_ms,
        "inputs": [each.name for each in policy.inputs],
        "outputs": [f"{output.motor}.{output.mode}" for output in policy.outputs],
        "layers": [len(policy.inputs), *(len(layer.bias) for layer in policy.layers)],
        "training": policy.notes,
    }
