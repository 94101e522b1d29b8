"""Objects that `with` closes at the end of its block."""

from __future__ import annotations

from typing import TypeVar

Kind = TypeVar("Kind", bound="Closing")


class Closing:
    """Calls `close` at the end of a `with` block, however it ends."""

    __slots__ = ()

    def close(self) -> None:
        """Give back what it holds; the class says what that is."""
        raise NotImplementedError

    def __enter__(self: Kind) -> Kind:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()
