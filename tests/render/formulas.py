"""The formulas that pictures are judged by, written independently of the shaders.

Sources: manual, chapters Material, PBRAppearance, PointLight, SpotLight, Fog; Webots' shaders.
"""

from __future__ import annotations

from math import exp, pi, sqrt

import numpy as np


def linear(c: float) -> float:
    """From sRGB to linear (IEC 61966-2-1)."""
    return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4


def shown(light: float, exposure: float = 1.0) -> float:
    """The displayed value (0 to 255) of light."""
    return float(255 * (1 - exp(-light * exposure)) ** (1 / 2.2))


def attenuation(terms: tuple[float, float, float], distance: float) -> float:
    a, b, c = terms
    return 1 / (a + b * distance + c * distance**2)


def spot(angle: float, beam: float, cut: float) -> float:
    return min(max((cut - angle) / (cut - beam), 0.0), 1.0)


def facets(
    base: float, roughness: float, metalness: float, normal: np.ndarray, light: np.ndarray, eye: np.ndarray
) -> tuple[float, float]:
    """Diffuse and mirrored share of light, times the cosine: Lambert, and Cook-Torrance with GGX, Smith and
    Schlick."""
    half = (light + eye) / np.linalg.norm(light + eye)
    nl, nv, nh, vh = normal @ light, normal @ eye, normal @ half, eye @ half
    a2 = max(roughness, 0.04) ** 4
    head_on = 0.04 + (base - 0.04) * metalness
    reflected = head_on + (min(25 * head_on, 1) - head_on) * (1 - vh) ** 5
    spread = a2 / (pi * (nh**2 * (a2 - 1) + 1) ** 2)

    def smith(c: float) -> float:
        return 2 * c / (c + sqrt(a2 + (1 - a2) * c * c))

    matt = (1 - reflected) * base * 0.96 * (1 - metalness) / pi
    return float(nl * matt), float(nl * reflected * spread * smith(nl) * smith(nv) / (4 * nl * nv))


def around(base: float, roughness: float, metalness: float, cosine: float, sky: float) -> float:
    """Light from all sides by the split-sum approximation, integrated over a fine grid of half vectors."""
    head_on = 0.04 + (base - 0.04) * metalness
    n = 400
    x, y = np.meshgrid((np.arange(n) + 0.5) / n, (np.arange(n) + 0.5) / n)
    a = max(roughness, 0.04) ** 2
    h = np.sqrt((1 - y) / (1 + (a * a - 1) * y))
    s = np.sqrt(1 - h * h) * np.cos(2 * pi * x)
    v = np.array([sqrt(1 - cosine**2), cosine])
    vh = np.maximum(v[0] * s + v[1] * h, 0)
    light = 2 * vh * h - cosine
    k = a / 2
    g = np.where(light > 0, light / (light * (1 - k) + k) * cosine / (cosine * (1 - k) + k), 0)
    visible = g * vh / (h * cosine)
    factor, summand = ((1 - (1 - vh) ** 5) * visible).mean(), ((1 - vh) ** 5 * visible).mean()
    return float(sky * (base * 0.96 * (1 - metalness) + head_on * factor + summand))
