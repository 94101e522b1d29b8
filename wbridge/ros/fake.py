"""A node without ROS 2, for tests: it keeps what is published, and messages have the fields of ROS.

    node = FakeNode()
    bridge = RosBridge(Robot(), node)
    node.send("/robot/motor/set_velocity", data=3.0)
    bridge.step()
    print(node.published["/robot/sensor"][-1].data)

As in rclpy, a field accepts only values of its type, and other names are errors.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_type_hints

from wbridge.ros.messages import MESSAGES

__all__ = ["FakeNode", "Message"]

_CHECKS: dict[object, Callable[[object], bool]] = {
    bool: lambda value: isinstance(value, bool),
    int: lambda value: isinstance(value, int) and not isinstance(value, bool),
    float: lambda value: isinstance(value, float),
    str: lambda value: isinstance(value, str),
    bytes: lambda value: isinstance(value, bytes | bytearray),
    list[float]: lambda value: isinstance(value, list) and all(isinstance(item, float) for item in value),
    list[str]: lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
}
"""Whether a value may stand in a field, by the field's type; fields of other types are messages."""
_NAMES: dict[object, str] = {kind: name for name, kind in MESSAGES.items()}


@cache
def _fields(type_name: str) -> Mapping[str, type]:
    """Return the types of a message's fields."""
    return get_type_hints(MESSAGES[type_name])


class Message:
    """A message of a type, with default values."""

    type_name: str

    def __init__(self, type_name: str, **values: object) -> None:
        object.__setattr__(self, "type_name", type_name)
        for name, kind in _fields(type_name).items():
            object.__setattr__(self, name, kind() if kind in _CHECKS else Message(_NAMES[kind]))
        for name, value in values.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        fields = _fields(self.type_name)
        if name not in fields:
            raise AttributeError(f"{self.type_name} has no field {name}")
        kind = fields[name]
        is_right = (
            _CHECKS[kind](value) if kind in _CHECKS else getattr(value, "type_name", "") == _NAMES[kind]
        )
        if not is_right:
            wanted = _NAMES.get(kind) or (kind.__name__ if isinstance(kind, type) else kind)
            raise TypeError(f"{name}: {wanted} expected, not {value!r}")
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


class FakeNode:
    """A node that nobody else sees."""

    def __init__(self) -> None:
        self.published: dict[str, list[Message]] = defaultdict(list)
        """Messages by topic."""
        self.types: dict[str, str] = {}
        """Types of topics and services by name."""
        self.responses: list[Message] = []
        self._callbacks: dict[str, Callable[..., object]] = {}
        self._waiting: deque[Callable[[], object]] = deque()
        self.is_open = True

    def type(self, name: str) -> Callable[..., Message]:
        """Return a function that makes messages."""
        return lambda **values: Message(name, **values)

    def publisher(self, type_name: str, topic: str, is_kept: bool = False) -> Callable[[Message], None]:
        """Return a function that keeps messages, all of them."""
        self.types[topic] = type_name

        def publish(message: Message) -> None:
            if message.type_name != type_name:
                raise TypeError(f"{topic}: {type_name} expected, not {message.type_name}")
            self.published[topic].append(message)

        return publish

    def subscribe(self, type_name: str, topic: str, callback: Callable[..., None]) -> None:
        """Let `send` reach a function."""
        self.types[topic], self._callbacks[topic] = type_name, callback

    def serve(self, type_name: str, name: str, callback: Callable[..., object]) -> None:
        """Let `request` reach a function."""
        self.types[name], self._callbacks[name] = type_name, callback

    def send(self, topic: str, **values: object) -> None:
        """Send a message, which `spin` delivers."""
        message = Message(self.types[topic], **values)
        self._waiting.append(lambda: self._callbacks[topic](message))

    def request(self, name: str, **values: object) -> None:
        """Call a service; `spin` appends the response to `responses`."""
        asked, answer = (
            Message(f"{self.types[name]}_{part}", **given)
            for part, given in (("Request", values), ("Response", {}))
        )
        self._waiting.append(lambda: self._serve(name, asked, answer))

    def _serve(self, name: str, request: Message, response: Message) -> None:
        answer = self._callbacks[name](request, response)
        if not isinstance(answer, Message):
            raise TypeError(f"{name}: a response expected, not {answer!r}")
        self.responses.append(answer)

    def spin(self) -> None:
        """Deliver what was sent."""
        while self._waiting:
            self._waiting.popleft()()

    def close(self) -> None:
        """Close the node."""
        self.is_open = False
