"""The Robotino 3 weighs what its maker says, stands, and drives as the formula of three omni wheels tells."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.protos.bench import bench

INFO = """basicTimeStep 16
  contactProperties [
    ContactProperties {
      material1 "WheelMat"
      coulombFriction [
        0, 2, 0
      ]
      bounce 0
    }
  ]"""


@pytest.mark.parametrize(
    ("speeds", "way"),
    [
        ((0, -5, 5), (5 * 0.063 / math.cos(math.pi / 6), 0)),
        ((5, -2.5, -2.5), (0, 5 * 0.063)),
        ((0, 0, 0), (0, 0)),
    ],
    ids=["forward", "left", "rest"],
)
def test_it_drives_where_its_wheels_carry_it(speeds, way):
    with bench('Robotino3 {\n  controller "<none>"\n}\n', INFO) as one:
        one.spin({f"wheel{number}_joint": speed for number, speed in enumerate(speeds)})
        one.run(1)
        start = one.place
        one.run(1)
        assert np.allclose((one.place - start)[:2], way, atol=0.02)
        assert abs(one.yaw) < 0.05
        assert one.tilt < 0.02
