"""Compare messages with their declarations in robot_windows/messages.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from wbridge.robot_windows.messages import camel


def differences(kind: type, message: Mapping[str, Any]) -> list[str]:
    """Names that a message has and its class does not declare, or that it lacks."""
    declared = {camel(entry.name): entry.default is None for entry in fields(kind)}  # type: ignore[arg-type]
    missing = [
        f"{name} is missing" for name, may_lack in declared.items() if not may_lack and name not in message
    ]
    return missing + [f"{name} is not declared" for name in message if name not in declared]
