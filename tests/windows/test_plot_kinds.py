"""What plots compute of signals. Judges: numpy's FFT and histogram, and the formula of a sinusoid."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
import quickjs

from tests.windows.test_page_messages import PAGES

SCRIPT = (PAGES / "workbench" / "plot_kinds.js").read_text(encoding="utf-8").replace("export ", "")


@pytest.fixture(scope="module")
def call() -> Any:
    """Call a function of the page."""
    engine = quickjs.Context()
    engine.eval(SCRIPT)

    def called(name: str, *arguments: Any) -> Any:
        return json.loads(engine.eval(f"JSON.stringify({name}(...{json.dumps(arguments)}))"))

    return called


def sampled(rate_hz: float, count: int) -> list[float]:
    return [k / rate_hz for k in range(count)]


def test_a_sinusoid_has_a_peak_of_its_amplitude_at_its_frequency(call: Any):
    times = sampled(62.5, 512)
    frequency = 20 * 62.5 * 511 / 512 / 511  # in the middle of a bin
    wave = [3.0 + 2.0 * math.sin(2 * math.pi * frequency * time) for time in times]
    frequencies, heights = call("spectrum", times, [wave])
    top = int(np.argmax(heights))
    assert frequencies[top] == pytest.approx(frequency, rel=1e-3)
    assert heights[top] == pytest.approx(2.0, rel=0.01)
    assert max(heights[:10] + heights[40:]) < 0.01, "neither the mean nor other frequencies"
    assert max(frequencies) < 62.5 / 2


def test_a_spectrum_is_that_of_numpy(call: Any):
    random = np.random.default_rng(3)
    values = random.normal(size=256)
    times = sampled(100.0, 256)
    _, heights = call("spectrum", times, [values.tolist()])
    window = (1 - np.cos(2 * np.pi * np.arange(256) / 256)) / 2
    expected = 4 / 256 * np.abs(np.fft.rfft((values - values.mean()) * window))
    assert heights == pytest.approx(expected[:128].tolist(), abs=1e-12)


def test_a_spectrum_takes_the_values_after_the_last_gap(call: Any):
    times = sampled(50.0, 300)
    wave: list[float | None] = [math.sin(2 * math.pi * 5 * time) for time in times]
    wave[40], wave[43] = None, None
    frequencies, heights = call("spectrum", times, [wave])
    assert frequencies[int(np.argmax(heights))] == pytest.approx(5.0, abs=0.2)
    assert call("spectrum", times[:50], [wave[:50]]) == [[], []], "too few values"


@pytest.mark.parametrize("values", [[1.0, 2.0, 2.5, 9.0, None, 4.0], [None, None], [7.0, 7.0, None], []])
def test_a_histogram_counts_every_value_once(call: Any, values: list[float | None]):
    known = [value for value in values if value is not None]
    centers, counts = call("histogram", [values])
    assert sum(counts) == len(known) and len(centers) == len(counts)
    if len(set(known)) > 1:
        width = centers[1] - centers[0] if len(centers) > 1 else max(known) - min(known)
        edges = np.append(np.array(centers) - width / 2, centers[-1] + width / 2)
        assert counts == np.histogram(known, edges)[0].tolist()


def test_signals_share_the_bins_of_a_histogram(call: Any):
    random = np.random.default_rng(4)
    one, other = random.normal(size=400).tolist(), random.normal(3, 1, size=400).tolist()
    centers, *counts = call("histogram", [one, other])
    assert 10 < len(centers) <= 60
    assert [sum(each) for each in counts] == [400, 400]
    assert np.average(centers, weights=counts[1]) == pytest.approx(np.mean(other), abs=0.1)


def test_rows_in_which_a_value_is_missing_part_a_line(call: Any):
    assert call("against", [[1, None, 3, 4], [5, 6, None, 8]]) == [[[1, None, None, 4], [5, None, None, 8]]]


def test_rows_of_a_span(call: Any):
    assert call("rowsBetween", [0.0, 1.0, 2.0, 3.0], 1.0, 2.0) == [1, 3]
    assert call("rowsBetween", [0.0, 1.0], 5.0, 6.0) == [2, 2]
    assert call("rowsBetween", [], 0.0, 1.0) == [0, 0]
