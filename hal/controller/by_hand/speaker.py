"""What speakers do in their own way."""

from __future__ import annotations

from hal.controller.by_hand.device import Device
from hal.modes.devices.speaker import Speaker, play_sound

__all__ = ["SpeakerBase"]


class SpeakerBase(Device):
    """What a speaker does in its own way."""

    _device: Speaker

    @staticmethod
    def playSound(
        left: SpeakerBase,
        right: SpeakerBase,
        sound: str,
        volume: float,
        pitch: float,
        balance: float,
        loop: bool,
    ) -> None:
        """Play a sound on one or two speakers; for a sound that is playing, change how.

        Args:
            left: plays the left channel.
            right: plays the right channel; the same speaker plays both.
            sound: file, relative to the controller or the project.
            volume: 0 to 1.
            pitch: above 0; 2 is twice as fast and an octave higher.
            balance: from -1 (only left) to 1 (only right).
            loop: begin anew at the end.
        """
        play_sound(left._device, right._device, sound, volume, pitch, balance, loop)
