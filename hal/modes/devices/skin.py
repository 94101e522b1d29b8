"""Bends a mesh by its bones."""

from __future__ import annotations

from collections.abc import Sequence

from hal.modes.device import NAN, Device

__all__ = ["Skin"]

SET_ORIENTATION, SET_POSITION, GET_ORIENTATION, GET_POSITION = 1, 2, 3, 4


class Skin(Device):
    """Bends a mesh by its bones."""

    state = ()
    bones: list[str] = []
    orientation = (NAN, NAN, NAN, NAN)
    position = (NAN, NAN, NAN)

    def take_constants(self, bones: list[str]) -> None:
        """The names of the bones."""
        self.bones = bones

    def take_bone_orientation(self, orientation: tuple[float, float, float, float]) -> None:
        """The orientation that was asked for."""
        self.orientation = orientation

    def take_bone_position(self, position: tuple[float, float, float]) -> None:
        """The position that was asked for."""
        self.position = position

    def flush(self, out: bytearray) -> None:
        """Append the commands that wait: one for each bone and kind."""
        pending, self.pending = self.pending, {}
        for key in sorted(pending):
            self.codec.write_command(out, key % 8, pending[key])

    def _is_bone(self, method: str, index: int) -> bool:
        if 0 <= index < len(self.bones):
            return True
        self.error(method, f"called with an invalid bone ({index}); there are {len(self.bones)}.")
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
        """Number of bones."""
        return len(self.bones)

    def get_bone_name(self, index: int) -> str:
        """The name of a bone, from 0 on; "" when there is none."""
        return self.bones[index] if self._is_bone("get_bone_name", index) else ""

    def get_bone_orientation(self, index: int, absolute: bool) -> list[float] | None:
        """The orientation of a bone: axis and angle in rad. Asks the simulator.

        Args:
            index: of the bone, from 0 on.
            absolute: in the frame of the skin; else of the parent bone.
        """
        asked = self._is_bone("get_bone_orientation", index) and self.ask(
            "get_bone_orientation", 8 * index + GET_ORIENTATION, index, bool(absolute)
        )
        return list(self.orientation) if asked else None

    def get_bone_position(self, index: int, absolute: bool) -> list[float] | None:
        """The position of a bone in m (see `get_bone_orientation`). Asks the simulator."""
        asked = self._is_bone("get_bone_position", index) and self.ask(
            "get_bone_position", 8 * index + GET_POSITION, index, bool(absolute)
        )
        return list(self.position) if asked else None

    def set_bone_orientation(self, index: int, orientation: Sequence[float], absolute: bool) -> None:
        """Turn a bone.

        Args:
            index: of the bone, from 0 on.
            orientation: axis and angle in rad.
            absolute: in the frame of the skin; else of the parent bone.
        """
        self._set("set_bone_orientation", SET_ORIENTATION, index, orientation, 4, absolute)

    def set_bone_position(self, index: int, position: Sequence[float], absolute: bool) -> None:
        """Move a bone to a place in m (see `set_bone_orientation`)."""
        self._set("set_bone_position", SET_POSITION, index, position, 3, absolute)
