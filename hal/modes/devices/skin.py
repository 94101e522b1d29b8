"""A skin, which deforms a mesh by its bones."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.hal.modes.arguments import needs
from wbridge.hal.modes.device import NAN, DeviceHandle
from wbridge.hal.reports import messages

__all__ = ["Skin"]

SET_ORIENTATION, SET_POSITION, GET_ORIENTATION, GET_POSITION = 1, 2, 3, 4


class Skin(DeviceHandle):
    """A skin, which deforms a mesh by its bones."""

    state = ()
    bones: list[str] = []
    orientation = (NAN, NAN, NAN, NAN)
    position = (NAN, NAN, NAN)

    def take_constants(self, bones: list[str]) -> None:
        """Store the names of the bones."""
        self.bones = bones

    def take_bone_orientation(self, orientation: tuple[float, float, float, float]) -> None:
        """Store the requested orientation."""
        self.orientation = orientation

    def take_bone_position(self, position: tuple[float, float, float]) -> None:
        """Store the requested position."""
        self.position = position

    def flush(self, out: bytearray) -> None:
        """Append the pending commands: at most one per bone and kind of command."""
        pending, self.pending = self.pending, {}
        for key in sorted(pending):
            self.codec.write_command(out, key % 8, pending[key])

    def _is_bone(self, method: str, index: int) -> bool:
        if 0 <= index < len(self.bones):
            return True
        self.error(method, messages.invalid_bone(index, len(self.bones)))
        return False

    def _set(
        self, method: str, code: int, index: int, values: Sequence[float], count: int, absolute: bool
    ) -> None:
        if not self._is_bone(method, index):
            return
        if len(values) != count or any(one != one for one in values):
            self.error(method, f"called with {list(values)!r}; expected {count} numbers.")
            return
        self.command(8 * index + code, index, tuple(map(float, values)), bool(absolute))

    def get_bone_count(self) -> int:
        """The number of bones."""
        return len(self.bones)

    def get_bone_name(self, index: int) -> str:
        """The name of the bone at an index (from 0), or ""."""
        return self.bones[index] if self._is_bone("get_bone_name", index) else ""

    def get_bone_orientation(self, index: int, absolute: bool) -> list[float] | None:
        """The orientation of a bone: axis, and angle in rad. Queries the simulator.

        Args:
            index: index of the bone (from 0).
            absolute: relative to the skin; else relative to the parent bone.
        """
        asked = self._is_bone("get_bone_orientation", index) and self.ask(
            "get_bone_orientation", 8 * index + GET_ORIENTATION, index, bool(absolute)
        )
        return list(self.orientation) if asked else None

    def get_bone_position(self, index: int, absolute: bool) -> list[float] | None:
        """The position of a bone, in m (see `get_bone_orientation`). Queries the simulator."""
        asked = self._is_bone("get_bone_position", index) and self.ask(
            "get_bone_position", 8 * index + GET_POSITION, index, bool(absolute)
        )
        return list(self.position) if asked else None

    @needs("orientation")
    def set_bone_orientation(self, index: int, orientation: Sequence[float], absolute: bool) -> None:
        """Set the orientation of a bone.

        Args:
            index: index of the bone (from 0).
            orientation: axis, and angle in rad.
            absolute: relative to the skin; else relative to the parent bone.
        """
        self._set("set_bone_orientation", SET_ORIENTATION, index, orientation, 4, absolute)

    @needs("position")
    def set_bone_position(self, index: int, position: Sequence[float], absolute: bool) -> None:
        """Set the position of a bone, in m (see `set_bone_orientation`)."""
        self._set("set_bone_position", SET_POSITION, index, position, 3, absolute)
