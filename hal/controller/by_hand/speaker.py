"""Hand-written methods of speakers."""

from __future__ import annotations

from wbridge.hal.client.session import current
from wbridge.hal.controller.by_hand.device import Device

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from wbridge.hal.client._native import Speaker


class SpeakerBase(Device):
    """Hand-written methods of Speaker."""

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
        """Play a sound on one or two speakers, or change its settings while it plays.

        Args:
            left: speaker of the left channel.
            right: speaker of the right channel; may be the same speaker.
            sound: file, relative to the controller or the project.
            volume: 0 to 1.
            pitch: above 0; 2 is twice as fast and an octave higher.
            balance: from -1 (only left) to 1 (only right).
            loop: repeat the sound.
        """
        current().play_sound(left.tag, right.tag, sound, volume, pitch, balance, loop)
