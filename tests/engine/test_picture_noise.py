"""White noise on pictures: its distribution is the normal one, cut to bytes."""

from math import erf, exp, pi, sqrt

import numpy as np
import pytest

from wbridge.wbcore.engine import _engine

SHAPE = (400, 500)
COUNT = 3 * SHAPE[0] * SHAPE[1]


def noisy(value: int, deviation: float, seed: int = 1, shape: tuple[int, int] = SHAPE) -> np.ndarray:
    picture = np.full((*shape, 4), value, np.uint8)
    _engine.PictureNoise(deviation).add(picture, seed)
    return picture


def share_below(limit: float, mean: float, deviation: float) -> float:
    return 0.5 * (1 + erf((limit - mean) / (deviation * sqrt(2))))


@pytest.mark.parametrize("deviation", [0.3, 1.0, 12.75, 25.5])
def test_mean_and_deviation_are_those_of_rounded_normal_values(deviation: float):
    """Sheppard: the variance of values rounded to integers is larger by 1/12; below a deviation of about
    0.5, sums over the integers replace the formula."""
    colors = noisy(128, deviation)[:, :, :3].astype(float) - 128
    steps = range(-127, 127)
    shares = [share_below(i + 0.5, 0, deviation) - share_below(i - 0.5, 0, deviation) for i in steps]
    variance = sum(share * i * i for i, share in zip(steps, shares, strict=True))
    assert deviation < 0.5 or variance == pytest.approx(deviation**2 + 1 / 12, rel=1e-3)
    # Five standard errors of the mean and of the variance.
    assert abs(colors.mean()) < 5 * sqrt(variance / COUNT)
    assert colors.var() == pytest.approx(variance, rel=5 * sqrt(4 / COUNT))


@pytest.mark.parametrize("value", [0, 255])
def test_values_beyond_a_byte_are_cut(value: int):
    """The mean of the half-normal distribution that is left is deviation / sqrt(2 pi)."""
    colors = noisy(value, 20.0)[:, :, :3].astype(float)
    distance = abs(colors - value)
    assert distance.mean() == pytest.approx(20 / sqrt(2 * pi), rel=0.01)
    assert (distance == 0).mean() == pytest.approx(share_below(0.5, 0, 20.0), abs=0.005)


def test_the_shape_is_the_bell_curve_up_to_four_deviations():
    values, counts = np.unique(noisy(128, 20.0)[:, :, :3], return_counts=True)
    for value, count in zip(values, counts, strict=True):
        density = exp(-(((value - 128.0) / 20) ** 2) / 2) / (20 * sqrt(2 * pi))
        if value in (0, 255):
            continue  # all beyond are added
        assert abs(count - COUNT * density) < 6 * sqrt(COUNT * density) + 1, value
    assert abs(values.astype(float) - 128).max() >= 76  # 3.8 deviations


def test_channels_and_neighbors_are_independent_and_alpha_stays():
    picture = noisy(128, 20.0)
    assert (picture[:, :, 3] == 128).all()
    channels = picture[:, :, :3].reshape(-1, 3).astype(float)
    bound = 5 / sqrt(len(channels))
    assert abs(np.corrcoef(channels.T) - np.eye(3)).max() < bound
    for shift in (1, SHAPE[1]):
        assert abs(np.corrcoef(channels[:-shift, 0], channels[shift:, 0])[0, 1]) < bound


def test_the_seed_decides():
    assert (noisy(128, 20.0, 5) == noisy(128, 20.0, 5)).all()
    first, second = noisy(128, 20.0, 5), noisy(128, 20.0, 6)
    assert (first[:, :, :3] == second[:, :, :3]).mean() < 0.05


def test_extreme_deviations_are_possible():
    assert (noisy(128, 0.0) == 128).all()
    assert np.isin(noisy(128, 1e300)[:, :, :3], (0, 255)).mean() > 0.999
    with pytest.raises(ValueError, match="deviation"):
        _engine.PictureNoise(-1.0)
