"""Playing of sounds on two speakers."""

from __future__ import annotations

from wbridge.hal.client.arguments import needs
from wbridge.hal.client.session import current


@needs("sound")
def wb_speaker_play_sound(
    left: int, right: int, sound: str, volume: float, pitch: float, balance: float, loop: bool
) -> None:
    """Play a sound on one or two speakers, or change its settings while it plays.

    Args:
        left: tag of the speaker for the left channel.
        right: tag of the speaker for the right channel; may be the same speaker.
        sound: file, relative to the controller or the project.
        volume: 0 to 1.
        pitch: above 0; 2 is twice as fast and an octave higher.
        balance: from -1 (only left) to 1 (only right).
        loop: repeat the sound.
    """
    current().play_sound(left, right, sound, volume, pitch, balance, loop)
