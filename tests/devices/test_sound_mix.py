"""What is heard of speakers, against formulas: pitch, volume, balance, distance, loops."""

from __future__ import annotations

import io
import math
import wave
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from wbridge.main import main
from wbridge.wbcore.devices.sound_mix import RATE, SoundMix, read_clip
from wbridge.wbcore.devices.sounds import SoundError
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

TONE, LENGTH = 441.0, 0.2
"""Frequency (Hz) and duration (s) of the test's sound."""
WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 }
Viewpoint { position 0 0 0 }
Robot { translation %s controller "<none>" children [ Speaker { } ] }
"""


def tone(width: int = 2, rate: int = 22050, channels: int = 1, amplitude: float = 0.5) -> bytes:
    """A WAV file with a sine."""
    at = np.arange(int(LENGTH * rate)) / rate
    sine = amplitude * np.sin(2 * math.pi * TONE * at)
    numbers = {1: (sine * 128 + 128).astype("u1"), 2: (sine * 2**15).astype("<i2")}.get(
        width, (sine * 2**31).astype("<i4")
    )
    file = io.BytesIO()
    with wave.open(file, "wb") as made:
        made.setparams((channels, width, rate, 0, "NONE", ""))
        made.writeframes(np.repeat(numbers, channels).tobytes())
    return file.getvalue()


def heard(path: Path) -> NDArray[np.float64]:
    """The samples (n, 2), left and right, from -1 to 1."""
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (2, 2, RATE)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2) / 32767


def play(path: Path, steps: int, place: str = "0 0 0", **sound: float) -> NDArray[np.float64]:
    """Play the tone with a volume, pitch, balance, loop; return what is heard."""
    simulation = Simulation(load_text(WORLD % place))
    simulation.sound_mix = SoundMix(path, simulation.step_s, lambda: (0.0, 0.0, 0.0))
    (speaker,) = simulation.robots.list[0].devices
    values = {"volume": 1.0, "pitch": 1.0, "balance": 0.0, "loop": 0} | sound
    speaker.on_play_sound(
        [("tone.wav", values["volume"], values["pitch"], values["balance"], 0, int(values["loop"]), tone())]
    )
    for step in range(steps):
        simulation.step()
        simulation.sound_mix.follow(step + 1)
    simulation.sound_mix.close(steps)
    return heard(path)


def frequency(samples: NDArray[np.float64]) -> float:
    spectrum = np.abs(np.fft.rfft(samples, 2**18))
    return float(spectrum.argmax() * RATE / 2**18)


def rms(samples: NDArray[np.float64]) -> float:
    return float(np.sqrt((samples**2).mean()))


def test_a_sound_is_heard_once_and_silence_follows(tmp_path: Path):
    samples = play(tmp_path / "out.wav", 25)
    assert len(samples) == int(25 * 0.016 * RATE)
    end = int(LENGTH * RATE)
    assert frequency(samples[:end, 0]) == pytest.approx(TONE, abs=1)
    assert rms(samples[: end - 50]) == pytest.approx(0.5 / math.sqrt(2), rel=0.01)
    assert not samples[end + 50 :].any()


def test_a_loop_goes_on_without_a_gap(tmp_path: Path):
    samples = play(tmp_path / "out.wav", 50, loop=1)
    parts = np.array_split(samples[:, 0], 8)
    assert [rms(one) for one in parts] == pytest.approx([0.5 / math.sqrt(2)] * 8, rel=0.05)


@pytest.mark.parametrize("pitch", [0.5, 2.0])
def test_the_pitch_scales_frequency_and_speed(tmp_path: Path, pitch: float):
    samples = play(tmp_path / "out.wav", 30, pitch=pitch)
    end = int(LENGTH / pitch * RATE)
    assert frequency(samples[:end, 0]) == pytest.approx(pitch * TONE, abs=2)
    assert not samples[end + 100 :].any()


@pytest.mark.parametrize(
    ("balance", "left", "right"), [(0, 1, 1), (-1, 1, 0), (1, 0, 1), (0.5, 0.5, 1), (-0.25, 1, 0.75)]
)
def test_the_balance_weakens_the_other_side(tmp_path: Path, balance: float, left: float, right: float):
    samples = play(tmp_path / "out.wav", 10, balance=balance, volume=0.8)
    one = 0.8 * 0.5 / math.sqrt(2)
    assert (rms(samples[:, 0]), rms(samples[:, 1])) == (
        pytest.approx(left * one, rel=0.02, abs=1e-6),
        pytest.approx(right * one, rel=0.02, abs=1e-6),
    )


@pytest.mark.parametrize(("place", "gain"), [("0.5 0 0", 1), ("2 0 0", 0.5), ("0 3 4", 0.2)])
def test_beyond_a_meter_the_gain_is_the_inverse_of_the_distance(tmp_path: Path, place: str, gain: float):
    """Judge: OpenAL's AL_INVERSE_DISTANCE_CLAMPED with its defaults."""
    assert rms(play(tmp_path / "out.wav", 10, place)) == pytest.approx(gain * 0.5 / math.sqrt(2), rel=0.02)


@pytest.mark.parametrize(("width", "channels", "rate"), [(1, 1, 8000), (2, 2, 44100), (4, 1, 48000)])
def test_formats_of_files(width: int, channels: int, rate: int):
    clip = read_clip(tone(width, rate, channels))
    assert (clip.rate, len(clip.samples)) == (rate, int(LENGTH * rate))
    assert rms(clip.samples) == pytest.approx(0.5 / math.sqrt(2), rel=0.02)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (tone(2)[:30], "decoded"),
        (b"RIFF\0\0\0\0WAVE", "decoded"),
        (tone(2)[:44], "empty"),
        (tone(2)[:20] + b"\x03\0" + tone(2)[22:], "decoded: unknown format"),
    ],
)
def test_broken_files_are_refused_in_words(content: bytes, words: str):
    with pytest.raises(SoundError, match=words):
        read_clip(content)


def test_a_run_writes_what_is_heard(tmp_path: Path):
    """The whole way: a controller plays a file, `--sound` writes it."""
    (tmp_path / "worlds").mkdir()
    folder = tmp_path / "controllers" / "player"
    folder.mkdir(parents=True)
    (folder / "tone.wav").write_bytes(tone())
    (folder / "player.py").write_text(
        "from controller import Robot, Speaker\n"
        "robot = Robot()\n"
        "speaker = robot.getDevice('speaker')\n"
        "Speaker.playSound(speaker, speaker, 'tone.wav', 1.0, 1.0, 0.0, False)\n"
        "while robot.step(16) != -1:\n"
        "    pass\n",
        encoding="utf-8",
    )
    world = tmp_path / "worlds" / "player.wbt"
    world.write_text((WORLD % "0 0 0").replace("<none>", "player"), encoding="utf-8")
    out = tmp_path / "out.wav"
    assert main(["run", str(world), "--inline", "--duration", "0.48", "--sound", str(out)]) == 0
    samples = heard(out)
    assert len(samples) == int(0.48 * RATE)
    assert frequency(samples[:, 0]) == pytest.approx(TONE, abs=1)
