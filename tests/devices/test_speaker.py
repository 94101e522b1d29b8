"""Speakers: nothing is heard, but sounds and speech last."""

from __future__ import annotations

import io
import wave
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.devices.rig import STEP_MS, Rig, robot, world
from wbridge.wbcore.devices.sounds import SoundError, duration

SPEAKER = 'Speaker { name "s" }'
BEEP = "beep.wav"


def wav(seconds: float) -> bytes:
    """Silence."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(2)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(4 * round(8000 * seconds)))
    return file.getvalue()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a sound of 0.16 s, that is 10 steps."""
    (tmp_path / "worlds").mkdir()
    (tmp_path / BEEP).write_bytes(wav(0.16))
    return tmp_path


@pytest.fixture
def rig(project: Path, drive: Callable[..., Rig]) -> Rig:
    return drive(world(robot(SPEAKER)), path=project / "worlds" / "test.wbt")


def play(rig: Rig, file: str = BEEP, pitch: float = 1.0, loop: bool = False) -> None:
    tag = rig["s"].tag
    rig.client.play_sound(tag, tag, file, 1.0, pitch, 0.0, loop)


def steps_until_over(rig: Rig, file: str = BEEP) -> int:
    for step in range(1, 100):
        rig.step()
        if not rig["s"].is_sound_playing(file):
            return step
    return -1


@pytest.mark.parametrize(("pitch", "steps"), [(1.0, 10), (2.0, 5), (0.5, 20)])
def test_a_sound_lasts_as_long_as_its_file(rig: Rig, pitch: float, steps: int):
    play(rig, pitch=pitch)
    assert steps_until_over(rig) == steps


def test_a_loop_does_not_end_until_it_is_stopped(rig: Rig):
    play(rig, loop=True)
    assert steps_until_over(rig) == -1
    rig["s"].stop(BEEP)
    rig.step()
    assert rig.model("s").playing == {}


def test_a_sound_that_is_played_again_goes_on_in_the_new_way(rig: Rig):
    play(rig)
    rig.step(4)
    play(rig, pitch=2.0)
    assert steps_until_over(rig) == 3


def test_a_sound_may_be_played_anew_after_its_end(rig: Rig):
    for _ in range(2):
        play(rig)
        assert steps_until_over(rig) == 10


def test_a_missing_or_damaged_file_is_over_at_once_with_a_warning(
    rig: Rig, project: Path, caplog: pytest.LogCaptureFixture
):
    (project / "bad.wav").write_bytes(b"RIFF")
    for file in ("none.wav", "bad.wav"):
        play(rig, file)
        assert steps_until_over(rig, file) == 1
    texts = [one.getMessage() for one in caplog.records]
    assert "no such file" in texts[0]
    assert "not a WAV file" in texts[1]


def test_speech_lasts_by_its_length(rig: Rig):
    rig["s"].speak("x" * 15, 0.5)
    rig.step(1000 // STEP_MS)
    assert rig["s"].is_speaking()
    rig.step(2)
    assert not rig["s"].is_speaking()


def test_stopping_all_ends_speech_and_sounds(rig: Rig):
    play(rig, loop=True)
    rig["s"].speak("a long text", 1.0)
    rig.step()
    rig["s"].stop()
    rig.step()
    assert rig.model("s").playing == {}
    assert rig.model("s").speech_left == 0


def test_the_length_is_that_of_the_samples():
    assert duration(wav(0.5)) == 0.5


@pytest.mark.parametrize("cut", range(44))
def test_a_file_that_is_cut_is_no_sound(cut: int):
    with pytest.raises(SoundError):
        duration(wav(0.01)[:cut])


def test_sizes_beyond_the_file_do_not_count():
    data = bytearray(wav(0.5))
    data[40:44] = b"\xff\xff\xff\xff"
    assert duration(bytes(data)) == 0.5


def test_a_rate_of_zero_is_no_sound():
    data = bytearray(wav(0.5))
    data[28:32] = bytes(4)
    with pytest.raises(SoundError, match="damaged"):
        duration(bytes(data))


@pytest.mark.parametrize(
    ("volume", "pitch", "balance"),
    [(2.0, 1.0, 0.0), (float("nan"), 1.0, 0.0), (1.0, 0.0, 0.0), (1.0, float("inf"), 0.0), (1.0, 1.0, 3.0)],
)
def test_nonsense_from_the_wire_is_refused(rig: Rig, volume: float, pitch: float, balance: float):
    with pytest.raises(ValueError, match="volume"):
        rig.model("s").on_play_sound([(BEEP, volume, pitch, balance, 0, 0, b"")])
